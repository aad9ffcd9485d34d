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


def open_ranks(tf):
    """Functions of tensors of any rank."""
    random = _random(16)

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.scale = tf.Variable(random())

        @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
        def numbers(self, x):
            kept = tf.where(x > 0, x, tf.ones_like(x))
            apart = x - tf.reduce_mean(x)
            return {"y": tf.nn.relu(x) * self.scale + 1.0, "kept": kept, "apart": apart}

        @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([None])])
        def with_rows(self, x, y):
            return tf.exp(x) * 2.0, y[::-1], tf.zeros_like(x)

        @tf.function
        def declared(self, x):
            return tf.reduce_sum(x * x, keepdims=True) * self.scale

    model = Model()
    model.declared.get_concrete_function(tf.TensorSpec(None, tf.float32))
    calls = {"numbers": (random(2, 1, 3),), "with_rows": (random(3, 2), random(4))}
    return model, calls | {"declared": (random(2, 2, 1, 2),)}


def images_to_rows(tf):
    """A reshape that only some sizes allow, and layers that are built when they are traced."""

    class Dense(tf.Module):
        def __init__(self, features):
            super().__init__()
            self.features = features
            self.w = None

        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(np.full((x.shape[1], self.features), 0.01, np.float32))
            return tf.tanh(x @ self.w)

    class Deep(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense(4), Dense(2)]

        @tf.function
        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.deep = Deep()

        @tf.function(input_signature=[tf.TensorSpec([None, None, None, None])])
        def __call__(self, x):
            return self.deep(tf.reshape(x, [-1, 784]))

    return Model(), {"__call__": (_random(17)(3, 28, 28, 1),)}


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
    open_ranks,
    images_to_rows,
]
