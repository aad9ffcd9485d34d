"""A graph convolutional network: a sparse adjacency matrix, then message passing by segments."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(63)
NODES, CLASSES = 20, 3
community = np.arange(NODES) % CLASSES
chance = np.where(community[:, None] == community[None], 0.6, 0.08)
upper = np.triu(rng.random((NODES, NODES)) < chance, 1)
adjacency = (upper | upper.T | np.eye(NODES, dtype=bool)).astype(np.float32)
degree = adjacency.sum(1)
normalized = adjacency / np.sqrt(degree[:, None] * degree[None])
edges = np.argwhere(adjacency)
sparse = tf.sparse.SparseTensor(edges, normalized[edges[:, 0], edges[:, 1]], [NODES, NODES])
centers = rng.normal(size=(CLASSES, 6))
features = tf.constant(centers[community] + rng.normal(size=(NODES, 6)), tf.float32)
labels = tf.constant(community)
known = tf.constant(np.arange(NODES) < 9)

w1 = tf.Variable(rng.normal(size=(6, 8)) * 0.4, dtype=tf.float32)
w2 = tf.Variable(rng.normal(size=(8, CLASSES)) * 0.4, dtype=tf.float32)


def model():
    hidden = tf.nn.relu(tf.sparse.sparse_dense_matmul(sparse, features @ w1))
    return tf.sparse.sparse_dense_matmul(sparse, hidden @ w2)


def masked_loss(logits):
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(tf.boolean_mask(each, known))


losses = []
for _ in range(10):
    with tf.GradientTape() as tape:
        loss = masked_loss(model())
    for v, g in zip((w1, w2), tape.gradient(loss, (w1, w2))):
        v.assign_sub(0.8 * g)
    losses.append(loss.numpy().item())
predicted = tf.argmax(model(), axis=1)
accuracy = tf.reduce_mean(tf.cast(tf.equal(predicted, labels), tf.float32))

# The same by messages along edges, with attention that is normalized per receiving node.
receivers, senders = edges[:, 0], edges[:, 1]
attention = tf.Variable(rng.normal(size=(12, 1)) * 0.3, dtype=tf.float32)
with tf.GradientTape() as tape:
    pair = tf.concat([tf.gather(features, receivers), tf.gather(features, senders)], axis=1)
    score = tf.squeeze(tf.nn.leaky_relu(pair @ attention, alpha=0.2), axis=1)
    largest = tf.math.segment_max(score, receivers)
    weight = tf.exp(score - tf.gather(largest, receivers))
    total = tf.math.unsorted_segment_sum(weight, receivers, NODES)
    coefficient = weight / tf.gather(total, receivers)
    messages = tf.gather(features, senders) * coefficient[:, None]
    received = tf.math.segment_sum(messages, receivers)
    value = tf.reduce_mean(received**2)
print(
    json.dumps(
        {
            "edges": len(edges),
            "losses": losses,
            "accuracy": accuracy.numpy().item(),
            "received": received[0].numpy().tolist(),
            "gradient": tape.gradient(value, attention).numpy().ravel().tolist(),
        }
    )
)
