"""Models of tf.Module that try many ops; as in `modules.py`."""

from __future__ import annotations

import numpy as np


def _random(seed: int):
    draw = np.random.default_rng(seed)
    return lambda *shape: draw.normal(size=shape).astype(np.float32)


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
