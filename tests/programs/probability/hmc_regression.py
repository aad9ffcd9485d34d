"""Bayesian regression: a joint distribution, HMC with a transformed kernel, summaries."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
rng = np.random.default_rng(3)
x = rng.normal(size=(30, 2)).astype(np.float32)
y = (x @ [1.5, -0.7] + 0.3 + 0.2 * rng.normal(size=30)).astype(np.float32)

model = tfd.JointDistributionNamedAutoBatched(
    dict(
        weights=tfd.Sample(tfd.Normal(0.0, 1.0), 2),
        bias=tfd.Normal(0.0, 1.0),
        noise=tfd.HalfNormal(1.0),
        y=lambda weights, bias, noise: tfd.Independent(
            tfd.Normal(tf.linalg.matvec(x, weights) + bias, noise), 1
        ),
    )
)


def target(weights, bias, noise):
    return model.log_prob(weights=weights, bias=bias, noise=noise, y=y)


kernel = tfp.mcmc.TransformedTransitionKernel(
    tfp.mcmc.HamiltonianMonteCarlo(target, step_size=0.03, num_leapfrog_steps=4),
    bijector=[tfb.Identity(), tfb.Identity(), tfb.Exp()],
)


def sample():
    return tfp.mcmc.sample_chain(
        num_results=8,
        num_burnin_steps=2,
        current_state=[tf.zeros(2), tf.zeros([]), tf.ones([])],
        kernel=kernel,
        trace_fn=lambda _, r: r.inner_results.is_accepted,
        seed=[4, 5],
    )


(weights, bias, noise), accepted = sample()
with tf.GradientTape() as tape:
    point = [tf.constant([1.0, -1.0]), tf.constant(0.1), tf.constant(0.5)]
    tape.watch(point)
    value = target(*point)
slopes = tape.gradient(value, point)
print(
    json.dumps(
        {
            "weights": weights.numpy().tolist(),
            "noise": noise.numpy().tolist(),
            "accepted": accepted.numpy().tolist(),
            "value": float(value),
            "slopes": [np.ravel(s).tolist() for s in slopes],
        }
    )
)
