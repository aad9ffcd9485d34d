"""What a library leaves to TensorFlow's runtime, done for it after one of its modules is loaded.

The files of the library stay as they are; see `keras_plug.py` for the same way with Keras.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Mapping
from types import ModuleType

Adaptation = Callable[[ModuleType], None]


def _select_for_the_cpu(module: ModuleType) -> None:
    """Choose the implementation for the CPU, as TensorFlow's optimizer of graphs does when both
    are in a graph."""

    def implementation_selecting(fn_name, default_fn, cpu_fn):
        def selected(**kwargs):
            runtime = module._RUNTIME_CPU
            return cpu_fn(**kwargs), module.tf.constant(runtime, dtype=module.tf.float32)

        return selected

    vars(module)["implementation_selecting"] = implementation_selecting


def _differentiate_with_tapes(module: ModuleType) -> None:
    """Take gradients with a tape inside functions, too, where the library has tf.gradients for
    TensorFlow's graphs: a tape sees loops and branches as they are traced."""
    vars(module)["_gradient_old"] = module._gradient_new


def _map_over_shapes(module: ModuleType) -> None:
    """Let the library map over shapes as leaves, as tf.nest does: dm-tree takes every tuple for a
    structure, and TensorFlow's shapes are none."""
    vars(module)["tree"] = module.tf.nest


def _unroll_step_by_step(module: ModuleType) -> None:
    """Unroll LSTMs with the library's own implementation of ops for every device; the others are
    fused ops of TensorFlow's CPU and GPU kernels."""
    vars(module)["_specialized_unrolled_lstm"] = module._fallback_unrolled_lstm


AFTERWARDS = {
    "sonnet.src.recurrent": _unroll_step_by_step,
    "sonnet.src.build": _map_over_shapes,
    "tensorflow_probability.python.math.gradient": _differentiate_with_tapes,
    "tensorflow_probability.python.internal.implementation_selection": _select_for_the_cpu,
}


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, adapt: Adaptation) -> None:
        super().__init__(name, path)
        self._adapt = adapt

    def exec_module(self, module):
        super().exec_module(module)
        self._adapt(module)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, adaptations: Mapping[str, Adaptation]) -> None:
        self._adaptations = adaptations

    def find_spec(self, fullname, path=None, target=None):
        adapt = self._adaptations.get(fullname)
        if adapt is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, adapt)
        return spec


def install(adaptations: Mapping[str, Adaptation]) -> None:
    """Adapt modules: those that are loaded now, the others when they are."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
    sys.meta_path.insert(0, _Finder(adaptations))
    for name, adapt in adaptations.items():
        if name in sys.modules:
            adapt(sys.modules[name])
