"""A mixture fitted by gradient through TransformedVariables, and responsibilities."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
rng = np.random.default_rng(4)
data = np.concatenate([rng.normal(-2, 0.5, 30), rng.normal(1.5, 1.0, 50)]).astype(np.float32)

logits = tf.Variable(tf.zeros(2))
loc = tf.Variable([-1.0, 1.0])
scale = tfp.util.TransformedVariable([1.0, 1.0], tfb.Softplus())
mixture = tfd.MixtureSameFamily(
    mixture_distribution=tfd.Categorical(logits=logits),
    components_distribution=tfd.Normal(loc=loc, scale=scale),
)
print("trainable:", [v.name for v in mixture.trainable_variables])
losses = []
for _ in range(10):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(mixture.log_prob(data))
    variables = mixture.trainable_variables
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.3 * g)
    losses.append(float(loss))
responsibilities = mixture.posterior_marginal(data[:3]).probs_parameter()
print(
    json.dumps(
        {
            "losses": losses,
            "loc": loc.numpy().tolist(),
            "scale": tf.convert_to_tensor(scale).numpy().tolist(),
            "mean": float(mixture.mean()),
            "cdf": mixture.cdf([0.0, 1.0]).numpy().tolist(),
            "responsibilities": responsibilities.numpy().tolist(),
            "count": len(variables),
        }
    )
)
