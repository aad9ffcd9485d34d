"""A double pendulum from its Lagrangian alone: Euler and Lagrange by Hessians and Jacobians."""

import json

import numpy as np
import tensorflow as tf

G = tf.constant(9.81, tf.float64)


def lagrangian(q, qt):
    """Two unit masses on two unit rods: kinetic less potential energy."""
    t1, t2 = tf.unstack(q)
    w1, w2 = tf.unstack(qt)
    kinetic = tf.square(w1) + 0.5 * tf.square(w2) + w1 * w2 * tf.cos(t1 - t2)
    potential = -G * (2.0 * tf.cos(t1) + tf.cos(t2))
    return kinetic - potential


@tf.function
def acceleration(state):
    q, qt = state[:2], state[2:]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([q, qt])
        with tf.GradientTape() as inner:
            inner.watch([q, qt])
            value = lagrangian(q, qt)
        by_q, by_qt = inner.gradient(value, [q, qt])
    hessian = outer.jacobian(by_qt, qt)
    mixed = outer.jacobian(by_qt, q)
    del outer
    right = by_q - tf.linalg.matvec(mixed, qt)
    solved = tf.linalg.solve(hessian, right[:, tf.newaxis])[:, 0]
    return tf.concat([qt, solved], 0)


def runge_kutta(state, step):
    k1 = acceleration(state)
    k2 = acceleration(state + 0.5 * step * k1)
    k3 = acceleration(state + 0.5 * step * k2)
    k4 = acceleration(state + step * k3)
    return state + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def energy(state):
    q, qt = state[:2], state[2:]
    with tf.GradientTape() as tape:
        tape.watch(qt)
        value = lagrangian(q, qt)
    return tf.reduce_sum(tape.gradient(value, qt) * qt) - value


state = tf.constant([1.2, -0.4, 0.0, 0.3], tf.float64)
states, energies = [state.numpy().tolist()], [energy(state).numpy().item()]
for _ in range(6):
    state = runge_kutta(state, tf.constant(0.05, tf.float64))
    states.append(state.numpy().tolist())
    energies.append(energy(state).numpy().item())

# How a start is to be chosen for a wanted end: a gradient through the whole flight.
start = tf.Variable([1.0, 0.5, 0.0, 0.0], dtype=tf.float64)
wanted = tf.constant([0.8, 0.2], tf.float64)
losses = []
for _ in range(3):
    with tf.GradientTape() as tape:
        state = tf.identity(start)
        for _ in range(4):
            state = runge_kutta(state, tf.constant(0.05, tf.float64))
        loss = tf.reduce_sum(tf.square(state[:2] - wanted))
    gradient = tape.gradient(loss, start)
    losses.append(loss.numpy().item())
    start.assign_sub(0.1 * gradient)
with tf.GradientTape() as tape:
    tape.watch(state)
    derivative = acceleration(state)
flow = tape.jacobian(derivative, state)
print(
    json.dumps(
        {
            "states": states,
            "energies": energies,
            "losses": losses,
            "gradient": gradient.numpy().tolist(),
            "eigenvalues": np.sort(np.abs(tf.linalg.eigvals(flow).numpy())).tolist(),
            "conserved": bool(abs(energies[-1] - energies[0]) < 1e-3),
        }
    )
)
