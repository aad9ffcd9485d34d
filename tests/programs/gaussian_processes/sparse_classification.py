"""A sparse variational classifier: SVGP, Bernoulli likelihood, natural gradients, minibatches."""

import json

import gpflow
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
X = rng.normal(size=(60, 2))
Y = (X[:, :1] ** 2 + X[:, 1:] > 0.5).astype(float)
model = gpflow.models.SVGP(
    kernel=gpflow.kernels.SquaredExponential(lengthscales=[1.0, 1.0]),
    likelihood=gpflow.likelihoods.Bernoulli(),
    inducing_variable=X[:8].copy(),
    num_data=len(X),
)
gpflow.set_trainable(model.q_mu, False)
gpflow.set_trainable(model.q_sqrt, False)
natural = gpflow.optimizers.NaturalGradient(gamma=0.1)
batches = iter(tf.data.Dataset.from_tensor_slices((X, Y)).repeat().batch(20))
losses = []
for _ in range(4):
    batch = next(batches)
    closure = model.training_loss_closure(batch, compile=False)
    natural.minimize(closure, [(model.q_mu, model.q_sqrt)])
    with tf.GradientTape() as tape:
        loss = model.training_loss(batch)
    for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
        v.assign_sub(0.01 * g)
    losses.append(float(loss))
probability, _ = model.predict_y(X[:4])
print(
    json.dumps(
        {
            "losses": losses,
            "elbo": float(model.elbo((X, Y))),
            "probability": probability.numpy().ravel().tolist(),
            "lengths": model.kernel.lengthscales.numpy().tolist(),
        }
    )
)
