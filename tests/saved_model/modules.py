"""Models of tf.Module that both libraries build, save, load and call: `tf` is either of them.

Each builder returns the model and, by the name of a method, the arguments to call it with.
"""

from __future__ import annotations

import numpy as np


def _random(seed: int):
    draw = np.random.default_rng(seed)
    return lambda *shape: draw.normal(size=shape).astype(np.float32)


def affine(tf):
    random = _random(1)

    class Affine(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3, 2), name="w")
            self.b = tf.Variable(random(2), name="b")

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32, name="x")])
        def __call__(self, x):
            return tf.tanh(x @ self.w + self.b)

    return Affine(), {"__call__": (random(4, 3),)}


def layers_in_a_list(tf):
    random = _random(2)

    class Dense(tf.Module):
        def __init__(self, n, m):
            super().__init__()
            self.w = tf.Variable(random(n, m))
            self.scale = tf.Variable(2.0, trainable=False)

        def __call__(self, x):
            return tf.nn.relu(x @ self.w) * self.scale

    class Deep(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense(3, 4), Dense(4, 5)]
            self.heads = {"a": Dense(5, 2), "b": Dense(5, 1)}

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def predict(self, x):
            for layer in self.layers:
                x = layer(x)
            return {name: head(x) for name, head in self.heads.items()}

    return Deep(), {"predict": (random(2, 3),)}


def polymorphic(tf):
    random = _random(3)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(2, 2))

        @tf.function
        def __call__(self, x, training=False):
            y = x @ self.w
            return y * 2.0 if training else y - 1.0

    model = Model()
    x, wide = random(1, 2), random(3, 2)
    model(tf.constant(x))
    model(tf.constant(x), training=True)
    model(tf.constant(wide))
    return model, {"__call__": (wide,)}


def convolutions(tf):
    random = _random(4)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.k = tf.Variable(random(3, 3, 2, 4))
            self.d = tf.Variable(random(3, 3, 4, 1))
            self.t = tf.Variable(random(2, 2, 4, 3))
            self.b = tf.Variable(random(4))

        @tf.function(input_signature=[tf.TensorSpec([None, 8, 8, 2], tf.float32)])
        def __call__(self, x):
            x = tf.nn.bias_add(tf.nn.conv2d(x, self.k, 1, "SAME"), self.b)
            x = tf.nn.max_pool2d(tf.nn.relu(x), 2, 2, "VALID")
            x = tf.nn.depthwise_conv2d(x, self.d, [1, 1, 1, 1], "SAME")
            x = tf.nn.avg_pool2d(x, 2, 1, "SAME")
            return tf.nn.conv2d(x, self.t, 1, [[0, 0], [1, 1], [2, 0], [0, 0]])

    return Model(), {"__call__": (random(2, 8, 8, 2),)}


def dilated(tf):
    random = _random(5)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.k = tf.Variable(random(3, 2, 4))
            self.v = tf.Variable(random(2, 2, 2, 1, 2))

        @tf.function(input_signature=[tf.TensorSpec([None, 9, 2], tf.float32)])
        def one(self, x):
            return tf.nn.conv1d(x, self.k, 2, "SAME")

        @tf.function(input_signature=[tf.TensorSpec([None, 4, 4, 4, 1], tf.float32)])
        def three(self, x):
            return tf.nn.max_pool3d(tf.nn.conv3d(x, self.v, [1] * 5, "VALID"), 2, 1, "VALID")

    return Model(), {"one": (random(2, 9, 2),), "three": (random(1, 4, 4, 4, 1),)}


def transposed(tf):
    random = _random(6)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.k = tf.Variable(random(3, 3, 2, 3))

        @tf.function(input_signature=[tf.TensorSpec([2, 4, 4, 3], tf.float32)])
        def __call__(self, x):
            return tf.nn.conv2d_transpose(x, self.k, [2, 8, 8, 2], 2, "SAME")

    return Model(), {"__call__": (random(2, 4, 4, 3),)}


