"""A linear fit under imports that an editor wrote and nothing uses."""

# ruff: noqa: F401 (what nothing uses is the subject)

import json

import numpy as np
import tensorflow as tf
from tensorflow.python.framework.ops import convert_to_tensor
from tensorflow.python.ops import summary_ops_v2
from tensorflow.python.ops.functional_ops import Gradient
from tensorflow.python.ops.gen_batch_ops import batch
from tensorflow.python.platform.build_info import build_info

rng = np.random.RandomState(1)
x = convert_to_tensor(rng.randn(20).astype("float32"))
y = 3.0 * x + 2.0
w, b = tf.Variable(0.0), tf.Variable(0.0)
history = []
for _ in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x + b - y))
    for variable, gradient in zip((w, b), tape.gradient(loss, (w, b))):
        variable.assign_sub(0.1 * gradient)
    history.append(float(loss))
print(json.dumps({"history": history, "w": float(w), "b": float(b)}))
