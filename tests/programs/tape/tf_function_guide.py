"""Functions and graphs: polymorphism, signatures, state, loops and conditions on tensors."""

import json

import numpy as np
import tensorflow as tf

results = {}


@tf.function
def power(x, n):
    result = tf.ones_like(x)
    for _ in tf.range(n):
        result *= x
    return result


x = tf.Variable(1.5)
with tf.GradientTape() as tape:
    y = power(x, tf.constant(4))
results["power"] = [y.numpy().item(), tape.gradient(y, x).numpy().item()]


@tf.function
def collatz(n):
    steps = tf.constant(0)
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


results["collatz"] = [int(collatz(tf.constant(n))) for n in (1, 7, 27)]


@tf.function(input_signature=[tf.TensorSpec(shape=[None], dtype=tf.float32)])
def normalize(values):
    return (values - tf.reduce_mean(values)) / tf.math.reduce_std(values)


results["normalized"] = normalize(tf.constant([1.0, 2.0, 6.0])).numpy().tolist()
try:
    normalize(tf.constant([[1.0]]))
except (TypeError, ValueError):
    results["signature"] = "refused"


class Counter(tf.Module):
    count = None

    @tf.function
    def __call__(self, by=1):
        if self.count is None:
            self.count = tf.Variable(0)
        return self.count.assign_add(by)


counter = Counter()
results["counter"] = [int(counter(tf.constant(k))) for k in (1, 2, 3)]


@tf.function
def clipped(x, limit=tf.constant(1.0)):
    if tf.reduce_sum(x) > limit:
        x = x / tf.reduce_sum(x)
    elif tf.reduce_all(x < 0):
        x = tf.zeros_like(x)
    return x


arguments = tf.constant([[3.0, 1.0], [-1.0, -2.0], [0.25, 0.5]])
results["clipped"] = [clipped(a).numpy().tolist() for a in arguments]


@tf.function
def dynamic_rnn(inputs, kernel):
    states = tf.TensorArray(tf.float32, size=inputs.shape[0])
    state = tf.zeros([inputs.shape[1]])
    for i in tf.range(inputs.shape[0]):
        state = tf.tanh(inputs[i] + tf.linalg.matvec(kernel, state))
        states = states.write(i, state)
    return states.stack()


kernel = tf.Variable(np.random.default_rng(0).normal(size=(3, 3)) * 0.5, dtype=tf.float32)
inputs = tf.constant(np.random.default_rng(1).normal(size=(5, 3)), tf.float32)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(dynamic_rnn(inputs, kernel)[-1])
results["rnn"] = tape.gradient(loss, kernel).numpy().tolist()


inside = tf.function(lambda x: tf.gradients(tf.reduce_sum(x**3), [x])[0])
results["gradients"] = inside(tf.constant([1.0, 2.0])).numpy().tolist()
print(json.dumps(results))
