"""LAMB, RectifiedAdam, Lookahead, NovoGrad, Yogi, SGDW, averaging: a few steps of each."""

import json

import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa

x = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
y = (x[:, :1] ** 2 - x[:, 1:]).astype("float32")
start = [np.array([[0.5, -0.3, 0.8], [-0.6, 0.4, 0.1]], "f"), np.array([[0.2], [-0.5], [0.7]], "f")]
optimizers = {
    "lamb": lambda: tfa.optimizers.LAMB(0.02, weight_decay_rate=0.01),
    "radam": lambda: tfa.optimizers.RectifiedAdam(0.02, beta_2=0.9),
    "radam_warm": lambda: tfa.optimizers.RectifiedAdam(
        0.02, total_steps=20, warmup_proportion=0.1, min_lr=1e-3
    ),
    "ranger": lambda: tfa.optimizers.Lookahead(
        tfa.optimizers.RectifiedAdam(0.02), sync_period=3, slow_step_size=0.5
    ),
    "novograd": lambda: tfa.optimizers.NovoGrad(0.02, beta_1=0.9, beta_2=0.8, weight_decay=0.001),
    "yogi": lambda: tfa.optimizers.Yogi(0.02),
    "sgdw": lambda: tfa.optimizers.SGDW(weight_decay=0.01, learning_rate=0.1, momentum=0.9),
    "adamw": lambda: tfa.optimizers.AdamW(weight_decay=0.01, learning_rate=0.02),
    "average": lambda: tfa.optimizers.MovingAverage(
        tf.keras.optimizers.legacy.SGD(0.1), average_decay=0.9
    ),
    "swa": lambda: tfa.optimizers.SWA(
        tf.keras.optimizers.legacy.SGD(0.1), start_averaging=1, average_period=2
    ),
}


def train(make):
    w = [tf.Variable(v) for v in start]
    opt = make()
    losses = []
    for _ in range(7):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.tanh(x @ w[0]) @ w[1] - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, w), w))
        losses.append(float(loss))
    if hasattr(opt, "assign_average_vars"):
        opt.assign_average_vars(w)
    return [losses, w[1].numpy().ravel().tolist()]


result = {}
for name, make in optimizers.items():
    result[name + "_losses"], result[name + "_weights"] = train(make)
print(json.dumps(result))
