"""The workloads as a TensorFlow 2 program: `with_tape.py MODULE WORKLOAD`.

The same file runs for gradtape and for TensorFlow; only the imported module differs.
"""

import importlib
import sys

import mlp
from timing import report, seconds_per_call

tf = importlib.import_module(sys.argv[1])


def square():
    x = tf.Variable(3.0)

    def step():
        with tf.GradientTape() as tape:
            y = x**2
        return tape.gradient(y, x)

    return step, float(step())


def chain():
    x = tf.Variable(0.7)

    def step():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(50):  # four operations each time
                y = tf.sin((y * 1.1 + 0.3) * x)
        return tape.gradient(y, x)

    return step, float(step())


def mlp_step():
    images, labels = map(tf.constant, mlp.data())
    w1, b1, w2, b2, w3, b3 = variables = [tf.Variable(array) for array in mlp.parameters()]

    def step():
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(images @ w1 + b1)
            hidden = tf.nn.relu(hidden @ w2 + b2)
            logits = hidden @ w3 + b3
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, variables)
        for variable, gradient in zip(variables, gradients, strict=True):
            variable.assign_sub(mlp.LEARNING_RATE * gradient)
        return loss

    for _ in range(mlp.CHECKED_STEPS):
        loss = step()
    return step, float(loss)


if __name__ == "__main__":
    step, check = {"square": square, "chain": chain, "mlp": mlp_step}[sys.argv[2]]()
    report(tf.__version__, seconds_per_call(step), check)
