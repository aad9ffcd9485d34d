"""A tour of gradtape in under a minute: derivatives, then a network trained from scratch.

Everything but the data set is plain TensorFlow 2: with `import tensorflow as tf` it runs the same.
"""

import time

import numpy as np

import gradtape as tf
from gradtape.datasets import digits

EPOCHS = 12
BATCH = 32
LEARNING_RATE = 0.1
MOMENTUM = 0.9


def show_gradient():
    print("The gradient of x**2 at x = 3")
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x**2
    print("   dy/dx =", tape.gradient(y, x))


def show_jacobian():
    print("\nThe Jacobian of (a·b, a + sin b) at a = 2, b = 0")
    x = tf.constant([2.0, 0.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        a, b = x[0], x[1]
        y = tf.stack([a * b, a + tf.sin(b)])
    print(tape.jacobian(y, x).numpy())


def show_hessian():
    print("\nThe Hessian of Rosenbrock's function at its minimum, from two nested tapes")
    x = tf.constant([1.0, 1.0], dtype=tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        gradient = inner.gradient(y, x)
    print(outer.jacobian(gradient, x).numpy())


@tf.custom_gradient
def log1pexp(x):
    """log(1 + e^x) with a derivative that does not overflow where e^x does."""
    e = tf.exp(x)

    def gradient(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), gradient


def show_custom_gradient():
    print("\nA custom gradient: d log(1 + e^x) / dx at x = 100, where e^x overflows float32")
    x = tf.constant(100.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        plain = tf.math.log(1 + tf.exp(x))
        custom = log1pexp(x)
    print("   by the chain rule:", tape.gradient(plain, x).numpy())
    print("   custom gradient:  ", tape.gradient(custom, x).numpy())


class Network:
    """A convolution, a pooling layer and two dense layers, made of variables and functions."""

    def __init__(self, random):
        self.filters = tf.Variable(self.start(random, 3, 3, 1, 16), name="filters")
        self.filter_bias = tf.Variable(tf.zeros([16]), name="filter_bias")
        self.hidden = tf.Variable(self.start(random, 4 * 4 * 16, 64), name="hidden")
        self.hidden_bias = tf.Variable(tf.zeros([64]), name="hidden_bias")
        self.output = tf.Variable(self.start(random, 64, 10), name="output")
        self.output_bias = tf.Variable(tf.zeros([10]), name="output_bias")
        self.variables = list(vars(self).values())

    @staticmethod
    def start(random, *shape):
        fan_in = np.prod(shape[:-1])
        return tf.constant(random.normal(0.0, np.sqrt(2 / fan_in), shape), dtype=tf.float32)

    def __call__(self, images):
        x = tf.nn.conv2d(images, self.filters, strides=1, padding="SAME") + self.filter_bias
        x = tf.nn.max_pool2d(tf.nn.relu(x), ksize=2, strides=2, padding="SAME")
        x = tf.reshape(x, [-1, 4 * 4 * 16])
        x = tf.nn.relu(x @ self.hidden + self.hidden_bias)
        return x @ self.output + self.output_bias


def load():
    """Images as float32 between 0 and 1 with a channel axis, labels as int32."""
    return [
        (images[..., np.newaxis].astype(np.float32) / 16, labels.astype(np.int32))
        for images, labels in digits()
    ]


def accuracy(network, images, labels):
    predicted = tf.argmax(network(tf.constant(images)), axis=1)
    return float(np.mean(predicted.numpy() == labels))


def train():
    print("\nA small convolutional network learns handwritten digits, with nothing but a tape")
    (x_train, y_train), (x_test, y_test) = load()
    random = np.random.default_rng(0)
    network = Network(random)
    velocities = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in network.variables]
    parameters = sum(int(tf.size(v)) for v in network.variables)
    print(f"   {len(x_train)} training images, {len(x_test)} test images, {parameters} parameters")

    start, reached = time.perf_counter(), 0.0
    for epoch in range(1, EPOCHS + 1):
        losses = []
        order = random.permutation(len(x_train))
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            images, labels = tf.constant(x_train[batch]), tf.constant(y_train[batch])
            with tf.GradientTape() as tape:
                logits = network(images)
                loss = tf.reduce_mean(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
                )
            gradients = tape.gradient(loss, network.variables)
            rate = LEARNING_RATE * (1 - (epoch - 1) / EPOCHS)
            updates = zip(network.variables, velocities, gradients, strict=True)
            for variable, velocity, gradient in updates:
                velocity.assign(MOMENTUM * velocity - rate * gradient)
                variable.assign_add(velocity)
            losses.append(float(loss))
        reached = accuracy(network, x_test, y_test)
        print(f"   epoch {epoch:2}  loss {np.mean(losses):.4f}  test accuracy {reached:.1%}")
    seconds = time.perf_counter() - start
    print(f"\nReached {reached:.2%} accuracy on the test images after {seconds:.1f} s of training.")
    return reached


def main():
    show_gradient()
    show_jacobian()
    show_hessian()
    show_custom_gradient()
    train()


if __name__ == "__main__":
    main()
