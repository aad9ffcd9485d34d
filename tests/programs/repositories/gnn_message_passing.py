"""A message-passing network on a batch of graphs: segment sums, edge features, a readout."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)


def random_graph(n):
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j and rng.random() < 0.5]
    return np.array(pairs or [(0, 1)]), rng.normal(size=(n, 4))


sizes = [4, 5, 3, 6]
edges, nodes, graph_ids, targets, offset = [], [], [], [], 0
for g, n in enumerate(sizes):
    e, x = random_graph(n)
    edges.append(e + offset)
    nodes.append(x)
    graph_ids += [g] * n
    targets.append([len(e) / n])
    offset += n
edges = tf.constant(np.concatenate(edges), tf.int32)
nodes = tf.constant(np.concatenate(nodes), tf.float32)
targets = tf.constant(targets, tf.float32)
degree = tf.math.unsorted_segment_sum(tf.ones(len(edges)), edges[:, 1], offset)


class Linear(tf.Module):
    def __init__(self, n, m, name=None):
        super().__init__(name)
        self.w = tf.Variable(rng.normal(size=(n, m)) / np.sqrt(n), dtype=tf.float32, name="w")
        self.b = tf.Variable(tf.zeros([m]), name="b")

    def __call__(self, x):
        return x @ self.w + self.b


class MPNN(tf.Module):
    def __init__(self):
        super().__init__()
        self.embed = Linear(4, 8)
        self.message = [Linear(16, 8) for _ in range(2)]
        self.update = [Linear(16, 8) for _ in range(2)]
        self.readout = Linear(8, 1)

    def __call__(self, x):
        h = tf.nn.elu(self.embed(x))
        for message, update in zip(self.message, self.update):
            ends = tf.concat([tf.gather(h, edges[:, 0]), tf.gather(h, edges[:, 1])], 1)
            m = tf.nn.leaky_relu(message(ends))
            incoming = tf.math.unsorted_segment_sum(m, edges[:, 1], offset)
            incoming /= tf.maximum(degree, 1.0)[:, None]
            h = h + tf.tanh(update(tf.concat([h, incoming], 1)))
        return self.readout(tf.math.segment_mean(h, graph_ids))


model = MPNN()
losses = []
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.math.squared_difference(model(nodes), targets))
    variables = model.trainable_variables
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.05 * g)
    losses.append(float(loss))
largest = tf.math.segment_max(nodes, graph_ids)
print(
    json.dumps(
        {
            "losses": losses,
            "out": model(nodes).numpy().tolist(),
            "largest": largest.numpy()[0].tolist(),
            "variables": [v.name for v in variables],
        }
    )
)
