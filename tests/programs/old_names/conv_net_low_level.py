"""A convolutional net out of weight_variable, conv2d and max_pool_2x2."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(2)


def weight_variable(shape):
    return tf.Variable(tf.constant(rng.normal(scale=0.1, size=shape), dtype=tf.float32))


def bias_variable(shape):
    return tf.Variable(tf.constant(0.1, shape=shape))


def conv2d(x, W):
    return tf.nn.conv2d(x, W, strides=[1, 1, 1, 1], padding="SAME")


def max_pool_2x2(x):
    return tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


W_conv1, b_conv1 = weight_variable([3, 3, 1, 4]), bias_variable([4])
W_conv2, b_conv2 = weight_variable([3, 3, 4, 8]), bias_variable([8])
W_fc1, b_fc1 = weight_variable([3 * 3 * 8, 16]), bias_variable([16])
W_fc2, b_fc2 = weight_variable([16, 3]), bias_variable([3])
weights = [W_conv1, b_conv1, W_conv2, b_conv2, W_fc1, b_fc1, W_fc2, b_fc2]


def deepnn(x):
    x_image = tf.reshape(x, [-1, 12, 12, 1])
    h_pool1 = max_pool_2x2(tf.nn.relu(conv2d(x_image, W_conv1) + b_conv1))
    h_norm = tf.nn.lrn(h_pool1, depth_radius=2, bias=1.0, alpha=0.001 / 9.0, beta=0.75)
    h_pool2 = max_pool_2x2(tf.nn.relu(conv2d(h_norm, W_conv2) + b_conv2))
    h_flat = tf.reshape(h_pool2, [-1, 3 * 3 * 8])
    h_fc1 = tf.nn.relu(tf.nn.bias_add(tf.matmul(h_flat, W_fc1), b_fc1))
    return tf.matmul(h_fc1, W_fc2) + b_fc2


labels = rng.randint(0, 3, size=24)
images = rng.rand(24, 144).astype(np.float32)
for k, c in enumerate(labels):
    images[k, c * 48 : (c + 1) * 48] += 1.0
y_ = tf.one_hot(labels, 3)

train_step = tf.compat.v1.train.AdamOptimizer(1e-2)
log = []
for i in range(6):
    with tf.GradientTape() as tape:
        y_conv = deepnn(images)
        losses = tf.compat.v1.nn.softmax_cross_entropy_with_logits_v2(labels=y_, logits=y_conv)
        cross_entropy = tf.reduce_mean(losses)
    grads = tape.gradient(cross_entropy, weights)
    train_step.apply_gradients(list(zip(grads, weights)))
    correct = tf.equal(tf.argmax(y_conv, 1), tf.argmax(y_, 1))
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
    log.append([cross_entropy.numpy().item(), accuracy.numpy().item()])
print(json.dumps({"log": log, "bias": b_conv1.numpy().tolist()}))
