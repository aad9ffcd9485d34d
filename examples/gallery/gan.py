"""A generative adversarial network: noise becomes points on a ring.

The generator makes points of noise; the discriminator tells them from points of the data. Each has
its own loss and its own variables: one persistent tape gives the gradients of both.
"""

import numpy as np
from picture import run

import gradtape as tf

BATCH, STEPS = 128, 600


def ring(random, count):
    angle = random.uniform(0, 2 * np.pi, count)
    radius = random.normal(2.0, 0.1, count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).astype("float32")


def main():
    tf.keras.utils.set_random_seed(0)
    random = np.random.default_rng(0)
    layers = tf.keras.layers
    generator = tf.keras.Sequential(
        [tf.keras.Input((4,)), layers.Dense(48, "relu"), layers.Dense(48, "relu"), layers.Dense(2)]
    )
    discriminator = tf.keras.Sequential(
        [tf.keras.Input((2,)), layers.Dense(48, "gelu"), layers.Dense(48, "gelu"), layers.Dense(1)]
    )
    one = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
    other = tf.keras.optimizers.Adam(2e-3, beta_1=0.5)

    @tf.function
    def step(real, noise):
        with tf.GradientTape(persistent=True) as tape:
            fake = generator(noise)
            says_real, says_fake = discriminator(real), discriminator(fake)
            # softplus(-s) is -log of the probability that s stands for.
            fooled = tf.reduce_mean(tf.nn.softplus(-says_fake))
            noticed = tf.reduce_mean(tf.nn.softplus(-says_real) + tf.nn.softplus(says_fake))
        for loss, model, optimizer in (
            (fooled, generator, one),
            (noticed, discriminator, other),
        ):
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return fooled, noticed

    losses = []
    for _ in range(STEPS):
        noise = random.normal(size=(BATCH, 4)).astype("float32")
        losses.append([float(x) for x in step(ring(random, BATCH), noise)])
    points = generator(random.normal(size=(400, 4)).astype("float32")).numpy()
    radius = np.linalg.norm(points, axis=1)
    print(f"radius of the generated points: {radius.mean():.2f} ± {radius.std():.2f} (2 ± 0.1)")
    return {"losses": losses, "points": points, "data": ring(random, 400), "radius": radius}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.plot(result["losses"], label=["generator", "discriminator"])
    left.set(title="losses", xlabel="step")
    left.legend()
    right.scatter(*result["data"].T, s=6, label="data")
    right.scatter(*result["points"].T, s=6, label="generated")
    right.set(title="points", aspect="equal")
    right.legend(loc="center")


if __name__ == "__main__":
    run(main, draw)
