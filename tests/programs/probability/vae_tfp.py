"""A VAE with tfd: Independent Bernoulli decoder, diagonal posterior, KL in closed form."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd = tfp.distributions
rng = np.random.default_rng(0)
x = tf.constant(rng.random((16, 12)) > 0.5, tf.float32)


def weights(*sizes):
    out = []
    for n, m in zip(sizes, sizes[1:]):
        out.append(tf.Variable(rng.normal(size=(n, m)) / np.sqrt(n), dtype=tf.float32))
        out.append(tf.Variable(tf.zeros(m)))
    return out


def mlp(ws, h):
    h = tf.nn.elu(h @ ws[0] + ws[1])
    return h @ ws[2] + ws[3]


enc, dec = weights(12, 10, 6), weights(3, 10, 12)
prior = tfd.MultivariateNormalDiag(loc=tf.zeros(3), scale_diag=tf.ones(3))


def posterior(x):
    loc, raw = tf.split(mlp(enc, x), 2, axis=-1)
    return tfd.MultivariateNormalDiag(loc=loc, scale_diag=tf.nn.softplus(raw) + 1e-3)


def likelihood(z):
    return tfd.Independent(tfd.Bernoulli(logits=mlp(dec, z)), reinterpreted_batch_ndims=1)


history = []
for step in range(6):
    with tf.GradientTape() as tape:
        q = posterior(x)
        z = q.sample(seed=[step, 7])
        kl = tfd.kl_divergence(q, prior)
        loss = -tf.reduce_mean(likelihood(z).log_prob(x) - kl)
    variables = enc + dec
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.05 * g)
    history.append([float(loss), float(tf.reduce_mean(kl))])
print(
    json.dumps(
        {"history": history, "mean": likelihood(prior.mean()[None]).mean().numpy()[0].tolist()}
    )
)
