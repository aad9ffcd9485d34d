"""A Keras regression whose output is a distribution by DistributionLambda-like code in the loss."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd = tfp.distributions
tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(7)
x = np.linspace(-1, 1, 40)[:, None].astype(np.float32)
y = (x + 0.3 * np.abs(x) * rng.normal(size=x.shape)).astype(np.float32)

model = tf.keras.Sequential(
    [tf.keras.Input((1,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(2)]
)
model.set_weights([rng.normal(scale=0.5, size=w.shape) for w in model.get_weights()])


def distribution(params):
    return tfd.Normal(loc=params[..., :1], scale=1e-3 + tf.math.softplus(params[..., 1:]))


def negloglik(y_true, params):
    return -distribution(params).log_prob(y_true)


model.compile(optimizer=tf.keras.optimizers.Adam(0.05), loss=negloglik)
history = model.fit(x, y, epochs=5, batch_size=20, shuffle=False, verbose=0)
yhat = distribution(model(x[::13]))
student = tfd.StudentT(df=4.0, loc=yhat.mean(), scale=yhat.stddev())
print(
    json.dumps(
        {
            "loss": [float(v) for v in history.history["loss"]],
            "mean": yhat.mean().numpy().ravel().tolist(),
            "stddev": yhat.stddev().numpy().ravel().tolist(),
            "interval": yhat.quantile([[0.05], [0.5], [0.95], [0.5]]).numpy().ravel().tolist(),
            "student": student.log_prob(y[::13]).numpy().ravel().tolist(),
        }
    )
)
