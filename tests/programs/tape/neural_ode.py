"""A neural ordinary differential equation: fixed-step Runge-Kutta, gradients by the adjoint."""

import json

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
w1 = tf.Variable(rng.normal(size=(2, 16)) * 0.3, dtype=tf.float32)
w2 = tf.Variable(rng.normal(size=(16, 2)) * 0.3, dtype=tf.float32)
weights = [w1, w2]


def dynamics(state):
    return tf.nn.tanh(state**3 @ w1) @ w2


def rk4_step(function, state, dt):
    k1 = function(*state)
    k2 = function(*[s + dt / 2 * k for s, k in zip(state, k1)])
    k3 = function(*[s + dt / 2 * k for s, k in zip(state, k2)])
    k4 = function(*[s + dt * k for s, k in zip(state, k3)])
    return [s + dt / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4)]


def integrate(function, state, steps, dt):
    for _ in range(steps):
        state = rk4_step(function, state, dt)
    return state


STEPS, DT = 8, 0.125


@tf.custom_gradient
def odeint_adjoint(start):
    (end,) = integrate(lambda s: [dynamics(s)], [start], STEPS, DT)

    def backward(grad_end, variables=None):
        def augmented(state, adjoint, *_):
            with tf.GradientTape() as tape:
                tape.watch(state)
                slope = dynamics(state)
            vjps = tape.gradient(slope, [state, *variables], output_gradients=-adjoint)
            return [slope, *vjps]

        zeros = [tf.zeros_like(v) for v in variables]
        state = integrate(augmented, [end, grad_end, *zeros], STEPS, -DT)
        return state[1], state[2:]

    return end, backward


def plain(start):
    return integrate(lambda s: [dynamics(s)], [start], STEPS, DT)[0]


true_matrix = tf.constant([[-0.1, 2.0], [-2.0, -0.1]])
starts = tf.constant(rng.uniform(-1, 1, (20, 2)), tf.float32)
(targets,) = integrate(lambda s: [(s**3) @ true_matrix], [starts], STEPS, DT)

gradients = {}
for name, solve in (("adjoint", odeint_adjoint), ("plain", plain)):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(solve(starts) - targets))
    gradients[name] = tape.gradient(loss, weights)
agree = max(
    float(tf.reduce_max(tf.abs(a - p))) for a, p in zip(gradients["adjoint"], gradients["plain"])
)

losses = []
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((odeint_adjoint(starts) - targets) ** 2)
    for v, g in zip(weights, tape.gradient(loss, weights)):
        v.assign_sub(0.5 * g)
    losses.append(loss.numpy().item())
print(
    json.dumps(
        {
            "norms": [tf.norm(g).numpy().item() for g in gradients["adjoint"]],
            "agree": agree < 1e-4,
            "losses": losses,
        }
    )
)
