"""What programs for TensorFlow 1 set up before they compute: sessions, their options, collections.

A session exists because many programs open one only to configure memory. Nothing runs in it.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NoReturn

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.default_graph import DefaultGraph, default_graph
from gradtape.core.tensor import Tensor

_COLLECTIONS: dict[Any, list] = {}


class _Options(SimpleNamespace):
    """Options of TensorFlow's runtime: kept, and without effect. Any can be set."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.__dict__[name] = _Options()
        return value


for _name in ("ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunOptions"):
    export(f"compat.v1.{_name}")(
        type(_name, (_Options,), {"__doc__": "Options that change nothing here."})
    )


@export("compat.v1.Session", "compat.v1.InteractiveSession")
class Session:
    """A session that can be opened and closed, and runs nothing: ops have run already."""

    def __init__(self, target="", graph=None, config=None) -> None:
        self.graph = graph

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception) -> None:
        return None

    as_default = __enter__

    def close(self) -> None:
        """Do nothing."""

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None) -> NoReturn:
        """Raise the error that says what to write instead."""
        raise RuntimeError(
            "Session.run: gradtape runs every op at once, as TensorFlow 2 does, and builds no "
            "graph that a session could run. A tensor has its value (x.numpy()); make the "
            "computation a function of what feed_dict has, and call it; variables are initialized "
            "when they are made."
        )


@export("compat.v1.get_default_graph")
def get_default_graph() -> DefaultGraph:
    """Return an object that stands for the graph of the function being traced, or for none."""
    return default_graph()


def _placeholder(name: str):
    def function(*args, **kwargs) -> NoReturn:
        raise RuntimeError(
            f"tf.{name}() is not compatible with eager execution, and there is no graph to feed. "
            "Write a function with a parameter in its place, and call it with the value."
        )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Raise: there are no graphs to feed."
    return function


for _name in ("placeholder", "sparse_placeholder"):
    export(f"compat.v1.{_name}")(_placeholder(_name))


@export("compat.v1.placeholder_with_default")
def placeholder_with_default(input, shape, name=None) -> Tensor:
    """Return the tensor: nothing can be fed in its place."""
    return ops.identity(ops.to_tensor(input))


@export("compat.v1.GraphKeys")
class GraphKeys:
    """Names of collections."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    LOSSES = "losses"
    SUMMARIES = "summaries"
    UPDATE_OPS = "update_ops"
    GLOBAL_STEP = "global_step"


@export("compat.v1.add_to_collection")
def add_to_collection(name, value) -> None:
    """Append a value to a named collection of this process."""
    _COLLECTIONS.setdefault(name, []).append(value)


@export("compat.v1.get_collection")
def get_collection(key, scope=None) -> list:
    """Return the values of a collection. Variables are in none, as in TensorFlow 2."""
    return list(_COLLECTIONS.get(key, ()))


def _nothing_collected(name: str):
    def function(scope=None) -> list:
        return []

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Return []: variables live in objects, as in TensorFlow 2."
    return function


for _name in (
    "global_variables",
    "local_variables",
    "model_variables",
    "moving_average_variables",
    "trainable_variables",
    "losses.get_losses",
    "losses.get_regularization_losses",
):
    export(f"compat.v1.{_name}")(_nothing_collected(_name))
