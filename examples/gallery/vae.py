"""A variational autoencoder: handwritten digits on a map with two coordinates.

The encoder gives a mean and a width for each image; a draw from there is decoded. The draw is
written as mean + width · noise, so that the gradient goes through it.
"""

import numpy as np
from picture import run

import gradtape as tf
from gradtape.datasets import digits

EPOCHS, BATCH = 60, 64


def main():
    tf.keras.utils.set_random_seed(0)
    (images, labels), _ = digits()
    data = images.reshape(-1, 64).astype("float32") / 16
    layers = tf.keras.layers
    encoder = tf.keras.Sequential(
        [tf.keras.Input((64,)), layers.Dense(96, "relu"), layers.Dense(4)]
    )
    decoder = tf.keras.Sequential(
        [tf.keras.Input((2,)), layers.Dense(96, "relu"), layers.Dense(64)]
    )
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer = tf.keras.optimizers.Adam(3e-3)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            mean, log_width = tf.split(encoder(x), 2, axis=1)
            z = mean + tf.exp(log_width) * tf.random.normal(tf.shape(mean))
            pixels = tf.nn.sigmoid_cross_entropy_with_logits(x, decoder(z))
            distance = mean**2 + tf.exp(2.0 * log_width) - 2.0 * log_width - 1.0
            loss = tf.reduce_mean(tf.reduce_sum(pixels, 1) + 0.5 * tf.reduce_sum(distance, 1))
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    random, losses = np.random.default_rng(0), []
    for _ in range(EPOCHS):
        order = random.permutation(len(data))[: len(data) // BATCH * BATCH].reshape(-1, BATCH)
        losses.append(float(np.mean([step(data[rows]) for rows in order])))

    line = np.linspace(-2, 2, 8, dtype="float32")
    grid = np.stack(np.meshgrid(line, -line), -1).reshape(-1, 2)
    tiles = tf.sigmoid(decoder(grid)).numpy().reshape(8, 8, 8, 8)
    shown = np.pad(tiles, ((0, 0), (0, 0), (1, 1), (1, 1)))  # a line between them
    positions = encoder(data).numpy()[:, :2]
    print(f"negative ELBO: {losses[0]:.1f} → {losses[-1]:.1f} nats")
    return {"losses": losses, "map": shown, "places": positions, "labels": labels}


def draw(figure, result):
    left, right = figure.subplots(1, 2)
    left.scatter(*result["places"].T, c=result["labels"], s=4, cmap="tab10")
    left.set(title="means of the images, by digit", aspect="equal")
    right.imshow(np.concatenate(np.concatenate(result["map"], 1), 1), cmap="gray")
    right.set(title="what the map decodes to", xticks=[], yticks=[])


if __name__ == "__main__":
    run(main, draw)
