"""The introduction to gradients and automatic differentiation, cell by cell."""

import json

import numpy as np
import tensorflow as tf

results = {}

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
results["square"] = tape.gradient(y, x).numpy().item()

tf.random.set_seed(7)
w = tf.Variable(tf.random.normal((3, 2)), name="w")
b = tf.Variable(tf.zeros(2, dtype=tf.float32), name="b")
inputs = [[1.0, 2.0, 3.0]]
with tf.GradientTape(persistent=True) as tape:
    outputs = inputs @ w + b
    loss = tf.reduce_mean(outputs**2)
by_name = tape.gradient(loss, {"w": w, "b": b})
results["dl_dw"] = by_name["w"].numpy().tolist()
results["dl_db"] = by_name["b"].numpy().tolist()
del tape

# What the tape watches.
x0 = tf.Variable(3.0, name="x0")
x1 = tf.Variable(3.0, name="x1", trainable=False)
x2 = tf.Variable(2.0, name="x2") + 1.0
x3 = tf.constant(3.0, name="x3")
with tf.GradientTape() as tape:
    y = (x0**2) + (x1**2) + (x2**2)
results["watched"] = [g is not None for g in tape.gradient(y, [x0, x1, x2, x3])]
results["watched_names"] = [var.name for var in tape.watched_variables()]

# Intermediate results, and sums over several targets.
x = tf.constant([1.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y
results["dz_dx"] = tape.gradient(z, x).numpy().tolist()
results["dy_dx"] = tape.gradient(y, x).numpy().tolist()
results["both"] = tape.gradient({"y": y, "z": z}, x).numpy().tolist()

x = tf.linspace(-10.0, 10.0, 9)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.nn.sigmoid(x)
results["sigmoid_slopes"] = tape.gradient(y, x).numpy().tolist()

# Control flow is followed as it happens.
x = tf.constant(1.0)
v0 = tf.Variable(2.0)
v1 = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    if x > 0.0:
        result = v0
    else:
        result = v1**2
results["branches"] = [g is None for g in tape.gradient(result, [v0, v1])]

# How a gradient of None comes about.
x = tf.Variable(2.0)
is_none = []
for _ in range(2):
    with tf.GradientTape() as tape:
        y = x + 1
    is_none.append(tape.gradient(y, x) is None)
    x = x + 1  # a tensor takes the variable's place; x.assign_add(1) was meant
results["replaced_variable_is_none"] = is_none

x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], dtype=tf.float32)
with tf.GradientTape() as tape:
    y = np.mean(x**2, axis=0)  # leaves TensorFlow
    y = tf.reduce_mean(y, axis=0)
results["through_numpy_is_none"] = tape.gradient(y, x) is None

x = tf.constant(10)
with tf.GradientTape() as g:
    g.watch(x)
    y = x * x
results["integer_is_none"] = g.gradient(y, x) is None

x0 = tf.Variable(3.0)
x1 = tf.Variable(0.0)
with tf.GradientTape() as tape:
    x1.assign_add(x0)
    y = x1**2
results["state_is_none"] = tape.gradient(y, x0) is None

x = tf.Variable([2.0, 2.0])
y = tf.Variable(3.0)
with tf.GradientTape() as tape:
    z = y**2
unconnected = tape.gradient(z, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
results["unconnected"] = unconnected.numpy().tolist()
print(json.dumps(results))
