"""Two networks against each other, each with a tape: points on a ring from plain noise."""

import numpy as np

import gradtape as tf
from gradtape import keras

NOISE, BATCH = 4, 128


def network(inputs, outputs):
    layers = keras.layers
    return keras.Sequential(
        [
            keras.Input((inputs,)),
            layers.Dense(32, activation="leaky_relu"),
            layers.Dense(32, activation="leaky_relu"),
            layers.Dense(outputs),
        ]
    )


def ring(count, random):
    """Points near a circle of radius 1."""
    angle = random.uniform(0, 2 * np.pi, count)
    points = np.stack([np.cos(angle), np.sin(angle)], 1)
    return (points + 0.05 * random.normal(size=points.shape)).astype("float32")


def distance_from_ring(points):
    return float(np.mean(np.abs(np.linalg.norm(points, axis=1) - 1)))


def main(steps=900, verbose=True):
    keras.utils.set_random_seed(4)
    random = np.random.default_rng(4)
    generator, discriminator = network(NOISE, 2), network(2, 1)
    generator_optimizer = keras.optimizers.Adam(0.002, beta_1=0.5)
    discriminator_optimizer = keras.optimizers.Adam(0.004, beta_1=0.5)
    cross_entropy = keras.losses.BinaryCrossentropy(from_logits=True)
    trial = tf.random.normal((500, NOISE))
    distances = [distance_from_ring(generator(trial).numpy())]
    for step in range(1, steps + 1):
        real = ring(BATCH, random)
        noise = tf.random.normal((BATCH, NOISE))
        with tf.GradientTape() as generator_tape, tf.GradientTape() as discriminator_tape:
            made = generator(noise, training=True)
            judged_real = discriminator(real, training=True)
            judged_made = discriminator(made, training=True)
            generator_loss = cross_entropy(tf.ones_like(judged_made), judged_made)
            discriminator_loss = cross_entropy(
                tf.ones_like(judged_real), judged_real
            ) + cross_entropy(tf.zeros_like(judged_made), judged_made)
        for tape, loss, model, optimizer in (
            (generator_tape, generator_loss, generator, generator_optimizer),
            (discriminator_tape, discriminator_loss, discriminator, discriminator_optimizer),
        ):
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        if step % max(steps // 6, 1) == 0:
            distances.append(distance_from_ring(generator(trial).numpy()))
            if verbose:
                print(
                    f"step {step:4}: generator {float(generator_loss):.3f}, discriminator "
                    f"{float(discriminator_loss):.3f}, distance from the ring {distances[-1]:.3f}"
                )
    return distances


if __name__ == "__main__":
    main()
