# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.autograph import experimental as experimental
from typing import Any

def set_verbosity(level: Any, alsologtostdout: bool = False) -> None:
    """Set how much is logged of conversions, at level INFO of the logger `gradtape`.

    0: nothing; from 1 on, what is converted; from 2 on, the converted source. `alsologtostdout`
    prints it, too. Until then, the environment variable AUTOGRAPH_VERBOSITY says how much.

    Args:
        level: how much is logged.
        alsologtostdout: whether to print, too.

    Returns:
        Nothing.

    Raises:
        TypeError if `level` has a type that it does not take.
    """

def to_code(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> str:
    """Return the source of the converted function.

    Without the converter (the `autograph` extra) it is that of the function itself.

    Args:
        entity: a function.
        recursive: whether functions that it calls are converted, too.
        experimental_optional_features: has no effect; there for compatibility.

    Raises:
        ValueError if `entity` is not callable.
    """

def to_graph(
    entity: Any,
    recursive: bool = True,
    experimental_optional_features: Any = None,
) -> Any:
    """Return the function with its control flow converted, to be called while tracing.

    Without the converter (the `autograph` extra) it is the function itself, whose control flow
    works on tensors where it runs eagerly.

    Args:
        entity: a function.
        recursive: whether functions that it calls are converted, too.
        experimental_optional_features: has no effect; there for compatibility.

    Raises:
        ValueError if `entity` is not callable.
    """

def trace(*args: Any) -> None:
    """Print the arguments, at the time they are computed.

    Args:
        *args: positional arguments.

    Returns:
        Nothing.
    """
