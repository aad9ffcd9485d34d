"""Hamiltonian Monte Carlo on a banana-shaped density: leapfrog steps from a tape."""

import json

import tensorflow as tf

tf.random.set_seed(2)
STEP, LEAPS = 0.15, 6


def log_density(q):
    x, y = q[..., 0], q[..., 1]
    return -0.5 * x**2 - 2.0 * (y - 0.5 * x**2) ** 2


def gradient(q):
    with tf.GradientTape() as tape:
        tape.watch(q)
        value = log_density(q)
    return value, tape.gradient(value, q)


def leapfrog(q, p):
    _, slope = gradient(q)
    p = p + 0.5 * STEP * slope
    for i in tf.range(LEAPS):
        q = q + STEP * p
        value, slope = gradient(q)
        p = p + (STEP if i < LEAPS - 1 else 0.5 * STEP) * slope
    return q, p, value


chains = tf.zeros([6, 2])
energies, accepted, trace = [], [], []
for _ in range(10):
    momentum = tf.random.normal(tf.shape(chains))
    start = log_density(chains) - 0.5 * tf.reduce_sum(momentum**2, axis=-1)
    proposal, p, value = leapfrog(chains, momentum)
    end = value - 0.5 * tf.reduce_sum(p**2, axis=-1)
    log_accept = tf.minimum(0.0, end - start)
    accept = tf.math.log(tf.random.uniform(tf.shape(log_accept))) < log_accept
    chains = tf.where(accept[:, tf.newaxis], proposal, chains)
    energies.append(tf.reduce_mean(start).numpy().item())
    accepted.append(int(tf.math.count_nonzero(accept)))
    trace.append(chains[0].numpy().tolist())

# The volume of phase space is kept: the Jacobian of a leapfrog step has determinant 1.
state = tf.constant([0.3, -0.2, 0.5, 1.0], tf.float64)
STEP = tf.constant(0.15, tf.float64)
with tf.GradientTape() as tape:
    tape.watch(state)
    q, p, _ = leapfrog(state[:2], state[2:])
    end = tf.concat([q, p], axis=0)
jacobian = tape.jacobian(end, state)
print(
    json.dumps(
        {
            "energies": energies,
            "accepted": accepted,
            "trace": trace,
            "determinant": tf.linalg.det(jacobian).numpy().item(),
            "jacobian": jacobian.numpy().tolist(),
        }
    )
)
