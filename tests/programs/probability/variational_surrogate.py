"""Variational inference: a surrogate of TransformedVariables, its ELBO by hand and by tfp.vi."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
rng = np.random.default_rng(6)
counts = rng.poisson(4.0, 25).astype(np.float32)


def target(rate):
    return tfd.Gamma(2.0, 1.0).log_prob(rate) + tf.reduce_sum(
        tfd.Poisson(rate[..., None]).log_prob(counts), -1
    )


loc = tf.Variable(0.5)
scale = tfp.util.TransformedVariable(0.5, tfb.Softplus())
surrogate = tfd.TransformedDistribution(tfd.Normal(loc, scale), tfb.Exp())
variables = surrogate.trainable_variables
losses = []
for step in range(8):
    with tf.GradientTape() as tape:
        loss = tfp.vi.monte_carlo_variational_loss(
            target, surrogate, sample_size=6, seed=[step, 11]
        )
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.003 * g)
    losses.append(float(loss))
exact = tfd.Gamma(2.0 + counts.sum(), 1.0 + len(counts))
samples = surrogate.sample(4, seed=[1, 1])
by_hand = tf.reduce_mean(surrogate.log_prob(samples) - target(samples))
print(
    json.dumps(
        {
            "losses": losses,
            "by_hand": float(by_hand),
            "exact": [float(exact.mean()), float(exact.stddev())],
            "median": float(surrogate.quantile(0.5)),
        }
    )
)
