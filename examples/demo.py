"""A tour of gradtape in half a minute: derivatives, why one is missing, a network that learns.

    python examples/demo.py [PAGE]

Everything but the explanations and the data set is plain TensorFlow 2: with `import tensorflow as
tf` it runs the same. The tape of the loss is written as a page, tape.html unless another is named.
"""

import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import gradtape as tf
from gradtape.datasets import digits

EPOCHS = 6
BATCH = 32
LEARNING_RATE = 0.1
MOMENTUM = 0.9


def show_gradient():
    print("The gradient of x**2 at x = 3")
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x**2
    print("   dy/dx =", tape.gradient(y, x))


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


def show_missing_gradient():
    print("\nA gradient that is None. The tape says why:")
    w = tf.Variable(2.0, name="w")
    with tf.GradientTape() as tape:
        steps = tf.cast(w * 1.5, tf.int32)
        loss = tf.cast(steps, tf.float32) ** 2
    print(indented(tape.explain(loss, w)))


def show_nan():
    print("\nA gradient that is NaN. The tape says where it came from:")
    x = tf.Variable([0.0, 0.0], name="x")
    with tf.GradientTape(persistent=True) as tape:
        length = tf.sqrt(tf.reduce_sum(x**2))
    print("   d length/dx =", tape.gradient(length, x).numpy())
    print(indented(tape.find_nonfinite(length, x)))


def indented(text):
    return "\n".join(f"   {line}".rstrip() for line in str(text).splitlines())


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


def loss_of(network, images, labels):
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=network(images))
    )


def accuracy(network, images, labels):
    predicted = tf.argmax(network(tf.constant(images)), axis=1)
    return float(np.mean(predicted.numpy() == labels))


class Curve:
    """The losses of all steps as a curve: drawn again and again in a terminal, else once."""

    ROWS, COLUMNS = 8, 64
    BLOCKS = " ▁▂▃▄▅▆▇█"

    def __init__(self):
        self.losses = []
        self.is_live = sys.stdout.isatty()
        self.drawn = 0.0

    def add(self, loss):
        self.losses.append(loss)
        if self.is_live and time.perf_counter() > self.drawn + 0.05:
            self.draw()
            print(f"\x1b[{self.ROWS + 1}A", end="")  # back to the first line
            self.drawn = time.perf_counter()

    def draw(self):
        parts = np.array_split(np.array(self.losses), min(self.COLUMNS, len(self.losses)))
        means = np.array([part.mean() for part in parts])
        heights = means / means.max() * self.ROWS * 8
        for row in reversed(range(self.ROWS)):
            filled = np.clip(heights - row * 8, 0, 8).astype(int)
            print("   │" + "".join(self.BLOCKS[level] for level in filled))
        print("   └" + "─" * self.COLUMNS + f" loss {means[-1]:.4f}  ")


def train(page):
    print("\nA small convolutional network learns handwritten digits, with nothing but a tape")
    (x_train, y_train), (x_test, y_test) = load()
    random = np.random.default_rng(0)
    network = Network(random)
    velocities = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in network.variables]
    parameters = sum(int(tf.size(v)) for v in network.variables)
    print(f"   {len(x_train)} training images, {len(x_test)} test images, {parameters} parameters")

    curve = Curve()
    start = time.perf_counter()
    for epoch in range(EPOCHS):
        order = random.permutation(len(x_train))
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            images, labels = tf.constant(x_train[batch]), tf.constant(y_train[batch])
            with tf.GradientTape() as tape:
                loss = loss_of(network, images, labels)
            gradients = tape.gradient(loss, network.variables)
            rate = LEARNING_RATE * (1 - epoch / EPOCHS)
            updates = zip(network.variables, velocities, gradients, strict=True)
            for variable, velocity, gradient in updates:
                velocity.assign(MOMENTUM * velocity - rate * gradient)
                variable.assign_add(velocity)
            curve.add(float(loss))
    seconds = time.perf_counter() - start
    curve.draw()
    reached = accuracy(network, x_test, y_test)
    print(f"   Reached {reached:.2%} accuracy on the test images after {seconds:.1f} s.")

    page.parent.mkdir(parents=True, exist_ok=True)
    with tf.GradientTape() as tape:
        loss = loss_of(network, tf.constant(x_test), tf.constant(y_test))
    tape.to_html(page, loss)
    print(f"\nEvery op behind the loss, with shapes, memory and times, is on a page: {page}")


def say_what_is_next():
    print("\nWhat to try next")
    if find_spec("gradtape._native") is None:  # computed by NumPy so far
        print("   make setup, make demo          the same with kernels that are compiled")
    print("   gradtape run your_program.py   run a program written for TensorFlow, unchanged")
    print("   gradtape explain program.py    why its gradients are None")
    print("   gradtape doctor                what is installed, and what computes")
    print("   examples/                      Keras: a CNN, a transformer, GANs, a VAE")


def main():
    show_gradient()
    show_hessian()
    show_missing_gradient()
    show_nan()
    train(Path(sys.argv[1] if len(sys.argv) > 1 else "tape.html"))
    say_what_is_next()


if __name__ == "__main__":
    main()
