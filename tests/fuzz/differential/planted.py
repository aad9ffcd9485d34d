"""gradtape with faults, which the search must find. (A worker imports it by this name.)"""

import os

import gradtape


def tanh(x, name=None):
    """Wrong for matrices."""
    y = gradtape.tanh(x)
    return y + 0.5 if y.shape.rank and y.shape.rank >= 2 else y


def sinh(x, name=None):
    """Ends the process, as a fault in native code does."""
    os.abort()


@gradtape.custom_gradient
def cosh(x):
    """Right by itself, with a wrong derivative."""
    return gradtape.cosh(x), lambda g: 2 * g


def __getattr__(name):
    return getattr(gradtape, name)
