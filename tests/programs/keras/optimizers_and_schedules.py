"""Every common optimizer for some steps on one problem, schedules, clipping, averages."""

import json

import numpy as np
import tensorflow as tf

optimizers = tf.keras.optimizers
SCHEDULE = optimizers.schedules.ExponentialDecay(0.1, decay_steps=5, decay_rate=0.5)
COSINE = optimizers.schedules.CosineDecay(0.1, decay_steps=10, warmup_target=0.2, warmup_steps=3)
CHOICES = {
    "sgd": optimizers.SGD(0.1),
    "nesterov": optimizers.SGD(0.05, momentum=0.9, nesterov=True),
    "adam": optimizers.Adam(0.1),
    "amsgrad": optimizers.Adam(COSINE, amsgrad=True),
    "adamw": optimizers.AdamW(0.1, weight_decay=0.01),
    "rmsprop": optimizers.RMSprop(0.05, centered=True, momentum=0.5),
    "adagrad": optimizers.Adagrad(0.3),
    "adadelta": optimizers.Adadelta(1.0),
    "adamax": optimizers.Adamax(0.1),
    "nadam": optimizers.Nadam(0.1),
    "ftrl": optimizers.Ftrl(0.3, l1_regularization_strength=0.01),
    "lion": optimizers.Lion(0.02),
    "scheduled": optimizers.SGD(SCHEDULE),
    "clipped": optimizers.SGD(0.1, clipnorm=0.5),
    "global": optimizers.Adam(0.1, global_clipnorm=0.3),
    "averaged": optimizers.SGD(0.1, use_ema=True, ema_momentum=0.8),
}


def run(optimizer):
    x = tf.Variable([-1.2, 1.0])
    y = tf.Variable([[0.5], [2.0]])
    losses = []
    for _ in range(12):
        with tf.GradientTape() as tape:
            loss = (1 - x[0]) ** 2 + 2.0 * (x[1] - x[0] ** 2) ** 2 + tf.reduce_sum(tf.exp(-y))
        gradients = tape.gradient(loss, [x, y])
        optimizer.apply_gradients(zip(gradients, [x, y]))
        losses.append(loss.numpy().item())
    return [*losses[::3], *x.numpy().tolist(), *y.numpy().ravel().tolist()]


results = {name: run(optimizer) for name, optimizer in CHOICES.items()}
results["iterations"] = int(CHOICES["adam"].iterations)
results["rate"] = [float(SCHEDULE(step)) for step in (0, 5, 12)]
results["cosine"] = np.array([COSINE(step) for step in range(0, 13, 3)]).tolist()

embedding = tf.Variable(tf.ones([5, 2]))
sparse = optimizers.Adagrad(0.5)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(embedding, [0, 3, 3]) ** 2)
    sparse.apply_gradients([(tape.gradient(loss, embedding), embedding)])
results["sparse"] = embedding.numpy().tolist()
print(json.dumps(results))
