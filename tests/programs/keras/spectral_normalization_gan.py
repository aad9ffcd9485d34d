"""A GAN with spectral normalization, hinge losses, several critic steps and averaged weights."""

import json
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(89)
rng = np.random.default_rng(89)
LATENT = 6
real_images = rng.uniform(-1, 1, size=(16, 8, 8, 1)).astype("float32")


class SpectralDense(keras.layers.Layer):
    """A dense layer whose kernel is divided by an estimate of its largest singular value."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(
            shape=(input_shape[-1], self.units), initializer="glorot_normal"
        )
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros")
        self.u = self.add_weight(
            shape=(1, self.units),
            trainable=False,
            name="u",
            initializer=keras.initializers.RandomNormal(seed=4),
        )

    def call(self, inputs, training=False):
        u = tf.convert_to_tensor(self.u)
        v = tf.math.l2_normalize(tf.matmul(u, self.kernel, transpose_b=True))
        u = tf.math.l2_normalize(tf.matmul(v, self.kernel))
        if training:
            self.u.assign(tf.stop_gradient(u))
        sigma = tf.matmul(
            tf.matmul(tf.stop_gradient(v), self.kernel), tf.stop_gradient(u), transpose_b=True
        )
        return tf.matmul(inputs, self.kernel / sigma) + self.bias

    def get_config(self):
        return {**super().get_config(), "units": self.units}


generator = keras.Sequential(
    [
        keras.Input((LATENT,)),
        keras.layers.Dense(2 * 2 * 8),
        keras.layers.Reshape((2, 2, 8)),
        keras.layers.UpSampling2D(),
        keras.layers.Conv2D(8, 3, padding="same", activation="relu"),
        keras.layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh"),
    ]
)
critic = keras.Sequential(
    [
        keras.Input((8, 8, 1)),
        keras.layers.SpectralNormalization(keras.layers.Conv2D(6, 3, strides=2, padding="same")),
        keras.layers.LeakyReLU(negative_slope=0.1),
        keras.layers.Flatten(),
        SpectralDense(8),
        keras.layers.PReLU(),
        SpectralDense(1),
    ]
)


class SNGAN(keras.Model):
    def __init__(self, generator, critic):
        super().__init__()
        self.generator, self.critic = generator, critic
        self.seed_generator = keras.random.SeedGenerator(5)
        self.averaged = [tf.Variable(w) for w in generator.trainable_weights]

    def compile(self, g_optimizer, c_optimizer):
        super().compile()
        self.g_optimizer, self.c_optimizer = g_optimizer, c_optimizer
        self.g_metric = keras.metrics.Mean(name="g_loss")
        self.c_metric = keras.metrics.Mean(name="c_loss")

    @property
    def metrics(self):
        return [self.g_metric, self.c_metric]

    def train_step(self, real):
        size = tf.shape(real)[0]
        for _ in range(2):
            noise = keras.random.normal((4, LATENT), seed=self.seed_generator)
            fake = self.generator(noise, training=True)
            with tf.GradientTape() as tape:
                real_score = self.critic(real, training=True)
                fake_score = self.critic(fake, training=True)
                c_loss = tf.reduce_mean(tf.nn.relu(1.0 - real_score))
                c_loss += tf.reduce_mean(tf.nn.relu(1.0 + fake_score))
            gradients = tape.gradient(c_loss, self.critic.trainable_weights)
            self.c_optimizer.apply_gradients(zip(gradients, self.critic.trainable_weights))
        noise = keras.random.normal((4, LATENT), seed=self.seed_generator)
        with tf.GradientTape() as tape:
            g_loss = -tf.reduce_mean(self.critic(self.generator(noise, training=True)))
        gradients = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(gradients, self.generator.trainable_weights))
        for slow, fast in zip(self.averaged, self.generator.trainable_weights):
            slow.assign(0.9 * slow + 0.1 * fast)
        self.g_metric.update_state(g_loss)
        self.c_metric.update_state(c_loss)
        return {"g_loss": self.g_metric.result(), "c_loss": self.c_metric.result(), "size": size}


gan = SNGAN(generator, critic)
gan.compile(keras.optimizers.Adam(2e-3, 0.5), keras.optimizers.RMSprop(2e-3))
dataset = tf.data.Dataset.from_tensor_slices(real_images).batch(4)
history = gan.fit(dataset, epochs=2, verbose=0)
kernel = critic.layers[3].kernel
with tempfile.TemporaryDirectory() as folder:
    checkpoint = tf.train.Checkpoint(generator=generator, critic=critic, optimizer=gan.g_optimizer)
    path = checkpoint.save(folder + "/ckpt")
    before = generator.get_weights()[0].copy()
    generator.set_weights([np.zeros_like(w) for w in generator.get_weights()])
    checkpoint.restore(path).assert_existing_objects_matched()
    restored = bool(np.array_equal(before, generator.get_weights()[0]))
print(
    json.dumps(
        {
            "g_loss": history.history["g_loss"],
            "c_loss": history.history["c_loss"],
            "size": int(history.history["size"][-1]),
            "norm": tf.norm(kernel).numpy().item(),
            "averaged": gan.averaged[0].numpy()[0, :4].tolist(),
            "restored": restored,
            "image": generator.predict(np.ones((1, LATENT), "float32"), verbose=0)[
                0, 0, :3, 0
            ].tolist(),
        }
    )
)
