"""Images from images: a U-Net generator with skips, a discriminator of patches, two tapes."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
OUTPUT_CHANNELS, LAMBDA = 3, 100


def downsample(filters, size, apply_batchnorm=True):
    initializer = tf.random_normal_initializer(0.0, 0.02, seed=filters)
    result = tf.keras.Sequential()
    result.add(
        tf.keras.layers.Conv2D(
            filters, size, strides=2, padding="same", kernel_initializer=initializer, use_bias=False
        )
    )
    if apply_batchnorm:
        result.add(tf.keras.layers.BatchNormalization())
    result.add(tf.keras.layers.LeakyReLU())
    return result


def upsample(filters, size, apply_dropout=False):
    initializer = tf.random_normal_initializer(0.0, 0.02, seed=filters + 1)
    result = tf.keras.Sequential()
    result.add(
        tf.keras.layers.Conv2DTranspose(
            filters, size, strides=2, padding="same", kernel_initializer=initializer, use_bias=False
        )
    )
    result.add(tf.keras.layers.BatchNormalization())
    if apply_dropout:
        result.add(tf.keras.layers.Dropout(0.5))
    result.add(tf.keras.layers.ReLU())
    return result


def Generator():
    inputs = tf.keras.layers.Input(shape=[16, 16, 3])
    down_stack = [downsample(8, 4, apply_batchnorm=False), downsample(12, 4), downsample(16, 4)]
    up_stack = [upsample(12, 4, apply_dropout=True), upsample(8, 4)]
    last = tf.keras.layers.Conv2DTranspose(
        OUTPUT_CHANNELS,
        4,
        strides=2,
        padding="same",
        activation="tanh",
        kernel_initializer=tf.random_normal_initializer(0.0, 0.02, seed=77),
    )
    x = inputs
    skips = []
    for down in down_stack:
        x = down(x)
        skips.append(x)
    skips = reversed(skips[:-1])
    for up, skip in zip(up_stack, skips):
        x = up(x)
        x = tf.keras.layers.Concatenate()([x, skip])
    x = last(x)
    return tf.keras.Model(inputs=inputs, outputs=x)


def Discriminator():
    initializer = tf.random_normal_initializer(0.0, 0.02, seed=5)
    inp = tf.keras.layers.Input(shape=[16, 16, 3], name="input_image")
    tar = tf.keras.layers.Input(shape=[16, 16, 3], name="target_image")
    x = tf.keras.layers.concatenate([inp, tar])
    down = downsample(8, 4, False)(x)
    pad = tf.keras.layers.ZeroPadding2D()(down)
    conv = tf.keras.layers.Conv2D(12, 4, strides=1, kernel_initializer=initializer, use_bias=False)(
        pad
    )
    normed = tf.keras.layers.BatchNormalization()(conv)
    leaky = tf.keras.layers.LeakyReLU()(normed)
    pad = tf.keras.layers.ZeroPadding2D()(leaky)
    last = tf.keras.layers.Conv2D(1, 4, strides=1, kernel_initializer=initializer)(pad)
    return tf.keras.Model(inputs=[inp, tar], outputs=last)


loss_object = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def generator_loss(disc_generated_output, gen_output, target):
    gan_loss = loss_object(tf.ones_like(disc_generated_output), disc_generated_output)
    l1_loss = tf.reduce_mean(tf.abs(target - gen_output))
    return gan_loss + (LAMBDA * l1_loss), gan_loss, l1_loss


def discriminator_loss(disc_real_output, disc_generated_output):
    real_loss = loss_object(tf.ones_like(disc_real_output), disc_real_output)
    generated_loss = loss_object(tf.zeros_like(disc_generated_output), disc_generated_output)
    return real_loss + generated_loss


def random_jitter(input_image, real_image):
    input_image = tf.image.resize(
        input_image, [18, 18], method=tf.image.ResizeMethod.NEAREST_NEIGHBOR
    )
    real_image = tf.image.resize(
        real_image, [18, 18], method=tf.image.ResizeMethod.NEAREST_NEIGHBOR
    )
    stacked = tf.stack([input_image, real_image], axis=0)
    cropped = tf.image.random_crop(stacked, size=[2, 16, 16, 3])
    input_image, real_image = cropped[0], cropped[1]
    if tf.random.uniform(()) > 0.5:
        input_image = tf.image.flip_left_right(input_image)
        real_image = tf.image.flip_left_right(real_image)
    return input_image / 127.5 - 1, real_image / 127.5 - 1


generator, discriminator = Generator(), Discriminator()
generator_optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
discriminator_optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
images = rng.integers(0, 256, size=(4, 16, 16, 3)).astype(np.float32)


@tf.function
def train_step(input_image, target):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        gen_output = generator(input_image, training=True)
        disc_real_output = discriminator([input_image, target], training=True)
        disc_generated_output = discriminator([input_image, gen_output], training=True)
        gen_total_loss, gen_gan_loss, gen_l1_loss = generator_loss(
            disc_generated_output, gen_output, target
        )
        disc_loss = discriminator_loss(disc_real_output, disc_generated_output)
    generator_gradients = gen_tape.gradient(gen_total_loss, generator.trainable_variables)
    discriminator_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(generator_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(
        zip(discriminator_gradients, discriminator.trainable_variables)
    )
    return gen_total_loss, gen_gan_loss, gen_l1_loss, disc_loss


jittered = [random_jitter(image, 255.0 - image) for image in images]
losses = []
for _ in range(2):
    for input_image, target in jittered[:2]:
        step = train_step(input_image[tf.newaxis], target[tf.newaxis])
        losses.append([value.numpy().item() for value in step])
print(
    json.dumps(
        {
            "losses": losses,
            "parameters": [generator.count_params(), discriminator.count_params()],
            "jittered": jittered[0][0].numpy()[0, :3].tolist(),
            "patches": list(discriminator([input_image[None], target[None]]).shape),
        }
    )
)
