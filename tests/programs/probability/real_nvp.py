"""A RealNVP flow of tfb couplings with networks of our own, trained by maximum likelihood."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
rng = np.random.default_rng(2)
angles = rng.uniform(0, np.pi, 40)
data = np.stack([np.cos(angles), np.sin(angles)], 1) + 0.05 * rng.normal(size=(40, 2))
data = tf.constant(data, tf.float32)


class Coupling(tf.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.w1 = tf.Variable(rng.normal(size=(1, hidden)), dtype=tf.float32)
        self.b1 = tf.Variable(tf.zeros(hidden))
        self.w2 = tf.Variable(rng.normal(scale=0.1, size=(hidden, 2)), dtype=tf.float32)

    def __call__(self, x, output_units, **condition):
        h = tf.tanh(x @ self.w1 + self.b1) @ self.w2
        shift, log_scale = tf.split(h, 2, axis=-1)
        return shift, tf.tanh(log_scale)


networks = [Coupling() for _ in range(3)]
chain = []
for network in networks:
    chain.append(tfb.RealNVP(num_masked=1, shift_and_log_scale_fn=network))
    chain.append(tfb.Permute([1, 0]))
flow = tfd.TransformedDistribution(
    distribution=tfd.MultivariateNormalDiag(loc=[0.0, 0.0]), bijector=tfb.Chain(chain[:-1])
)
variables = [v for network in networks for v in network.trainable_variables]
losses = []
for _ in range(6):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(flow.log_prob(data))
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.05 * g)
    losses.append(float(loss))
samples = flow.sample(3, seed=(1, 2))
back = flow.bijector.inverse(flow.bijector.forward(tf.identity(data[:2])))
print(
    json.dumps(
        {
            "losses": losses,
            "samples": samples.numpy().tolist(),
            "round_trip": bool(np.allclose(back, data[:2], atol=1e-4)),
        }
    )
)
