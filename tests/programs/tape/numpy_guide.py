"""The guide to `tf.experimental.numpy`: arrays, promotion, a model, gradients, vectorization."""

import json

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

tnp.experimental_enable_numpy_behavior()
result = {}


def note(name, value):
    result[name] = np.asarray(value).tolist()


ones = tnp.ones([5, 3], dtype=tnp.float32)
result["array"] = [
    list(ones.shape),
    ones.dtype.name,
    ones.ndim,
    int(ones.size),
    isinstance(ones, tf.Tensor),
]

values = [tnp.asarray(1, dtype=d) for d in (tnp.int32, tnp.int64, tnp.float32, tnp.float64)]
result["promotion"] = [(v1 + v2).dtype.name for v1 in values for v2 in values]
note("literals", tnp.asarray(1.0) + 1)
result["literal_type"] = [
    tnp.array(1.0).dtype.name,
    tnp.array(1).dtype.name,
    (tnp.ones(2) * 2).dtype.name,
]

x = tnp.ones([2, 3])
y = tnp.ones([3])
z = tnp.ones([1, 2, 1])
note("broadcast", x + y + z)
x = tnp.arange(24).reshape(2, 3, 4)
result["indexing"] = [
    np.asarray(part).tolist()
    for part in (
        x[1, tf.constant(1), 1:3],
        x[x > 20],
        x[[1, 0]],
        x[:, (0, 2), :],
        x[..., tnp.newaxis, 0],
        x[:, [True, False, True], 0],
        x[1, [0, 2], [3, 1]],
        x.T[0],
    )
]
note("methods", x.astype(tnp.float32).mean(axis=0).ravel())
note("sum", tnp.sum(x, axis=(0, 2)))
note("mixed", tf.reduce_sum(tnp.ones([2, 2]) * np.arange(4).reshape(2, 2)))
note("numpy_in", np.sum(tnp.ones([2, 3])))


class Model:
    """A dense layer and an output layer, made when they are first called."""

    def __init__(self):
        self.weights = None

    def predict(self, inputs):
        rng = np.random.default_rng(5)
        if self.weights is None:
            size = inputs.shape[1]
            stddev = 1.0 / np.sqrt(size)
            self.weights = [
                tf.Variable((stddev * rng.normal(size=(size, 64))).astype(np.float32)),
                tf.Variable(tnp.zeros([64], dtype=tnp.float32)),
                tf.Variable((0.1 * rng.normal(size=(64, 2))).astype(np.float32)),
                tf.Variable(tnp.zeros([2], dtype=tnp.float32)),
            ]
        w1, b1, w2, b2 = self.weights
        hidden = tnp.maximum(tnp.dot(inputs, w1) + b1, 0)
        return tnp.matmul(hidden, w2) + b2


model = Model()
rng = np.random.default_rng(1)
inputs = tnp.asarray(rng.normal(size=(8, 16)), dtype=tnp.float32)
labels = tnp.asarray(rng.normal(size=(8, 2)), dtype=tnp.float32)


def loss_of(inputs, labels):
    return tnp.mean(tnp.square(model.predict(inputs) - labels))


losses = []
for _ in range(3):
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        loss = loss_of(inputs, labels)
    gradients = tape.gradient(loss, model.weights)
    losses.append(float(loss))
    for weight, gradient in zip(model.weights, gradients):
        weight.assign_sub(0.1 * gradient)
result["losses"] = losses
result["norms"] = [float(tnp.sqrt(tnp.sum(g * g))) for g in gradients]
with tf.GradientTape() as tape:
    tape.watch(inputs)
    outputs = model.predict(inputs)
note("jacobian", tnp.sum(tape.batch_jacobian(outputs, inputs), axis=(1, 2)))


@tf.function
def per_example_gradients(inputs, labels):
    def single(arguments):
        inp, label = arguments
        with tf.GradientTape() as tape:
            loss = loss_of(tnp.expand_dims(inp, 0), tnp.expand_dims(label, 0))
        return tape.gradient(loss, model.weights)

    return tf.vectorized_map(single, (inputs, labels))


result["per_example"] = [list(g.shape) for g in per_example_gradients(inputs, labels)]
note("per_example_bias", per_example_gradients(inputs, labels)[3])
tnp.random.seed(3)
note("random", tnp.random.uniform(size=[3]))
note("randint", tnp.random.randint(0, 10, size=[4]))
print(json.dumps(result))
