"""The DCGAN tutorial in small: transposed convolutions, batch normalization, two optimizers."""

import json

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
images = tf.constant(np.tanh(rng.normal(size=(16, 12, 12, 1))), tf.float32)
NOISE = 10


def make_generator_model():
    model = tf.keras.Sequential()
    model.add(layers.Dense(3 * 3 * 16, use_bias=False, input_shape=(NOISE,)))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((3, 3, 16)))
    model.add(layers.Conv2DTranspose(8, (5, 5), strides=(2, 2), padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(
        layers.Conv2DTranspose(
            1, (5, 5), strides=(2, 2), padding="same", use_bias=False, activation="tanh"
        )
    )
    assert model.output_shape == (None, 12, 12, 1)
    return model


def make_discriminator_model():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(8, (5, 5), strides=(2, 2), padding="same", input_shape=[12, 12, 1]))
    model.add(layers.LeakyReLU())
    model.add(layers.Conv2D(16, (5, 5), strides=(2, 2), padding="same"))
    model.add(layers.LeakyReLU())
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(tf.ones_like(real_output), real_output)
    fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def generator_loss(fake_output):
    return cross_entropy(tf.ones_like(fake_output), fake_output)


generator, discriminator = make_generator_model(), make_discriminator_model()
generator_optimizer = tf.keras.optimizers.SGD(0.02)
discriminator_optimizer = tf.keras.optimizers.SGD(0.02)


@tf.function
def train_step(images, noise):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated_images = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated_images, training=True)
        gen_loss = generator_loss(fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)
    gen_gradients = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))
    return gen_loss, disc_loss


history = []
for step in range(4):
    noise = tf.constant(rng.normal(size=(16, NOISE)), tf.float32)
    history.append([float(loss) for loss in train_step(images, noise)])
picture = generator(tf.ones([1, NOISE]), training=False)
moving = generator.layers[1].moving_mean
print(
    json.dumps(
        {
            "history": history,
            "picture": picture[0, ::4, ::4, 0].numpy().tolist(),
            "moving_mean": moving.numpy()[:4].tolist(),
        }
    )
)
