"""A physics-informed network in Keras: Burgers' equation, trained by Adam.

u_t + u u_x = (0.05 / π) u_xx begins as -sin πx, and steepens in the middle. The derivatives of the
model by its inputs come from tapes inside of the tape that trains it, all in one `tf.function`.
"""

import math

import numpy as np
from picture import run

import gradtape as tf

VISCOSITY, STEPS = 0.05 / math.pi, 2500


def equation(model, t, x):
    """What the equation leaves: 0 where u satisfies it."""
    with tf.GradientTape(watch_accessed_variables=False) as outer:
        outer.watch(x)
        with tf.GradientTape(watch_accessed_variables=False, persistent=True) as inner:
            inner.watch([t, x])
            u = model(tf.concat([t, x], 1))
        u_t, u_x = inner.gradient(u, t), inner.gradient(u, x)
    return u_t + u * u_x - VISCOSITY * outer.gradient(u_x, x)


def exact(t, x):
    """Cole's and Hopf's formula, by quadrature."""
    z, weight = np.polynomial.hermite.hermgauss(100)
    y = x - 2 * np.sqrt(VISCOSITY * t) * z
    weight = weight * np.exp(-(np.cos(math.pi * y) + 1) / (2 * math.pi * VISCOSITY))
    return -(weight * np.sin(math.pi * y)).sum(1) / weight.sum(1)


def main():
    tf.keras.utils.set_random_seed(0)
    layers = [tf.keras.layers.Dense(24, activation="tanh") for _ in range(4)]
    model = tf.keras.Sequential([tf.keras.Input((2,)), *layers, tf.keras.layers.Dense(1)])
    rate = tf.keras.optimizers.schedules.CosineDecay(5e-3, STEPS)
    optimizer = tf.keras.optimizers.Adam(rate)

    line = tf.linspace(-1.0, 1.0, 64)[:, None]
    start = tf.concat([tf.zeros_like(line), line], 1)
    ends = tf.concat([tf.abs(line), tf.sign(line)], 1)  # times at x = -1 and x = 1

    @tf.function
    def step(t, x):
        with tf.GradientTape() as tape:
            inside = tf.reduce_mean(equation(model, t, x) ** 2)
            at_start = tf.reduce_mean((model(start) + tf.sin(math.pi * line)) ** 2)
            loss = inside + 5.0 * at_start + tf.reduce_mean(model(ends) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply(gradients, model.trainable_variables)
        return loss

    random, losses = np.random.default_rng(0), []
    for _ in range(STEPS):  # new points in each step
        t, x = random.uniform((0, -1), (1, 1), (256, 2)).astype("float32").T
        losses.append(float(step(tf.constant(t[:, None]), tf.constant(x[:, None]))))

    t, x = (tf.reshape(each, (-1, 1)) for each in tf.meshgrid(*[tf.linspace(0.0, 1.0, 60)] * 2))
    solution = tf.reshape(model(tf.concat([t, 2.0 * x - 1.0], 1)), (60, 60)).numpy()
    error = np.abs(solution - exact(t.numpy(), 2 * x.numpy() - 1).reshape(60, 60)).mean()
    print(f"loss {losses[0]:.3g} → {np.mean(losses[-50:]):.2g}, mean error of u: {error:.2g}")
    return {"losses": losses, "solution": solution, "error": error}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.semilogy(result["losses"])
    left.set(title="loss", xlabel="step")
    extent = {"origin": "lower", "extent": (0, 1, -1, 1), "aspect": "auto", "cmap": "RdBu"}
    image = right.imshow(result["solution"], interpolation="bilinear", **extent)
    right.set(title="u(t, x)", xlabel="t", ylabel="x")
    figure.colorbar(image, ax=right)


if __name__ == "__main__":
    run(main, draw)
