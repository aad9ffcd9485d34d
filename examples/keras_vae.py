"""A variational autoencoder of handwritten digits, with a training step of its own."""

import numpy as np

import gradtape as tf
from gradtape import keras
from gradtape.datasets import digits

LATENT = 4


class VariationalAutoencoder(keras.Model):
    """Encodes an image as a normal distribution, and decodes a draw from it."""

    def __init__(self):
        super().__init__()
        layers = keras.layers
        self.encoder = keras.Sequential(
            [keras.Input((64,)), layers.Dense(64, activation="relu"), layers.Dense(2 * LATENT)]
        )
        self.decoder = keras.Sequential(
            [keras.Input((LATENT,)), layers.Dense(64, activation="relu"), layers.Dense(64)]
        )
        self.noise = keras.random.SeedGenerator(3)
        self.loss_tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.loss_tracker]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, log_variance = tf.split(self.encoder(data), 2, axis=1)
            noise = keras.random.normal(mean.shape, seed=self.noise)
            logits = self.decoder(mean + tf.exp(0.5 * log_variance) * noise)
            reconstruction = tf.nn.sigmoid_cross_entropy_with_logits(data, logits)
            divergence = tf.exp(log_variance) + mean**2 - 1 - log_variance
            loss = tf.reduce_mean(
                tf.reduce_sum(reconstruction, 1) + 0.5 * tf.reduce_sum(divergence, 1)
            )
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights, strict=True))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def draw(self, count):
        latent = keras.random.normal((count, LATENT), seed=self.noise)
        return tf.sigmoid(self.decoder(latent)).numpy().reshape(count, 8, 8)


def picture(images):
    """Images side by side, as text."""
    shades = np.array(list(" .:+#@"))
    rows = np.concatenate(list(images), axis=1)
    return "\n".join("".join(row) for row in shades[(rows * 5.99).astype(int)].repeat(2, axis=1))


def main(epochs=20, verbose=2):
    keras.utils.set_random_seed(3)
    (x, _), _ = digits()
    model = VariationalAutoencoder()
    model.compile(optimizer=keras.optimizers.Adam(0.005))
    history = model.fit(
        (x / 16).reshape(-1, 64).astype("float32"), epochs=epochs, batch_size=64, verbose=verbose
    )
    print("Digits that nobody wrote:")
    print(picture(model.draw(8)))
    return history.history["loss"]


if __name__ == "__main__":
    main()
