"""MNIST softmax regression, moved to TensorFlow 2 by hand: the old names stayed."""

import json

import numpy as np
import tensorflow as tf

tf.set_random_seed(1234)
learning_rate = 0.05
training_epochs = 3
batch_size = 20

rng = np.random.RandomState(7)
centers = rng.randn(4, 16)
labels = rng.randint(0, 4, size=100)
images = (centers[labels] + 0.7 * rng.randn(100, 16)).astype(np.float32)
onehot = np.eye(4)[labels].astype(np.float32)

W = tf.Variable(tf.random_normal([16, 4], stddev=0.1))
b = tf.Variable(tf.zeros([4]))
start = float(tf.reduce_sum(tf.abs(W)))
global_step = tf.train.get_or_create_global_step()
optimizer = tf.train.AdamOptimizer(learning_rate)
costs = []
for epoch in range(training_epochs):
    avg_cost = 0.0
    total_batch = int(len(images) / batch_size)
    for i in range(total_batch):
        batch_xs = images[i * batch_size : (i + 1) * batch_size]
        batch_ys = onehot[i * batch_size : (i + 1) * batch_size]
        with tf.GradientTape() as tape:
            pred = tf.nn.softmax(tf.matmul(batch_xs, W) + b)
            cost = tf.reduce_mean(-tf.reduce_sum(batch_ys * tf.log(pred + 1e-8), axis=1))
        grads = tape.gradient(cost, [W, b])
        optimizer.apply_gradients(zip(grads, [W, b]), global_step=global_step)
        avg_cost += cost.numpy() / total_batch
    costs.append(float(avg_cost))
    print("Epoch:", "%04d" % (epoch + 1), "cost=", "{:.9f}".format(avg_cost))

correct = tf.equal(tf.argmax(tf.matmul(images, W) + b, 1), labels)
accuracy = tf.reduce_mean(tf.to_float(correct))
print(
    json.dumps(
        {
            "start": start,
            "costs": costs,
            "accuracy": float(accuracy),
            "step": int(global_step.numpy()),
            "b": b.numpy().tolist(),
        }
    )
)
