"""Learning to learn (MAML): weights from which one gradient step fits any sine wave.

The loss is that after a step of gradient descent on five points. Its gradient goes through that
step, and so through a gradient: tapes nest, and `tf.vmap` takes a whole batch of tasks at once.
"""

import numpy as np
from picture import run

import gradtape as tf

WIDTH, RATE, TASKS, STEPS = 32, 0.1, 16, 400


def network(w, x):
    for kernel, bias in zip(w[0::2], w[1::2], strict=True):
        x = x @ kernel + bias
        if kernel.shape[1] > 1:
            x = tf.tanh(x)
    return x


def loss(w, x, y):
    return tf.reduce_mean((network(w, x) - y) ** 2)


def adapted(w, x, y):
    """The weights after one step on the points of a task."""
    gradients = tf.grad(loss)(w, x, y)
    return [a - RATE * g for a, g in zip(w, gradients, strict=True)]


def tasks(random, count):
    """Sine waves of random height and phase: ten points each, five to learn from."""
    height = random.uniform(0.5, 2.0, (count, 1, 1))
    phase = random.uniform(0, np.pi, (count, 1, 1))
    x = random.uniform(-3, 3, (count, 10, 1))
    y = height * np.sin(x + phase)
    return (a.astype("float32") for a in (x[:, :5], y[:, :5], x[:, 5:], y[:, 5:]))


def main():
    tf.random.set_seed(0)
    random = np.random.default_rng(0)
    weights = []
    for rows, columns in [(1, WIDTH), (WIDTH, WIDTH), (WIDTH, 1)]:
        weights.append(tf.Variable(tf.random.normal((rows, columns), stddev=rows**-0.5)))
        weights.append(tf.Variable(tf.zeros(columns)))
    optimizer = tf.keras.optimizers.Adam(3e-3)

    @tf.function
    def step(x, y, new_x, new_y):
        with tf.GradientTape() as tape:
            w = [tf.convert_to_tensor(v) for v in weights]
            one = lambda x, y, new_x, new_y: loss(adapted(w, x, y), new_x, new_y)  # noqa: E731
            total = tf.reduce_mean(tf.vmap(one)(x, y, new_x, new_y))
        optimizer.apply_gradients(zip(tape.gradient(total, weights), weights, strict=True))
        return total

    losses = [float(step(*tasks(random, TASKS))) for _ in range(STEPS)]
    start, end = np.mean(losses[:20]), np.mean(losses[-20:])
    print(f"loss after one step of learning: {start:.2f} → {end:.2f}")
    x = np.linspace(-3, 3, 80, dtype="float32")[:, None]
    y = np.sin(x + 1.0)
    w = [tf.convert_to_tensor(v) for v in weights]
    curves = {"a new task": y, "before": network(w, x), "one step": network(adapted(w, x, y), x)}
    return {"losses": losses, "start": start, "end": end, "x": x, "curves": curves}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.plot(result["losses"])
    left.set(title="loss after one step of learning", xlabel="step")
    for name, curve in result["curves"].items():
        right.plot(result["x"], curve, label=name)
    right.legend()


if __name__ == "__main__":
    run(main, draw)
