"""Gaussian process regression with psd_kernels: amplitude, length and noise are fitted."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfk = tfp.distributions, tfp.math.psd_kernels
rng = np.random.default_rng(5)
index = np.sort(rng.uniform(-1, 1, (20, 1)), axis=0)
observed = np.sin(4 * index[:, 0]) + 0.1 * rng.normal(size=20)

positive = tfp.bijectors.Softplus()
amplitude, length, noise = (
    tfp.util.TransformedVariable(np.float64(v), positive, name=n)
    for v, n in ((1.0, "amplitude"), (0.5, "length"), (0.1, "noise"))
)
kernel = tfk.ExponentiatedQuadratic(amplitude, length)
gp = tfd.GaussianProcess(kernel, index, observation_noise_variance=noise)
losses = []
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = -gp.log_prob(observed)
    for v, g in zip(gp.trainable_variables, tape.gradient(loss, gp.trainable_variables)):
        v.assign_sub(0.01 * g)
    losses.append(float(loss))
at = np.linspace(-1, 1, 5)[:, None]
posterior = tfd.GaussianProcessRegressionModel(
    kernel, at, index, observed, observation_noise_variance=noise
)
matern = tfk.MaternFiveHalves(np.float64(1.0), np.float64(0.4))
print(
    json.dumps(
        {
            "losses": losses,
            "mean": posterior.mean().numpy().tolist(),
            "stddev": posterior.stddev().numpy().tolist(),
            "matern": matern.matrix(at, at).numpy()[0].tolist(),
            "sum": (kernel + matern).apply(at[0], at[1]).numpy().tolist(),
        }
    )
)
