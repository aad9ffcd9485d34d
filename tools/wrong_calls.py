"""What wrong calls raise: the errors that `help` tells of (`api/documentation/errors.txt`).

    python -m tools.wrong_calls           write the file
    python -m tools.wrong_calls --check   fail if it is out of date

The cases of tests/tf_parity are good calls. Each is repeated with one mistake that people make (an
axis too many, a text for a number, shapes that do not fit); the file has the class that each
mistake raises, by function. Nothing is noted where a mistake is none, or where two calls differ.
`good_calls.py` has a call of the functions without a case. Its last line names the functions that
took every mistake.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import logging
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gradtape as tf
from gradtape.api.documentation.mistakes import MISTAKES
from gradtape.api.export import PUBLIC, lookup
from gradtape.core.symbolic_tensor import SymbolicTensor
from tools.good_calls import CALLS

FILE = Path("src/gradtape/api/documentation/errors.txt")
# A number that is not negative is wanted under these names; under the others, -1 may be meant.
_COUNTS = (
    *("depth", "k", "n", "num", "num_segments", "num_classes", "size", "rate", "num_samples"),
    *("num_buckets", "ksize", "filter_size", "max_output_size", "block_size", "nth", "bins"),
    *("num_rows", "num_columns", "nbins", "maxlen", "frame_length", "frame_step", "dilations"),
)
_AXES = ("axis", "dim", "axes", "batch_dims", "concat_dim", "seq_axis", "batch_axis", "perm")
_INDICES = ("indices", "segment_ids", "ids")

# As TensorFlow's users know them: a ShapeError is an InvalidArgumentError.
_ERRORS = set(dir(tf.errors)) - {"AxisError", "DTypeError", "ShapeError"}

# What the line of functions that took every mistake begins with.
NOTHING = "# Raise nothing: "
# How a call ended that raised another error.
OTHER = "other"

Mistake = tuple[str, tuple[str, ...], dict[str, Any]]  # which, of what parameters, the arguments
Outcomes = dict[tuple[str, tuple[str, ...]], set[str | None]]  # classes by mistake and parameters


def _is_tensor(value: Any) -> bool:
    return isinstance(value, tf.Tensor)


def _other_shape(x: Any) -> Any:
    return tf.zeros([size + 1 for size in x.shape], x.dtype) if x.shape.rank else None


def mistakes(given: dict[str, Any]) -> Iterator[Mistake]:
    """Yield the mistakes that can be made in a call with these arguments, each with its own."""
    tensors = [name for name, value in given.items() if _is_tensor(value)]
    for name in tensors:
        yield "unconvertible", (name,), {name: object()}
    for name, value in given.items():
        if name == "name":
            continue
        if name in _AXES and (value is None or isinstance(value, (int, list, tuple))):
            wrong = [99] * len(value) if isinstance(value, (list, tuple)) and value else 99
            yield "axis", (name,), {name: wrong}
        elif name in _COUNTS and isinstance(value, int) and not isinstance(value, bool):
            yield "negative", (name,), {name: -1}
        elif name == "shape" and isinstance(value, (list, tuple)) and value:
            yield "sizes", (name,), {name: [-7] * len(value)}
        elif isinstance(value, str):
            yield "choice", (name,), {name: "no such"}
        elif callable(value) and not _is_tensor(value) and not isinstance(value, (type, tf.DType)):
            yield "callable", (name,), {name: 3}
        elif _is_tensor(value):
            text = value.dtype == tf.string
            if name in _INDICES and value.dtype.is_integer:
                yield "indices", (name,), {name: tf.fill(value.shape, tf.cast(1000, value.dtype))}
            other = tf.zeros(value.shape) if text else tf.fill(value.shape, "text")
            yield "dtype", (name,), {name: other}
            if value.shape.rank:
                yield "rank", (name,), {name: tf.zeros((), value.dtype) if not text else "text"}
        if not _is_tensor(value):
            yield "type", (name,), {name: object()}
    for i, first in enumerate(tensors):
        for second in tensors[i + 1 :]:
            x, y = given[first], given[second]
            if not text_free(x, y):
                continue
            yield "shapes", (first, second), {second: _other_shape(y)}
            if x.dtype == y.dtype and x.dtype.is_floating:
                wider = tf.float64 if x.dtype != tf.float64 else tf.float32
                yield "dtypes", (first, second), {second: tf.cast(y, wider)}


def text_free(*values: Any) -> bool:
    """Return whether none of these tensors holds texts."""
    return all(value.dtype != tf.string for value in values)


def raised(function: Callable[..., Any], bound: inspect.BoundArguments) -> str | None:
    """Return the name of the class that a call raises: OTHER for one that is not told of."""
    try:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            function(*bound.args, **bound.kwargs)
    except tf.errors.OpError as error:
        return f"tf.errors.{next(k.__name__ for k in type(error).__mro__ if k.__name__ in _ERRORS)}"
    except (TypeError, ValueError, IndexError) as error:
        result = [kind for kind in (IndexError, ValueError, TypeError) if isinstance(error, kind)]
        return result[0].__name__
    except Exception:  # such as one of the program's own functions
        return OTHER
    return None


def outcomes(function: Callable[..., Any], calls: list[Any]) -> Outcomes:
    """Return what the mistakes raised: the classes by mistake and parameters."""
    signature = inspect.signature(function)
    seen: Outcomes = {}
    for _, args, names in calls:
        try:
            bound = signature.bind(*args, **names)
        except TypeError:
            continue
        bound.apply_defaults()
        given = dict(bound.arguments)
        if any(isinstance(value, SymbolicTensor) for value in given.values()):
            continue  # it has no value outside of the trace or vmap that it is of
        for mistake, parameters, wrong in mistakes(_single(signature, given)):
            if any(value is None for value in wrong.values()):
                continue
            bound.arguments.update(_packed(signature, wrong))
            seen.setdefault((mistake, parameters), set()).add(raised(function, bound))
            bound.arguments.update(given)
        if any(mistake == "type" for mistake, _ in seen):
            raised(function, bound)  # settings are what they were
    return seen


def _single(signature: inspect.Signature, given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments, the first one in place of `*inputs`, and without `**names`."""
    single = {}
    for name, value in given.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL and value:
            single[name] = value[0]
        elif kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            single[name] = value
    return single


