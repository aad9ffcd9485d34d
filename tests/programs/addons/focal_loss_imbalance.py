"""An imbalanced problem: SigmoidFocalCrossEntropy, F1Score, CohenKappa, MatthewsCorrelation."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

np.random.seed(12)
X = np.random.randn(80, 6).astype(np.float32)
y = (X[:, 0] + X[:, 1] > 1.6).astype(np.float32)[:, None]

inp = tf.keras.layers.Input(6)
h = tf.keras.layers.Dense(8, activation=tfa.activations.mish)(inp)
h = tf.keras.layers.Dense(4, activation=tfa.activations.lisht)(h)
out = tf.keras.layers.Dense(1, activation="sigmoid")(h)
model = tf.keras.Model(inp, out)
model.set_weights([np.random.normal(0, 0.5, w.shape) for w in model.get_weights()])
model.compile(
    optimizer=tfa.optimizers.AdamW(weight_decay=1e-3, learning_rate=0.02),
    loss=tfa.losses.SigmoidFocalCrossEntropy(
        alpha=0.7, gamma=2.0, reduction=tf.keras.losses.Reduction.SUM_OVER_BATCH_SIZE
    ),
)
history = model.fit(X, y, epochs=5, batch_size=20, shuffle=False, verbose=0)
p = model.predict(X, verbose=0)

f1 = tfa.metrics.F1Score(num_classes=1, threshold=0.3, average="micro")
f1.update_state(y, p)
kappa = tfa.metrics.CohenKappa(num_classes=2, sparse_labels=True)
kappa.update_state(y[:, 0].astype(int), (p[:, 0] > 0.3).astype(int))
mcc = tfa.metrics.MatthewsCorrelationCoefficient(num_classes=2)
mcc.update_state(tf.one_hot(y[:, 0].astype(int), 2), tf.one_hot((p[:, 0] > 0.3).astype(int), 2))
r2 = tfa.metrics.RSquare()
r2.update_state(y, p)
print(
    json.dumps(
        {
            "loss": [float(v) for v in history.history["loss"]],
            "f1": np.ravel(f1.result()).tolist(),
            "kappa": float(kappa.result()),
            "mcc": np.ravel(mcc.result()).tolist(),
            "r2": np.ravel(r2.result()).tolist(),
            "p": p[:4, 0].tolist(),
        }
    )
)