def loop(tf):
    random = _random(7)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3, 3) * 0.3)

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def __call__(self, x):
            return tf.while_loop(
                lambda i, y: i < 4, lambda i, y: (i + 1, tf.tanh(y @ self.w)), (0, x)
            )[1]

    return Model(), {"__call__": (random(2, 3),)}


def branch(tf):
    random = _random(8)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3))

        @tf.function(input_signature=[tf.TensorSpec([3], tf.float32)])
        def __call__(self, x):
            return tf.cond(tf.reduce_sum(x) > 0, lambda: x * self.w, lambda: x - self.w)

        @tf.function(input_signature=[tf.TensorSpec([], tf.int32), tf.TensorSpec([3], tf.float32)])
        def choose(self, i, x):
            return tf.switch_case(i, [lambda: x, lambda: x * self.w, lambda: tf.exp(x)])

    return Model(), {"__call__": (random(3),), "choose": (np.int32(1), random(3))}


def rows(tf):
    random = _random(9)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.u = tf.Variable(random(3, 3) * 0.4)

        @tf.function(input_signature=[tf.TensorSpec([5, 3], tf.float32)])
        def __call__(self, x):
            return tf.scan(lambda h, row: tf.tanh(row + tf.linalg.matvec(self.u, h)), x)

        @tf.function(input_signature=[tf.TensorSpec([5, 3], tf.float32)])
        def mapped(self, x):
            return tf.map_fn(lambda row: tf.reduce_sum(row * self.u, 1), x)

    return Model(), {"__call__": (random(5, 3),), "mapped": (random(5, 3),)}


def collected(tf):
    random = _random(10)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(2, 2))

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def __call__(self, x):
            array = tf.TensorArray(tf.float32, size=3, element_shape=[None, 2])
            for i in range(3):
                x = tf.sin(x @ self.w)
                array = array.write(i, x)
            return tf.transpose(array.stack(), [1, 0, 2])

    return Model(), {"__call__": (random(2, 2),)}


def attention(tf):
    random = _random(11)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.Variable(random(7, 4))
            self.q, self.k, self.v = (tf.Variable(random(4, 2, 3)) for _ in range(3))

        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
        def __call__(self, ids):
            x = tf.gather(self.table, ids)
            q, k, v = (tf.einsum("btd,dhe->bthe", x, w) for w in (self.q, self.k, self.v))
            scores = tf.nn.softmax(tf.einsum("bqhe,bkhe->bhqk", q, k) / tf.sqrt(3.0))
            return tf.einsum("bhqk,bkhe->bqhe", scores, v)

    return Model(), {"__call__": (np.array([[1, 4, 2], [0, 6, 6]], np.int32),)}


def normalized(tf):
    random = _random(12)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.scale, self.offset = tf.Variable(random(4)), tf.Variable(random(4))

        @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
        def __call__(self, x):
            mean, variance = tf.nn.moments(x, [-1], keepdims=True)
            y = tf.nn.batch_normalization(x, mean, variance, self.offset, self.scale, 1e-3)
            return tf.nn.log_softmax(tf.nn.gelu(y))

    return Model(), {"__call__": (random(3, 4),)}


def counter(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.count = tf.Variable(0, trainable=False)
            self.total = tf.Variable(tf.zeros([2]))

        @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
        def __call__(self, x):
            self.count.assign_add(1)
            self.total.assign_add(x)
            return self.total * tf.cast(self.count, tf.float32)

    return Model(), {"__call__": (np.array([1.5, -2.0], np.float32),)}


def structured(tf):
    random = _random(13)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(2))

        @tf.function(
            input_signature=[
                {"a": tf.TensorSpec([None, 2], tf.float32), "b": tf.TensorSpec([2], tf.float32)},
                [tf.TensorSpec([], tf.float32), tf.TensorSpec([2], tf.float32)],
            ]
        )
        def __call__(self, named, listed):
            first = named["a"] * self.w + named["b"]
            return (first, {"sum": tf.reduce_sum(first) * listed[0], "second": listed[1] / 2.0})

    return Model(), {
        "__call__": ({"a": random(3, 2), "b": random(2)}, [np.float32(2.5), random(2)])
    }


