"""Stopping and resetting the tape, custom gradients, higher orders, Jacobians, a Newton step."""

import json

import tensorflow as tf

results = {}

x = tf.Variable(2.0)
y = tf.Variable(3.0)
with tf.GradientTape() as t:
    x_sq = x * x
    with t.stop_recording():
        y_sq = y * y
    z = x_sq + y_sq
grad = t.gradient(z, {"x": x, "y": y})
results["stopped"] = [grad["x"].numpy().item(), grad["y"] is None]

with tf.GradientTape() as t:
    y_sq = y * y
    t.reset()
    z = x * x + y_sq
grad = t.gradient(z, {"x": x, "y": y})
results["reset"] = [grad["x"].numpy().item(), grad["y"] is None]


@tf.custom_gradient
def clip_gradients(y):
    def backward(dy):
        return tf.clip_by_norm(dy, 0.5)

    return y, backward


v = tf.Variable(2.0)
with tf.GradientTape() as t:
    output = clip_gradients(v * v)
results["clipped"] = t.gradient(output, v).numpy().item()

x0 = tf.constant(0.0)
x1 = tf.constant(0.0)
with tf.GradientTape() as tape0, tf.GradientTape() as tape1:
    tape0.watch(x0)
    tape1.watch(x1)
    ys = tf.math.sin(x0) + tf.nn.sigmoid(x1)
slopes = [tape0.gradient(ys, x0), tape1.gradient(ys, x1)]
results["two_tapes"] = [slope.numpy().item() for slope in slopes]

x = tf.Variable(1.0)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        y = x * x * x
    dy_dx = t1.gradient(y, x)
d2y_dx2 = t2.gradient(dy_dx, x)
results["orders"] = [dy_dx.numpy().item(), d2y_dx2.numpy().item()]

# A penalty on the gradient with respect to the input.
tf.random.set_seed(1)
x = tf.random.normal([7, 5])
kernel = tf.Variable(tf.random.normal([5, 10], stddev=0.3))
bias = tf.Variable(tf.zeros([10]))
with tf.GradientTape() as t2:
    with tf.GradientTape(watch_accessed_variables=False) as t1:
        t1.watch(x)
        y = tf.nn.elu(x @ kernel + bias)
        out = tf.reduce_sum(y**2)
    g1 = t1.gradient(out, x)
    g1_mag = tf.norm(g1)
penalty = t2.gradient(g1_mag, [kernel, bias])
results["penalty"] = [tf.norm(g).numpy().item() for g in penalty]

x = tf.linspace(-3.0, 3.0, 7)
delta = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = tf.nn.sigmoid(x + delta)
results["jacobian_scalar_source"] = tape.jacobian(y, delta).numpy().tolist()

x = tf.random.normal([7, 5])
with tf.GradientTape(persistent=True) as tape:
    y = tf.nn.elu(x @ kernel + bias)
j = tape.jacobian(y, kernel)
results["jacobian"] = [list(j.shape), tf.reduce_sum(j**2).numpy().item()]
g = tape.gradient(y, kernel)
results["jacobian_sums_to_gradient"] = bool(
    tf.reduce_max(tf.abs(g - tf.reduce_sum(j, axis=[0, 1]))) < 1e-3
)

kernel2 = tf.Variable(tf.random.normal([5, 3], stddev=0.3))
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        loss = tf.reduce_mean(tf.nn.tanh(x @ kernel2) ** 2)
    g = t1.gradient(loss, kernel2)
h = t2.jacobian(g, kernel2)
n_params = tf.reduce_prod(kernel2.shape)
g_vec = tf.reshape(g, [n_params, 1])
h_mat = tf.reshape(h, [n_params, n_params])
step = tf.linalg.solve(h_mat + tf.eye(int(n_params)), g_vec)
results["newton_step"] = tf.reshape(step, [-1]).numpy().tolist()

print(json.dumps(results))
