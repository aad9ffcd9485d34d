"""Ways in which a value is used. Each gets a tensor or variable `x` that equals `array`.

A reader returns pairs (what gradtape gives, what NumPy gives). A writer changes a variable and
returns what it should then hold.
"""

from __future__ import annotations

import copy
import os
import pickle
import tempfile

import numpy as np

import gradtape as tf

READERS: dict = {}
WRITERS: dict = {}
NEEDS_JAX = {"compiled function", "gradient through a compiled function", "compiled update"}


def reader(name: str):
    return lambda use: READERS.setdefault(name, use)


def writer(name: str):
    return lambda use: WRITERS.setdefault(name, use)


# --- readers -------------------------------------------------------------------------------------


@reader("arithmetic")
def _arithmetic(x, a):
    return [(x + x, a + a), (2.0 * x - 1.0, 2 * a - 1), (-x, -a), (x * x, a * a), (x**2, a**2)]


@reader("comparison and where")
def _where(x, a):
    return [(tf.where(x > 2.0, x, -1.0), np.where(a > 2, a, -1)), (tf.equal(x, a), a == a)]


@reader("reductions")
def _reductions(x, a):
    return [
        (tf.reduce_sum(x, axis=0), a.sum(0)),
        (tf.reduce_max(x, axis=1), a.max(1)),
        (tf.cumsum(x, axis=1), a.cumsum(1)),
    ]


@reader("products")
def _products(x, a):
    b = np.ones((a.shape[1], 2), np.float32)
    return [(x @ tf.constant(b), a @ b), (tf.linalg.matmul(b, x, True, True), b.T @ a.T)]


@reader("shapes")
def _shapes(x, a):
    flat = tf.reshape(x, [-1])
    return [(flat, a.ravel()), (tf.transpose(x), a.T), (tf.concat([x, x], 0), np.vstack([a, a]))]


@reader("slices and rows")
def _slices(x, a):
    rows = list(tf.unstack(tf.gather(x, [1, 0])))
    return [
        (x[0], a[0]),
        (x[-1, ::2], a[-1, ::2]),
        (rows[0], a[1]),
        (tf.gather(x, [1]), a[[1]]),
        (next(iter(tf.convert_to_tensor(x))), a[0]),
        (tf.roll(x, 1, 0), np.roll(a, 1, 0)),
    ]


@reader("sorting and casting")
def _sorting(x, a):
    return [
        (tf.sort(x, axis=1), np.sort(a, 1)),
        (tf.cast(x, tf.int32), a.astype(np.int32)),
        (tf.cast(x, tf.float64) / 4.0, a.astype(np.float64) / 4.0),
    ]


@reader("windows")
def _windows(x, a):
    image = tf.reshape(x, (1, *a.shape, 1))
    ones = tf.ones((2, 2, 1, 1))
    whole = (a[:-1] + a[1:])[:, :-1] + (a[:-1] + a[1:])[:, 1:]
    largest = np.maximum(np.maximum(a[:-1, :-1], a[1:, :-1]), np.maximum(a[:-1, 1:], a[1:, 1:]))
    return [
        (tf.nn.conv2d(image, ones, 1, "VALID")[0, ..., 0], whole),
        (tf.nn.avg_pool2d(image, 2, 1, "VALID")[0, ..., 0] * 4.0, whole),
        (tf.nn.max_pool2d(image, 2, 1, "VALID")[0, ..., 0], largest),
        (tf.pad(x, [[1, 0], [0, 2]]), np.pad(a, [[1, 0], [0, 2]])),
    ]


@reader("segments and scattering")
def _segments(x, a):
    ids = np.arange(len(a)) // 2
    sums = a[::2] + a[1::2]
    first = a.copy()
    first[1] = a[0]
    return [
        (tf.math.segment_sum(x, ids), sums),
        (tf.math.unsorted_segment_max(x, [0] * len(a), 1), a.max(0, keepdims=True)),
        (tf.tensor_scatter_nd_update(x, [[1]], x[:1]), first),
        (tf.scatter_nd([[1], [0]], x[:2], (2, a.shape[1])), a[1::-1]),
        (tf.gather_nd(x, [[1, 2]]), a[1:2, 2]),
        (tf.one_hot(tf.cast(x[0], tf.int32), 7), np.float32(a[0].astype(int)[:, None] == range(7))),
    ]