def inner_functions(tf):
    random = _random(14)

    @tf.function
    def square(x):
        return x * x

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3))

        @tf.function
        def inner(self, x):
            return square(x) + self.w

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def __call__(self, x):
            return self.inner(x) * square(self.w)

    return Model(), {"__call__": (random(2, 3),)}


def indexed(tf):
    random = _random(15)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(5, 3))

        @tf.function(
            input_signature=[tf.TensorSpec([4], tf.int32), tf.TensorSpec([4, 3], tf.float32)]
        )
        def __call__(self, i, x):
            y = tf.tensor_scatter_nd_add(tf.identity(self.w), i[:, None], x)
            z = tf.math.unsorted_segment_sum(x, i, 5) + tf.gather_nd(y, [[0], [1], [2], [3], [4]])
            top = tf.math.top_k(z, 2)
            return top.values, top.indices, tf.argmax(z, 1), tf.one_hot(i, 5) @ z

    return Model(), {"__call__": (np.array([0, 2, 2, 4], np.int32), random(4, 3))}


def algebra(tf):
    random = _random(16)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.a = tf.Variable(random(3, 3))

        @tf.function(input_signature=[tf.TensorSpec([3, 2], tf.float32)])
        def __call__(self, b):
            m = tf.matmul(self.a, self.a, transpose_b=True) + tf.eye(3)
            c = tf.linalg.cholesky(m)
            return (
                tf.linalg.solve(m, b),
                tf.linalg.triangular_solve(c, b),
                tf.linalg.inv(m),
                tf.linalg.det(m),
                tf.linalg.diag_part(m),
                tf.linalg.band_part(m, 1, 0),
            )

    return Model(), {"__call__": (random(3, 2),)}


def sliced(tf):
    random = _random(17)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(4, 5))

        @tf.function(input_signature=[tf.TensorSpec([None, 4, 5], tf.float32)])
        def __call__(self, x):
            batch = tf.shape(x)[0]
            flat = tf.reshape(x * self.w, [batch, 20])
            a, b = tf.split(flat, [8, 12], axis=1)
            c = tf.stack(tf.unstack(x[:, ::2, 1:-1], axis=1), 1)
            d = tf.pad(x[:, 1], [[0, 0], [1, 2]], constant_values=3.0)
            e = tf.tile(tf.reverse(x[..., None, 0], [1]), [1, 2, 1])
            return tf.concat([a, b], 1), c, d, e, tf.roll(x, 1, 2), tf.squeeze(x[:, :1], [1])

    return Model(), {"__call__": (random(3, 4, 5),)}


def elementwise(tf):
    random = _random(18)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(6))

        @tf.function(input_signature=[tf.TensorSpec([None, 6], tf.float32)])
        def __call__(self, x):
            y = tf.abs(x * self.w) + 0.5
            return tf.stack(
                [
                    tf.math.log(y),
                    tf.exp(-y),
                    tf.sqrt(y),
                    tf.math.rsqrt(y),
                    tf.math.erf(x),
                    tf.nn.softplus(x),
                    tf.nn.elu(x),
                    tf.nn.selu(x),
                    tf.nn.leaky_relu(x),
                    tf.sigmoid(x),
                    tf.math.lgamma(y),
                    tf.maximum(x, self.w),
                    tf.where(x > 0.0, x, y),
                    tf.clip_by_value(x, -0.5, 0.5),
                    tf.pow(y, 1.5),
                    tf.cumsum(x, 1),
                    tf.math.atan2(x, y),
                    tf.math.log1p(y),
                    tf.math.squared_difference(x, self.w),
                    tf.nn.relu6(x),
                    tf.sign(x) + tf.floor(x) + tf.round(x),
                    tf.math.divide_no_nan(x, self.w),
                    tf.math.cumprod(y, 1, reverse=True),
                    tf.math.xlogy(y, y),
                ]
            )

    return Model(), {"__call__": (random(2, 6),)}


