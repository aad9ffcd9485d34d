"""A conditional GAN of which both halves are trained by one optimizer, in turn."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(8)


def dense(inputs, outputs, activation=None):
    kernel = tf.constant_initializer(rng.randn(inputs, outputs) * 0.3)
    return tf.keras.layers.Dense(
        outputs, activation, kernel_initializer=kernel, input_shape=(inputs,)
    )


generator = tf.keras.Sequential([dense(3, 8, "relu"), dense(8, 2)])
critic = tf.keras.Sequential([dense(2, 8, "tanh"), dense(8, 1)])
optimizer = tf.keras.optimizers.legacy.SGD(0.1, momentum=0.5)
noise = tf.constant(rng.randn(16, 3).astype("float32"))
real = tf.constant(rng.randn(16, 2).astype("float32") + 1.0)
cross = tf.nn.sigmoid_cross_entropy_with_logits
history = []
for _ in range(4):
    with tf.GradientTape() as tape:
        good, bad = critic(real), critic(generator(noise))
        loss = tf.reduce_mean(cross(tf.ones_like(good), good) + cross(tf.zeros_like(bad), bad))
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))
    with tf.GradientTape() as tape:
        bad = critic(generator(noise))
        fooled = tf.reduce_mean(cross(tf.ones_like(bad), bad))
    grads = tape.gradient(fooled, generator.trainable_variables)
    optimizer.apply_gradients(zip(grads, generator.trainable_variables))
    history.append([float(loss), float(fooled)])
print(
    json.dumps(
        {
            "history": history,
            "steps": int(optimizer.iterations),
            "sample": generator(noise).numpy()[:3].tolist(),
        }
    )
)
