"""Learning rates by the decay functions of tf.train, which are callables when run eagerly."""

import json

import tensorflow as tf

step = tf.train.get_or_create_global_step()
schedules = {
    "exponential": tf.train.exponential_decay(0.1, step, decay_steps=4, decay_rate=0.5),
    "staircase": tf.train.exponential_decay(0.1, step, 4, 0.5, staircase=True),
    "polynomial": tf.train.polynomial_decay(0.1, step, 10, 0.01, power=2.0),
    "inverse": tf.train.inverse_time_decay(0.1, step, 3, 0.5),
    "natural": tf.train.natural_exp_decay(0.1, step, 5, 0.3),
    "cosine": tf.train.cosine_decay(0.1, step, 10, alpha=0.1),
    "piecewise": tf.train.piecewise_constant(step, [3, 6], [0.1, 0.05, 0.01]),
}

results = {}
for name, lr in schedules.items():
    tf.assign(step, 0)
    x = tf.Variable([2.0, -1.0])
    opt = tf.train.GradientDescentOptimizer(lr)
    trace = []
    for _ in range(8):
        rate = lr() if callable(lr) else lr
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.pow(x, 4) - 3 * tf.square(x))
        opt.apply_gradients([(tape.gradient(y, x), x)], global_step=step)
        trace.append([float(rate), float(y)])
    results[name] = trace
results["steps"] = int(step)
print(json.dumps(results))
