"""The Gaussian error linear unit and its slope times a cotangent: see `gradtape.ops.gelu`."""

from __future__ import annotations

import math

import numpy as np

from gradtape.backends.numpy.elementwise import in_float32, sigmoid
from gradtape.backends.numpy.special import of_scipy

# Constants as TensorFlow has them: through float32, whatever the dtype of the tensor.
ROOT_HALF = float(np.float32(math.sqrt(0.5)))
A = 2 * math.sqrt(2 / math.pi)
B = A * float(np.float32(0.044715))


@of_scipy
def gelu(special, x):
    return x * special.erfc(-ROOT_HALF * x) / 2


@of_scipy
def gelu_grad(special, x, g):
    y = ROOT_HALF * x
    return g * (special.erfc(-y) / 2 + y / math.sqrt(math.pi) * np.exp(-y * y))


@in_float32
def gelu_tanh(x):
    return x * sigmoid(x * (A + B * (x * x)))


def gelu_tanh_grad(x, g):
    wide = x.astype(np.float32) if x.dtype.itemsize <= 2 else x
    square = wide * wide
    s = sigmoid(wide * (A + B * square))
    slope = s + wide * s * (1 - s) * (A + 3 * B * square)
    return g * slope.astype(x.dtype)


KERNELS = {
    "gelu": gelu,
    "gelu_grad": gelu_grad,
    "gelu_tanh": gelu_tanh,
    "gelu_tanh_grad": gelu_tanh_grad,
}