def reductions(tf):
    random = _random(19)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(3, 4))

        @tf.function(input_signature=[tf.TensorSpec([None, 3, 4], tf.float32)])
        def __call__(self, x):
            x = x * self.w
            return {
                "sum": tf.reduce_sum(x, [0, 2]),
                "mean": tf.reduce_mean(x, 1, keepdims=True),
                "max": tf.reduce_max(x, -1),
                "min": tf.reduce_min(x),
                "prod": tf.reduce_prod(x, 2),
                "norm": tf.norm(x, axis=1),
                "logsumexp": tf.reduce_logsumexp(x, 1),
                "any": tf.reduce_any(x > 1.0, 1),
                "std": tf.math.reduce_std(x, 0),
            }

    return Model(), {"__call__": (random(2, 3, 4),)}


def integers(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.n = tf.Variable([3, 5, 7], trainable=False)

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.int32)])
        def __call__(self, i):
            return (
                i // self.n,
                i % self.n,
                tf.bitwise.bitwise_and(i, self.n),
                tf.cast(i, tf.float64) / 3.0,
                tf.logical_and(i > 2, tf.not_equal(i, self.n)),
                tf.range(3) * self.n,
                tf.cast(i, tf.bool),
            )

    return Model(), {"__call__": (np.array([[-4, 9, 7], [1, 2, 3]], np.int32),)}


def spectra(tf):
    random = _random(20)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(8))

        @tf.function(input_signature=[tf.TensorSpec([None, 8], tf.float32)])
        def __call__(self, x):
            z = tf.signal.rfft(x * self.w)
            back = tf.signal.irfft(z * tf.complex(2.0, 0.5))
            return back, tf.abs(tf.signal.fft(tf.complex(x, x))), tf.math.real(z)

    return Model(), {"__call__": (random(2, 8),)}


def images(tf):
    random = _random(21)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(1, 1, 2))

        @tf.function(input_signature=[tf.TensorSpec([None, 4, 4, 2], tf.float32)])
        def __call__(self, x):
            x = x * self.w
            large = tf.image.resize(x, [7, 6])
            near = tf.image.resize(x, [8, 8], method="nearest")
            return large, near, tf.image.flip_left_right(x), tf.nn.space_to_depth(x, 2)

    return Model(), {"__call__": (random(1, 4, 4, 2),)}


def constants(tf):
    random = _random(22)
    table = tf.constant(random(3, 2))

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(1.5)
            self.half = tf.Variable(np.arange(4, dtype=np.float16))
            self.wide = tf.Variable(np.arange(3, dtype=np.float64))

        @tf.function(input_signature=[tf.TensorSpec([None], tf.int64)])
        def __call__(self, i):
            y = tf.gather(table, i) * self.w
            return y, self.half * 2.0, self.wide + 1.0

    return Model(), {"__call__": (np.array([0, 2, 1, 2]),)}


def keyword_only(tf):
    random = _random(23)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(random(2))

        @tf.function
        def __call__(self, x, *, scale=2.0):
            return x * self.w * scale

    model = Model()
    x = random(3, 2)
    model(tf.constant(x))
    return model, {"__call__": (x,)}


BUILDERS = [
    affine,
    layers_in_a_list,
    polymorphic,
    convolutions,
    dilated,
    transposed,
    loop,
    branch,
    rows,
    collected,
    attention,
    normalized,
    counter,
    structured,
    inner_functions,
    indexed,
    algebra,
    sliced,
    elementwise,
    reductions,
    integers,
    spectra,
    images,
    constants,
    keyword_only,
]