def _packed(signature: inspect.Signature, single: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments as a call wants them: `*inputs` is a tuple."""
    several = inspect.Parameter.VAR_POSITIONAL
    return {
        name: (value,) if signature.parameters[name].kind is several else value
        for name, value in single.items()
    }


def errors_of(seen: Outcomes) -> dict[tuple[str, str], list[str]]:
    """Return parameters by (class, mistake)."""
    actual: dict[tuple[str, str], list[str]] = {}
    for (mistake, parameters), classes in seen.items():
        # A mistake that is none in one call (shapes that broadcast) is one in another.
        kinds = classes - {None} if mistake in ("shapes", "rank") else classes
        kind = next(iter(kinds)) if len(kinds) == 1 else None
        if kind not in (None, OTHER):
            actual.setdefault((kind, mistake), []).append("+".join(parameters))
    # Every function has these: they are told where there is no other.
    named = {key: names for key, names in actual.items() if key[1] not in ("unconvertible", "type")}
    without_types = {key: names for key, names in actual.items() if key[1] != "type"}
    return named or without_types or actual


def noted_calls() -> dict[int, list[Any]]:
    """Return good calls by the id of the function."""
    near = importlib.import_module("tests.fuzz.near")
    by_name = dict(near.good_calls())
    for path, calls in near.noted(CALLS).items():
        by_name.setdefault(path, calls)
    by_function: dict[int, list[Any]] = {}
    for calls in by_name.values():
        by_function.setdefault(id(calls[0][0]), []).extend(calls)
    return by_function


def text() -> str:
    """Return the whole file."""
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    logging.getLogger("gradtape").setLevel(logging.CRITICAL)
    lines = ["# Written by `python -m tools.wrong_calls`: function, class, mistake, parameters."]
    order = list(MISTAKES)
    harmless = []
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        by_function = noted_calls()
        for name in sorted(PUBLIC):
            value = lookup(name)
            if getattr(value.__doc__, "name", None) != name or id(value) not in by_function:
                continue
            seen = outcomes(value, by_function[id(value)])
            actual = errors_of(seen)
            for kind, mistake in sorted(actual, key=lambda key: (key[0], order.index(key[1]))):
                lines.append(f"{name}: {kind} {mistake} {' '.join(actual[kind, mistake])}")
            if not set().union(*seen.values()) - {None}:
                harmless.append(name)
    lines.append(f"{NOTHING}{' '.join(harmless)}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write what wrong calls raise.")
    parser.add_argument("--check", action="store_true", help="only compare with the file")
    options = parser.parse_args(arguments)
    wanted = text()
    if not options.check:
        FILE.write_text(wanted, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != wanted:
        print(f"{FILE} is out of date: run python -m tools.wrong_calls", file=sys.stderr)
        return 1
    print(f"{FILE} is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
