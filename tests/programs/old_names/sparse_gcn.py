"""A graph convolution with tf.SparseTensor and the old names of sparse functions."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(5)
n, classes = 12, 3
edges = np.array(sorted({(i, (i + k) % n) for i in range(n) for k in (0, 1, 11)}), np.int64)
degree = np.bincount(edges[:, 0], minlength=n)
values = 1.0 / np.sqrt(degree[edges[:, 0]] * degree[edges[:, 1]])
support = tf.SparseTensor(edges, values.astype(np.float32), [n, n])
support = tf.sparse_reorder(support)
features = tf.constant(rng.rand(n, 6), tf.float32)
labels = np.arange(n) * classes // n
mask = np.zeros(n)
mask[::2] = 1


def glorot(shape):
    init_range = np.sqrt(6.0 / (shape[0] + shape[1]))
    return tf.Variable(rng.uniform(-init_range, init_range, shape).astype("f"))


w0, w1 = glorot([6, 8]), glorot([8, classes])


def gcn(x):
    h = tf.nn.relu(tf.sparse_tensor_dense_matmul(support, tf.matmul(x, w0)))
    return tf.sparse_tensor_dense_matmul(support, tf.matmul(h, w1))


def masked_softmax_cross_entropy(preds):
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=preds, labels=labels)
    m = tf.to_float(mask)
    return tf.reduce_mean(loss * m / tf.reduce_mean(m))


opt = tf.train.AdamOptimizer(learning_rate=0.05)
losses = []
for epoch in range(8):
    with tf.GradientTape() as tape:
        loss = masked_softmax_cross_entropy(gcn(features)) + 5e-3 * tf.nn.l2_loss(w0)
    opt.apply_gradients(list(zip(tape.gradient(loss, [w0, w1]), [w0, w1])))
    losses.append(float(loss))
dense = tf.sparse_tensor_to_dense(support)
rows = tf.sparse_reduce_sum(support, 1)
print(
    json.dumps(
        {
            "losses": losses,
            "dense": dense.numpy()[0].tolist(),
            "rows": rows.numpy().tolist(),
            "predicted": tf.argmax(gcn(features), 1).numpy().tolist(),
        }
    )
)
