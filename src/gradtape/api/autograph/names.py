"""`tf.autograph`: conversion by name, and functions that are left alone."""

from __future__ import annotations

import enum
import inspect

from gradtape.api.export import export
from gradtape.api.function import function as functions
from gradtape.core.convert import static_int


def _converted(entity):
    from gradtape.api.autograph.convert import CannotConvert, convert

    try:
        return convert(entity)
    except CannotConvert as error:
        raise ValueError(f"tf.autograph cannot convert {error}") from None


@export("autograph.to_graph")
def to_graph(entity, recursive=True, experimental_optional_features=None):
    """Return the function with its control flow converted, to be called while tracing.

    Without the converter (the `autograph` extra) it is the function itself, whose control flow
    works on tensors where it runs eagerly.
    """
    if not functions.autograph_is_available():
        return entity
    return _converted(entity)


@export("autograph.to_code")
def to_code(entity, recursive=True, experimental_optional_features=None) -> str:
    """Return the source of the converted function.

    Without the converter (the `autograph` extra) it is that of the function itself.
    """
    function = getattr(entity, "python_function", entity)
    if not functions.autograph_is_available():
        return inspect.getsource(function)
    return _converted(function).converted_source


@export("autograph.set_verbosity")
def set_verbosity(level, alsologtostdout=False) -> None:
    """Set how much is logged of conversions, at level INFO of the logger `gradtape`.

    0: nothing; from 1 on, what is converted; from 2 on, the converted source. `alsologtostdout`
    prints it, too. Until then, the environment variable AUTOGRAPH_VERBOSITY says how much.
    """
    from gradtape.api.autograph import verbosity

    verbosity.set_level(static_int(level, "set_verbosity: level"), bool(alsologtostdout))


@export("autograph.trace")
def trace(*args) -> None:
    """Print the arguments, at the time they are computed."""
    print(*args)


@export("autograph.experimental.do_not_convert")
def do_not_convert(func=None):
    """Mark a function whose control flow is left to Python."""
    if func is None:
        return do_not_convert
    if not callable(func):
        raise TypeError(f"tf.autograph.experimental.do_not_convert: {func!r} is not callable.")
    marks = getattr(getattr(func, "__func__", func), "__dict__", None)
    if isinstance(marks, dict):  # builtins and classes have none, and no source to convert
        marks["_do_not_convert"] = True
    return func


@export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations=None, swap_memory=None, maximum_iterations=None, shape_invariants=None
) -> None:
    """Set options of the loop whose first statement this is.

    `maximum_iterations` ends a loop that became an op of the graph; a loop that Python runs goes
    on, as in TensorFlow. The others say how TensorFlow runs a loop, and have no meaning here.
    """


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
