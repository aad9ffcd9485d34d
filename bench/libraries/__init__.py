"""One adapter for each library: the operations that the workloads are written with.

The workloads are one program each, in terms of an adapter. An adapter gives the library's own best
function for each operation (PyTorch's `layer_norm`, say, where others have to compose it), and the
library's own way to take gradients and to update parameters.
"""

from __future__ import annotations

import importlib

# library: forms that its programs can run in, plain ones first.
FORMS = {
    "gradtape": ("eager", "no extension"),
    "torch": ("eager", "compile"),
    "tensorflow": ("eager", "function", "xla"),
    "jax": ("jit",),
    "autograd": ("eager",),
}
COMPILED = {("torch", "compile"), ("tensorflow", "function"), ("tensorflow", "xla"), ("jax", "jit")}
TITLES = {
    ("gradtape", "eager"): "gradtape",
    ("gradtape", "no extension"): "gradtape, no extension",
    ("torch", "eager"): "PyTorch",
    ("torch", "compile"): "torch.compile",
    ("tensorflow", "eager"): "TensorFlow",
    ("tensorflow", "function"): "tf.function",
    ("tensorflow", "xla"): "TensorFlow XLA",
    ("jax", "jit"): "jax.jit",
    ("autograd", "eager"): "autograd",
}
_MODULES = {
    "gradtape": "libraries.tape",
    "tensorflow": "libraries.tape",
    "torch": "libraries.pytorch",
    "jax": "libraries.with_jax",
    "autograd": "libraries.with_autograd",
}


class Unavailable(Exception):
    """A library has no such thing, or not in this form; the text says why."""


def load(library: str, form: str):
    """The adapter of a library, which this imports."""
    return importlib.import_module(_MODULES[library]).Library(library, form)
