"""GPflow regression as its first notebook: GPR, Matern52, Scipy's L-BFGS-B, predictions."""

import json

import gpflow
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
X = rng.uniform(0, 1, (25, 1))
Y = np.sin(6 * X) + 0.1 * rng.normal(size=X.shape)
model = gpflow.models.GPR((X, Y), kernel=gpflow.kernels.Matern52(), noise_variance=0.1)
before = float(model.log_marginal_likelihood())
with tf.GradientTape() as tape:
    loss = model.training_loss()
slopes = tape.gradient(loss, model.trainable_variables)
gpflow.optimizers.Scipy().minimize(
    model.training_loss, model.trainable_variables, options=dict(maxiter=8)
)
after = float(model.log_marginal_likelihood())
mean, variance = model.predict_f(np.linspace(0, 1, 5)[:, None])
print(
    json.dumps(
        {
            "before": before,
            "slopes": [float(g) for g in slopes],
            "after": after,
            "mean": mean.numpy().ravel().tolist(),
            "variance": variance.numpy().ravel().tolist(),
            "names": sorted(gpflow.utilities.parameter_dict(model)),
        }
    )
)