@reader("linear algebra and transforms")
def _linear_algebra(x, a):
    again = tf.math.real(tf.signal.ifft(tf.signal.fft(tf.cast(x, tf.complex64))))
    return [
        (tf.linalg.diag_part(tf.linalg.diag(x[0])), a[0]),
        (tf.linalg.band_part(x, 0, -1), np.triu(a)),
        (tf.einsum("ij,ij->i", x, x), (a * a).sum(1)),
        (tf.linalg.triangular_solve(tf.eye(a.shape[0]) * 2.0, x * 2.0), a),
        (tf.round(again) + 0.0, a),
    ]


@reader("NumPy")
def _numpy(x, a):
    copied = x.numpy()
    pairs = [(copied.copy(), a), (np.asarray(x).copy(), a), (np.add(x, 1.0), a + 1)]
    copied[:] = -7.0  # a copy of the program's own
    return [*pairs, (np.from_dlpack(tf.convert_to_tensor(x).cpu()).copy(), a)]


@reader("pickle and copies")
def _copies(x, a):
    value = tf.convert_to_tensor(x)
    return [(pickle.loads(pickle.dumps(value)), a), (copy.deepcopy(value), a)]


@reader("text")
def _text(x, a):
    assert f"shape={tuple(a.shape)}" in repr(x)
    return [(tf.strings.length(tf.strings.as_string(x[0, 0])) > 0, np.True_)]


@reader("function")
def _function(x, a):
    return [(tf.function(lambda y: y * 2.0 + 1.0)(x), a * 2 + 1)]


@reader("function that captures it")
def _captures(x, a):
    return [(tf.function(lambda y: y + x)(tf.ones_like(a)), a + 1)]


@reader("compiled function")
def _compiled(x, a):
    return [(tf.function(lambda y: y * 2.0 + 1.0, jit_compile=True)(x), a * 2 + 1)]


@reader("gradient")
def _gradient(x, a):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x * x) + tf.reduce_sum(x)
    return [(tape.gradient(y, x), 2 * a + 1)]


@reader("persistent tape")
def _persistent(x, a):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = tf.reduce_sum(y * x)
    return [(tape.gradient(y, x), 2 * a), (tape.gradient(z, x), 3 * a * a)]


@reader("second order")
def _second(x, a):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x * x * x)
        first = inner.gradient(y, x)
    return [(outer.gradient(first, x), 6 * a)]


@reader("gradient through a compiled function")
def _through(x, a):
    f = tf.function(lambda y: y * y, jit_compile=True)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = f(x) * tf.convert_to_tensor(x)
    return [(tape.gradient(z, x), 3 * a * a)]


@reader("forward mode")
def _forward(x, a):
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(a)) as accumulator:
        y = tf.convert_to_tensor(x) * x
    return [(accumulator.jvp(y), 2 * a)]


@reader("vectorized_map")
def _vmap(x, a):
    rows = tf.convert_to_tensor(x)
    return [(tf.vectorized_map(lambda row: row * 2.0, rows), a * 2)]


@reader("control flow")
def _flow(x, a):
    y = tf.cond(tf.reduce_sum(x) > -1e9, lambda: x + 1.0, lambda: x - 1.0)
    _, z = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y + x), (0, tf.zeros_like(a)))
    return [(y, a + 1), (z, 3 * a)]


@reader("numpy_function that writes into its argument")
def _black_box(x, a):
    def damage(y):
        y[...] = y + 1
        return y

    return [(tf.numpy_function(damage, [x], tf.float32), a + 1)]


@reader("dataset")
def _dataset(x, a):
    dataset = tf.data.Dataset.from_tensor_slices(tf.convert_to_tensor(x)).map(lambda r: r + 1.0)
    return [(np.stack([row.numpy() for row in dataset.take(2)]), a[:2] + 1)]


