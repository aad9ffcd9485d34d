"""First steps with eager execution, from the days of TensorFlow 1.13."""

import json

import numpy as np
import tensorflow.compat.v1 as tf

tf.enable_eager_execution()

np.random.seed(0)
TRUE_W, TRUE_B = 3.0, 2.0
NUM_EXAMPLES = 200
inputs = np.random.normal(size=[NUM_EXAMPLES]).astype("float32")
noise = np.random.normal(size=[NUM_EXAMPLES]).astype("float32")
outputs = inputs * TRUE_W + TRUE_B + noise


class Model(object):
    def __init__(self):
        self.W = tf.Variable(5.0, name="weight")
        self.B = tf.Variable(0.0, name="bias")

    def __call__(self, x):
        return self.W * x + self.B


model = Model()


def loss():
    return tf.reduce_mean(tf.square(model(inputs) - outputs))


optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)
history = []
for epoch in range(12):
    optimizer.minimize(loss)
    history.append([float(model.W.numpy()), float(model.B.numpy()), float(loss())])
print("W = %.3f, B = %.3f" % (model.W.numpy(), model.B.numpy()))
print(json.dumps({"history": history, "eager": tf.executing_eagerly()}))
