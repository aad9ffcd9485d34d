"""CycleGAN's generator and discriminator with tfa's InstanceNormalization, one step at a time."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa
from tensorflow.keras import layers

rng = np.random.RandomState(10)


def conv(x, filters, stride=1):
    x = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    return layers.LeakyReLU(0.2)(tfa.layers.InstanceNormalization(axis=-1)(x))


def generator():
    inputs = layers.Input((8, 8, 3))
    x = conv(inputs, 4)
    y = conv(x, 4)
    x = layers.add([x, y])
    return tf.keras.Model(inputs, layers.Conv2D(3, 1, activation="tanh")(x))


def discriminator():
    inputs = layers.Input((8, 8, 3))
    return tf.keras.Model(inputs, layers.Conv2D(1, 3, padding="same")(conv(inputs, 4, stride=2)))


G, F, D = generator(), generator(), discriminator()
for m in (G, F, D):
    m.set_weights([w if w.ndim < 2 else rng.normal(0, 0.2, w.shape) for w in m.get_weights()])
opt_g, opt_d = (tf.keras.optimizers.Adam(2e-3, beta_1=0.5) for _ in range(2))
mse = tf.losses.MeanSquaredError()
mae = tf.losses.MeanAbsoluteError()
A = tf.constant(rng.uniform(-1, 1, (2, 8, 8, 3)), tf.float32)
B = tf.constant(rng.uniform(-1, 1, (2, 8, 8, 3)), tf.float32)


@tf.function
def step():
    with tf.GradientTape() as t:
        A2B = G(A, training=True)
        A2B2A = F(A2B, training=True)
        logits = D(A2B, training=True)
        g_loss = mse(tf.ones_like(logits), logits) + 10.0 * mae(A, A2B2A)
    variables = G.trainable_variables + F.trainable_variables
    opt_g.apply_gradients(zip(t.gradient(g_loss, variables), variables))
    with tf.GradientTape() as t:
        real, fake = D(B, training=True), D(A2B, training=True)
        d_loss = mse(tf.ones_like(real), real) + mse(tf.zeros_like(fake), fake)
    opt_d.apply_gradients(zip(t.gradient(d_loss, D.trainable_variables), D.trainable_variables))
    return g_loss, d_loss


log = [[float(v) for v in step()] for _ in range(3)]
print(json.dumps({"log": log, "names": len(G.trainable_variables)}))
