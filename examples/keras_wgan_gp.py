"""A Wasserstein GAN with gradient penalty: the critic's loss holds a gradient of its own.

The critic's mean difference between real and made points estimates their distance, which falls as
the generator learns.
"""

import numpy as np
from keras_gan import BATCH, NOISE, distance_from_ring, network, ring

import gradtape as tf
from gradtape import keras

CRITIC_STEPS, PENALTY = 2, 1.0


class Wgan(keras.Model):
    """Trains a generator and a critic together."""

    def __init__(self):
        super().__init__()
        self.generator, self.critic = network(NOISE, 2), network(2, 1)
        self.distance = keras.metrics.Mean(name="distance")

    def compile(self):
        super().compile()
        self.generator_optimizer = keras.optimizers.Adam(0.006, beta_1=0.0, beta_2=0.9)
        self.critic_optimizer = keras.optimizers.Adam(0.012, beta_1=0.0, beta_2=0.9)

    @property
    def metrics(self):
        return [self.distance]

    def gradient_penalty(self, real, made):
        """How far the critic's slope between real and made points is from one."""
        share = tf.random.uniform((tf.shape(real)[0], 1))
        between = share * real + (1 - share) * made
        with tf.GradientTape() as tape:
            tape.watch(between)
            judged = self.critic(between)
        slope = tf.norm(tape.gradient(judged, between), axis=1)
        return tf.reduce_mean((slope - 1.0) ** 2)

    def train_step(self, real):
        real = tf.convert_to_tensor(real)
        distance = tf.constant(0.0)
        for _ in range(CRITIC_STEPS):
            made = self.generator(tf.random.normal((tf.shape(real)[0], NOISE)))
            with tf.GradientTape() as tape:
                distance = tf.reduce_mean(self.critic(real)) - tf.reduce_mean(self.critic(made))
                loss = -distance + PENALTY * self.gradient_penalty(real, made)
            weights = self.critic.trainable_variables
            self.critic_optimizer.apply(tape.gradient(loss, weights), weights)
        with tf.GradientTape() as tape:
            made = self.generator(tf.random.normal((tf.shape(real)[0], NOISE)))
            loss = -tf.reduce_mean(self.critic(made))
        weights = self.generator.trainable_variables
        self.generator_optimizer.apply(tape.gradient(loss, weights), weights)
        self.distance.update_state(distance)
        return {"distance": self.distance.result()}


def main(epochs=12, verbose=2):
    keras.utils.set_random_seed(6)
    model = Wgan()
    model.compile()
    trial = tf.random.normal((500, NOISE))
    left = [distance_from_ring(model.generator(trial).numpy())]
    x = ring(20 * BATCH, np.random.default_rng(6))
    history = model.fit(x, batch_size=BATCH, epochs=epochs, verbose=verbose)
    left.append(distance_from_ring(model.generator(trial).numpy()))
    print("distance of made points from the ring: {:.3f}, then {:.3f}".format(*left))
    return history.history["distance"], left


if __name__ == "__main__":
    main()
