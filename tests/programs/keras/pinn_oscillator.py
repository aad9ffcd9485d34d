"""A physics-informed network from Keras layers: a damped oscillator and its unknown damping."""

import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(50)
DAMPING, STIFFNESS = 0.4, 4.0
frequency = np.sqrt(STIFFNESS - DAMPING**2 / 4)


def exact(t):
    return np.exp(-DAMPING * t / 2) * np.cos(frequency * t)


t_data = tf.constant(np.linspace(0, 1.5, 12)[:, None], tf.float32)
u_data = tf.constant(exact(np.linspace(0, 1.5, 12))[:, None], tf.float32)
t_physics = tf.constant(np.linspace(0, 3, 30)[:, None], tf.float32)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Input((1,)),
        tf.keras.layers.Rescaling(2 / 3, offset=-1.0),
        tf.keras.layers.Dense(20, activation="tanh"),
        tf.keras.layers.Dense(20, activation=tf.math.sin),
        tf.keras.layers.Dense(1),
    ]
)
damping = tf.Variable(0.0, name="damping")
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01, epsilon=1e-3)


@tf.function
def physics_residual(t):
    with tf.GradientTape() as outer:
        outer.watch(t)
        with tf.GradientTape() as inner:
            inner.watch(t)
            u = model(t)
        u_t = inner.gradient(u, t)
    u_tt = outer.gradient(u_t, t)
    return u_tt + damping * u_t + STIFFNESS * u


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        data_loss = tf.reduce_mean(tf.square(model(t_data) - u_data))
        physics_loss = tf.reduce_mean(tf.square(physics_residual(t_physics)))
        loss = data_loss + 0.05 * physics_loss
    variables = [*model.trainable_variables, damping]
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return data_loss, physics_loss


history = []
for _ in range(12):
    history.append([float(value) for value in train_step()])
with tf.GradientTape() as tape:
    tape.watch(t_data)
    u = model(t_data)
slopes = tape.batch_jacobian(u, t_data)
print(
    json.dumps(
        {
            "history": history,
            "damping": float(damping),
            "u": u[::4, 0].numpy().tolist(),
            "slopes": slopes[::4, 0, 0].numpy().tolist(),
        }
    )
)
