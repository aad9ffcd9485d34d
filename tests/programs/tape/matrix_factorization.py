"""Recommendations by matrix factorization: gathered rows, sparse updates, ranking."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(55)
USERS, ITEMS, RANK = 12, 15, 3
true = rng.normal(size=(USERS, RANK)) @ rng.normal(size=(RANK, ITEMS))
observed = np.argwhere(rng.random((USERS, ITEMS)) < 0.6)
ratings = tf.constant(true[observed[:, 0], observed[:, 1]], tf.float32)
indices = tf.constant(observed)

user_factors = tf.Variable(0.3 * rng.normal(size=(USERS, RANK)), dtype=tf.float32)
item_factors = tf.Variable(0.3 * rng.normal(size=(ITEMS, RANK)), dtype=tf.float32)
user_bias = tf.Variable(tf.zeros([USERS]))
item_bias = tf.Variable(tf.zeros([ITEMS]))
variables = [user_factors, item_factors, user_bias, item_bias]


def predict(users, items):
    products = tf.gather(user_factors, users) * tf.gather(item_factors, items)
    biases = tf.gather(user_bias, users) + tf.gather(item_bias, items)
    return tf.reduce_sum(products, axis=1) + biases


def dense(gradient):
    if isinstance(gradient, tf.IndexedSlices):
        return tf.math.unsorted_segment_sum(
            gradient.values, gradient.indices, num_segments=gradient.dense_shape[0]
        )
    return gradient


losses = []
for epoch in range(15):
    with tf.GradientTape() as tape:
        error = ratings - predict(indices[:, 0], indices[:, 1])
        decay = tf.add_n([tf.nn.l2_loss(v) for v in variables[:2]])
        loss = tf.reduce_mean(error**2) + 0.001 * decay
    gradients = tape.gradient(loss, variables)
    for v, g in zip(variables, gradients):
        v.assign_sub(2.0 * tf.convert_to_tensor(g))
    losses.append(loss.numpy().item())

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(predict(indices[:, 0], indices[:, 1]))
by_segment = [dense(g) for g in tape.gradient(loss, [user_factors, user_bias])]

scores = tf.matmul(user_factors, item_factors, transpose_b=True) + user_bias[:, None] + item_bias
seen = tf.scatter_nd(indices, tf.ones(len(observed)), [USERS, ITEMS])
unseen = tf.where(seen > 0, -np.inf, scores)
top = tf.math.top_k(unseen, k=2)
rows = tf.tensor_scatter_nd_update(tf.zeros([USERS]), [[0], [3]], top.values[:2, 0])
print(
    json.dumps(
        {
            "losses": losses,
            "counts": by_segment[1].numpy().tolist(),
            "segment": tf.norm(by_segment[0]).numpy().item(),
            "best": top.indices[:, 0].numpy().tolist(),
            "score": rows.numpy().tolist(),
        }
    )
)
