"""The Gaussian error linear unit and its slope times a cotangent: see `gradtape.ops.gelu`."""

from __future__ import annotations

import math

import numpy as np

from gradtape.backends.constants import GELU_A as A
from gradtape.backends.constants import GELU_B as B
from gradtape.backends.constants import ROOT_HALF
from gradtape.backends.numpy.activations import sigmoid
from gradtape.backends.numpy.special import of_scipy
from gradtape.backends.precision import in_float32


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
