"""`tf.autograph`: no code is converted.

A function whose Python control flow depends on the value of a tensor runs eagerly, where that
works as it stands.
"""

from __future__ import annotations

import enum

from gradtape.api.export import export


@export("autograph.to_graph")
def to_graph(entity, recursive=True, experimental_optional_features=None):
    """The function itself: run eagerly, its control flow works on tensors as it stands."""
    return entity


@export("autograph.to_code")
def to_code(entity, recursive=True, experimental_optional_features=None) -> str:
    """The source of the function itself, which is what runs."""
    import inspect

    return inspect.getsource(getattr(entity, "python_function", entity))


@export("autograph.set_verbosity")
def set_verbosity(level, alsologtostdout=False) -> None:
    """Accepted; there is no conversion to report of."""


@export("autograph.trace")
def trace(*args) -> None:
    """Print the arguments, at the time they are computed."""
    print(*args)


@export("autograph.experimental.do_not_convert")
def do_not_convert(func=None):
    """The function itself: nothing is ever converted."""
    return func if func is not None else do_not_convert


@export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations=None, swap_memory=None, maximum_iterations=None, shape_invariants=None
) -> None:
    """Accepted; the loop is Python's, and may change the shapes of its variables."""


@export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Conversions that TensorFlow can be asked for; none is needed here."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple:
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude) -> tuple:
        excluded = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(feature for feature in cls if feature not in excluded)
