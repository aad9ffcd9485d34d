"""One-cycle training with tfa's cyclical schedules and weight normalization."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

rng = np.random.RandomState(20)
x = rng.randn(40, 5).astype("float32")
y = np.sin(x.sum(1, keepdims=True)).astype("float32")
schedules = {
    "triangular": tfa.optimizers.TriangularCyclicalLearningRate(1e-3, 1e-1, step_size=4),
    "triangular2": tfa.optimizers.Triangular2CyclicalLearningRate(1e-3, 1e-1, step_size=4),
    "exponential": tfa.optimizers.ExponentialCyclicalLearningRate(1e-3, 1e-1, 4, gamma=0.9),
    "own": tfa.optimizers.CyclicalLearningRate(
        initial_learning_rate=0.01,
        maximal_learning_rate=0.1,
        step_size=3,
        scale_fn=lambda k: 1 / (2.0 ** (k - 1)),
        scale_mode="cycle",
    ),
}
rates = {name: [float(s(i)) for i in range(12)] for name, s in schedules.items()}

inner = tf.keras.layers.Dense(6, activation="tanh")
normalized = tfa.layers.WeightNormalization(inner, data_init=False)
normalized(x[:1])
normalized.g.assign(np.linspace(0.5, 1.5, 6))
normalized.v.assign(rng.normal(0, 0.5, (5, 6)))
model = tf.keras.Sequential([normalized, tfa.layers.Maxout(3), tf.keras.layers.Dense(1)])
model.build((None, 5))
model.layers[-1].set_weights([rng.normal(0, 0.5, (3, 1)), np.zeros(1)])
shapes = sorted(tuple(int(n) for n in v.shape) for v in model.trainable_variables)
model.compile(tf.keras.optimizers.SGD(schedules["triangular"]), "mse")
losses = [float(model.train_on_batch(x, y)) for _ in range(9)]
print(json.dumps({**rates, "losses": losses, "shapes": shapes}))
