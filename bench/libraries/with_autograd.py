"""HIPS autograd: NumPy with gradients. It has no convolutions worth the name."""

from __future__ import annotations

import importlib.metadata

import autograd
import autograd.numpy as anp
import numpy as np

from libraries import Unavailable

EPSILON = 1e-5
_NO_CONVOLUTION = "autograd's only convolution is scipy.signal's, far from what a network needs"


class Library:
    """The operations in autograd's terms."""

    def __init__(self, name: str, form: str) -> None:
        self.name, self.form = name, form
        self.version = importlib.metadata.version("autograd")
        self.sin, self.exp, self.tanh, self.square = anp.sin, anp.exp, anp.tanh, anp.square
        self.sum, self.mean, self.reshape, self.transpose = (
            anp.sum,
            anp.mean,
            anp.reshape,
            anp.transpose,
        )
        self.matmul = anp.matmul

    def constant(self, array: np.ndarray):
        return array

    def parameter(self, array: np.ndarray):
        return array.copy()

    def image(self, array: np.ndarray):
        raise Unavailable(_NO_CONVOLUTION)

    kernel = image_parameter = image

    def numpy(self, x) -> np.ndarray:
        return np.asarray(x)

    def take(self, table, indices):
        return table[indices]

    def sigmoid(self, x):
        return 0.5 * anp.tanh(0.5 * x) + 0.5

    def relu(self, x):
        return anp.maximum(x, 0)

    def softplus(self, x):
        return anp.logaddexp(x, np.float32(0))

    def softmax(self, x):
        y = anp.exp(x - anp.max(x, axis=-1, keepdims=True))
        return y / anp.sum(y, axis=-1, keepdims=True)

    def gelu(self, x):
        return 0.5 * x * (1 + anp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

    def cross_entropy(self, logits, labels):
        logits = anp.reshape(logits, (-1, logits.shape[-1]))
        top = anp.max(logits, axis=-1, keepdims=True)
        total = anp.log(anp.sum(anp.exp(logits - top), axis=-1)) + top[:, 0]
        return anp.mean(total - logits[np.arange(logits.shape[0]), labels.reshape(-1)])

    def layer_norm(self, x, scale, shift):
        centered = x - anp.mean(x, axis=-1, keepdims=True)
        variance = anp.mean(centered * centered, axis=-1, keepdims=True)
        return centered / anp.sqrt(variance + EPSILON) * scale + shift

    def attention(self, q, k, v, causal: bool):
        scores = anp.matmul(q, anp.swapaxes(k, -1, -2)) * np.float32(1 / np.sqrt(q.shape[-1]))
        if causal:
            length = q.shape[-2]
            scores = scores + np.triu(np.full((length, length), -1e9, np.float32), 1)
        return anp.matmul(self.softmax(scores), v)

    def lstm(self, x, kernel, recurrent, bias):
        h = c = np.zeros((x.shape[0], recurrent.shape[0]), np.float32)
        inputs = anp.swapaxes(anp.dot(x, kernel) + bias, 0, 1)
        for step in range(x.shape[1]):
            i, f, g, o = anp.split(inputs[step] + anp.dot(h, recurrent), 4, axis=1)
            c = self.sigmoid(f) * c + self.sigmoid(i) * anp.tanh(g)
            h = self.sigmoid(o) * anp.tanh(c)
        return h

    def gradients(self, function, parameters, *data):
        gradient = autograd.grad(function)
        return lambda: gradient(parameters, *data)

    def train(self, loss, parameters, rate: float, *data):
        both = autograd.value_and_grad(loss)

        def step():
            value, gradients = both(parameters, *data)
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter -= np.float32(rate) * gradient
            return value

        return step

    def scalar(self, function, at: float):
        derivative = autograd.grad(function)
        return lambda: derivative(at)

    def loop(self, body, count: int):
        def run(x):
            y = x
            for _ in range(count):
                y = body(y, x)
            return y

        return run

    def sparse_train(self, loss, table, rate: float, indices, *data):
        both = autograd.value_and_grad(loss)

        def step():
            value, rows = both(table[indices], *data)
            np.add.at(table, indices, np.float32(-rate) * rows)
            return value

        return step

    def adam(self, parameters, gradients, rate: float):
        means = [np.zeros_like(p) for p in parameters]
        squares = [np.zeros_like(p) for p in parameters]
        count = [0]

        def step():
            count[0] += 1
            scale = np.float32(rate * np.sqrt(1 - 0.999 ** count[0]) / (1 - 0.9 ** count[0]))
            for p, g, m, v in zip(parameters, gradients, means, squares, strict=True):
                m += (g - m) * np.float32(0.1)
                v += (g * g - v) * np.float32(0.001)
                p -= m * scale / (np.sqrt(v) + np.float32(1e-7))
            return parameters[0]

        return step

    def jacobian(self, function, at: np.ndarray):
        jacobian = autograd.jacobian(function)
        return lambda: jacobian(at)

    def hessian(self, function, at: np.ndarray):
        hessian = autograd.hessian(function)
        return lambda: hessian(at)