@reader("Keras layer")
def _layer(x, a):
    dense = tf.keras.layers.Dense(1, kernel_initializer="ones")
    return [(dense(tf.convert_to_tensor(x)), a.sum(1, keepdims=True))]


@reader("Keras training on it")
def _training(x, a):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(tf.keras.optimizers.SGD(0.0), "mse")
    data = tf.convert_to_tensor(x)
    total = a.sum(1, keepdims=True)
    model.fit(data, total, batch_size=len(a), verbose=0)
    loss = model.train_on_batch(data, total + 2.0)
    # A GPU's mean multiplies by a rounded 1 / n.
    return [(model.predict_on_batch(data), total), (np.float32(loss).round(5), np.float32(4))]


@reader("checkpoint")
def _checkpoint(x, a):
    saved = tf.Variable(x)
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(v=saved).save(os.path.join(folder, "c"))
        return [(tf.train.load_checkpoint(path).get_tensor("v/.ATTRIBUTES/VARIABLE_VALUE"), a)]


@reader("variable made of it")
def _into_variable(x, a):
    v = tf.Variable(x)
    before = v.numpy()
    v.assign_add(tf.ones_like(a))
    return [(before, a), (v, a + 1)]


# --- writers -------------------------------------------------------------------------------------


@writer("assign")
def _assign(v, a):
    v.assign(a * 2)
    return a * 2


@writer("assign_add and assign_sub")
def _add(v, a):
    v.assign_add(tf.ones_like(a))
    v.assign_sub(tf.ones_like(a) * 3.0)
    return a - 2


@writer("assign what is made of itself")
def _itself(v, a):
    v.assign(v * 2.0 + v)
    return a * 3


@writer("scatter")
def _scatter(v, a):
    ones = np.ones_like(a[:2])
    v.scatter_add(tf.IndexedSlices(ones, [1, 1]))
    v.scatter_sub(tf.IndexedSlices(ones[:1], [0]))
    v.scatter_update(tf.IndexedSlices(ones[:1] * 9, [2]))
    v.scatter_max(tf.IndexedSlices(ones[:1] * 4, [0]))
    v.scatter_nd_add([[1, 0]], [10.0])
    a = a.copy()
    a[1] += 2
    a[0] -= 1
    a[2] = 9
    a[0] = np.maximum(a[0], 4)
    a[1, 0] += 10
    return a


@writer("slice")
def _slice(v, a):
    v[1:, 0].assign(tf.zeros_like(a[1:, 0]))
    a = a.copy()
    a[1:, 0] = 0
    return a


@writer("function")
def _update(v, a):
    step = tf.function(lambda d: v.assign_add(d * 1.0))
    step(tf.ones_like(a))
    step(tf.ones_like(a))
    return a + 2


@writer("rows in a function")
def _row_update(v, a):
    def step(d):
        v.scatter_sub(tf.IndexedSlices(d, tf.constant([0, 0])))

    tf.function(step)(np.ones_like(a[:2]))
    a = a.copy()
    a[0] -= 2
    return a


@writer("compiled update")
def _compiled_update(v, a):
    step = tf.function(lambda d: v.assign_add(d * 1.0), jit_compile=True)
    step(tf.ones_like(a))
    step(tf.ones_like(a))
    return a + 2


@writer("optimizer in a function")
def _optimizer(v, a):
    optimizer = tf.keras.optimizers.SGD(0.5)
    optimizer.build([v])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])

    step()
    return a * 0


@writer("sparse gradient")
def _sparse(v, a):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(v, [1, 1]) * 2.0)
    tf.keras.optimizers.SGD(1.0).apply_gradients([(tape.gradient(loss, v), v)])
    a = a.copy()
    a[1] -= 4
    return a


@writer("restore")
def _restore(v, a):
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(v=tf.Variable(a - 5)).save(os.path.join(folder, "c"))
        tf.train.Checkpoint(v=v).restore(path)
    return a - 5
