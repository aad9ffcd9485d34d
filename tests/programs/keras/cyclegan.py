"""Two generators, two discriminators, one persistent tape: cycle and identity losses."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(19)
rng = np.random.default_rng(19)
LAMBDA = 10


class InstanceNormalization(tf.keras.layers.Layer):
    """Each image and channel by its own mean and variance."""

    def __init__(self, epsilon=1e-5):
        super().__init__()
        self.epsilon = epsilon

    def build(self, input_shape):
        self.scale = self.add_weight(
            name="scale",
            shape=input_shape[-1:],
            initializer=tf.keras.initializers.RandomNormal(1.0, 0.02, seed=3),
            trainable=True,
        )
        self.offset = self.add_weight(
            name="offset", shape=input_shape[-1:], initializer="zeros", trainable=True
        )

    def call(self, x):
        mean, variance = tf.nn.moments(x, axes=[1, 2], keepdims=True)
        inv = tf.math.rsqrt(variance + self.epsilon)
        normalized = (x - mean) * inv
        return self.scale * normalized + self.offset


def conv(filters, seed, strides=1, transpose=False, **options):
    kind = tf.keras.layers.Conv2DTranspose if transpose else tf.keras.layers.Conv2D
    initializer = tf.keras.initializers.RandomNormal(0.0, 0.1, seed=seed)
    return kind(filters, 3, strides, padding="same", kernel_initializer=initializer, **options)


def residual(x, filters, seed):
    y = InstanceNormalization()(conv(filters, seed)(x))
    y = tf.keras.layers.ReLU()(y)
    y = InstanceNormalization()(conv(filters, seed + 1)(y))
    return tf.keras.layers.Add()([x, y])


def make_generator(seed):
    inputs = tf.keras.Input([8, 8, 3])
    x = conv(6, seed, 2)(inputs)
    x = tf.keras.layers.Activation("relu")(InstanceNormalization()(x))
    x = residual(x, 6, seed + 1)
    x = conv(6, seed + 3, 2, transpose=True)(x)
    x = tf.keras.layers.Activation("relu")(InstanceNormalization()(x))
    outputs = conv(3, seed + 4, activation="tanh")(x)
    return tf.keras.Model(inputs, outputs)


def make_discriminator(seed):
    return tf.keras.Sequential(
        [
            tf.keras.Input([8, 8, 3]),
            conv(6, seed, 2),
            tf.keras.layers.LeakyReLU(negative_slope=0.2),
            conv(8, seed + 1, 2),
            InstanceNormalization(),
            tf.keras.layers.LeakyReLU(negative_slope=0.2),
            conv(1, seed + 2),
        ]
    )


generator_g, generator_f = make_generator(1), make_generator(11)
discriminator_x, discriminator_y = make_discriminator(21), make_discriminator(31)
models = [generator_g, generator_f, discriminator_x, discriminator_y]
optimizers = [tf.keras.optimizers.Adam(2e-3, beta_1=0.5) for _ in models]
loss_obj = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def discriminator_loss(real, generated):
    real_loss = loss_obj(tf.ones_like(real), real)
    generated_loss = loss_obj(tf.zeros_like(generated), generated)
    return (real_loss + generated_loss) * 0.5


def generator_loss(generated):
    return loss_obj(tf.ones_like(generated), generated)


def cycle_loss(real_image, cycled_image):
    return LAMBDA * tf.reduce_mean(tf.abs(real_image - cycled_image))


@tf.function
def train_step(real_x, real_y):
    with tf.GradientTape(persistent=True) as tape:
        fake_y = generator_g(real_x, training=True)
        cycled_x = generator_f(fake_y, training=True)
        fake_x = generator_f(real_y, training=True)
        cycled_y = generator_g(fake_x, training=True)
        same_x = generator_f(real_x, training=True)
        same_y = generator_g(real_y, training=True)
        gen_g_loss = generator_loss(discriminator_y(fake_y, training=True))
        gen_f_loss = generator_loss(discriminator_x(fake_x, training=True))
        total_cycle = cycle_loss(real_x, cycled_x) + cycle_loss(real_y, cycled_y)
        losses = [
            gen_g_loss + total_cycle + 0.5 * cycle_loss(real_y, same_y),
            gen_f_loss + total_cycle + 0.5 * cycle_loss(real_x, same_x),
            discriminator_loss(
                discriminator_x(real_x, training=True), discriminator_x(fake_x, training=True)
            ),
            discriminator_loss(
                discriminator_y(real_y, training=True), discriminator_y(fake_y, training=True)
            ),
        ]
    for model, optimizer, loss in zip(models, optimizers, losses):
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return losses


horses = tf.constant(rng.uniform(-1, 1, size=(3, 2, 8, 8, 3)).astype(np.float32))
zebras = tf.constant(rng.uniform(-1, 1, size=(3, 2, 8, 8, 3)).astype(np.float32))
dataset = tf.data.Dataset.zip(
    (tf.data.Dataset.from_tensor_slices(horses), tf.data.Dataset.from_tensor_slices(zebras))
)
history = [[loss.numpy().item() for loss in train_step(x, y)] for x, y in dataset]
print(
    json.dumps(
        {
            "history": history,
            "image": generator_g(horses[0], training=False).numpy()[0, 0, :3].tolist(),
            "iterations": [int(optimizer.iterations) for optimizer in optimizers],
        }
    )
)
