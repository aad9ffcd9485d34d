"""Good calls with one argument replaced: what is wrong is met deep inside, not at the first check.

The good calls are those that the cases of tests/tf_parity make; `call("nn.conv2d", 2, 1, None)` is
the third of those of `tf.nn.conv2d`, with None as its second argument (a name: one by keyword).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import random
import types
import warnings
from collections.abc import Callable
from typing import Any

from tests.fuzz.values import ALMOST, MALFORMED

# Calls of each function that are kept.
_EACH = 6
# Not replaced: how often a loop may run is how often it does, and it counts from its first value.
_LEFT_OUT = {("while_loop", "maximum_iterations"), ("while_loop", "loop_vars"), ("while_loop", 2)}

Call = tuple[Any, list[Any], dict[str, Any]]


class _Listener:
    """A namespace of gradtape's that notes down how its functions are called."""

    def __init__(self, namespace: Any, path: str, noted: dict[str, list[Call]]) -> None:
        self._listened = namespace, path, noted

    def __getattr__(self, name: str) -> Any:
        namespace, path, noted = self._listened
        value, path = getattr(namespace, name), f"{path}{name}"
        if isinstance(value, types.ModuleType):
            return _Listener(value, f"{path}.", noted)
        if inspect.isclass(value) or not callable(value):
            return value

        @functools.wraps(value)
        def note(*args: Any, **names: Any) -> Any:
            result = value(*args, **names)
            if (args or names) and len(noted.setdefault(path, [])) < _EACH:
                noted[path].append((value, list(args), names))
            return result

        return note


def noted(calls: list[Callable[[Any], Any]]) -> dict[str, list[Call]]:
    """Return the calls of public functions that functions of `tf` make."""
    import gradtape

    actual: dict[str, list[Call]] = {}
    for each in calls:
        each(_Listener(gradtape, "", actual))
    return actual


@functools.cache
def good_calls() -> dict[str, list[Call]]:
    """Return calls that work, by the function's name below `tf`."""
    import gradtape
    from tests.tf_parity.cases import MODULES

    noted: dict[str, list[Call]] = {}
    listener = _Listener(gradtape, "", noted)
    for cases in MODULES.values():
        for case in cases:
            given = {
                name: (gradtape.Variable if name in case.variables else gradtape.constant)(
                    made.array(case.name, name)
                )
                for name, made in case.inputs.items()
            }
            with contextlib.suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                case.function(listener, **given)
    return noted


def call(path: str, index: int, position: int | str, value: Any) -> Any:
    """Repeat a good call with another value in one place."""
    function, args, names = good_calls()[path][index]
    if isinstance(position, int):
        args = [*args[:position], value, *args[position + 1 :]]
    else:
        names = {**names, position: value}
    return function(*args, **names)


@functools.cache
def _positions() -> list[tuple[str, int, int | str]]:
    """All arguments of all good calls; the first call of every function comes first."""
    return [
        (path, index, position)
        for index in range(_EACH)
        for path, calls in sorted(good_calls().items())
        if index < len(calls)
        for position in _places_of(path, index)
    ]


def _places_of(path: str, index: int) -> list[int | str]:
    _, args, names = good_calls()[path][index]
    return [
        position for position in (*range(len(args)), *names) if (path, position) not in _LEFT_OUT
    ]


def every(number: int) -> str:
    """Return the call of this number among those with each value in each place."""
    values = MALFORMED + ALMOST
    position, value = divmod(number, len(values))
    return _expression(*_positions()[position % len(_positions())], values[value])


def expression(seed: int, number: int) -> str:
    """Return the call of this number, as an expression; the numbers go through all functions."""
    paths = sorted(good_calls())
    draw = random.Random(f"near {seed} {number}")
    path = paths[number % len(paths)]
    index = draw.randrange(len(good_calls()[path]))
    position = draw.choice(_places_of(path, index))
    return _expression(path, index, position, draw.choice(MALFORMED + ALMOST))


def _expression(path: str, index: int, position: int | str, value: str) -> str:
    return f"near.call({path!r}, {index}, {position!r}, {value})"
