"""`gradtape check`: compares the derivatives of a function in a file with central differences."""

from __future__ import annotations

import ast
import inspect
import io
import os
import sys
from types import ModuleType

import numpy as np

from gradtape import ops
from gradtape.cli.arguments import UsageError, missing_file
from gradtape.core import nest


def check(argument: str, at: list[str], shape: str, order: int) -> int:
    """Check the function named as FILE:FUNCTION; 0 if its derivatives are right."""
    try:
        function = _function(argument)
        points = _points(function, at, shape)
    except UsageError as error:
        print(f"gradtape check: {error}", file=sys.stderr)
        return 2
    from gradtape.testing import check_gradients

    name = argument.rpartition(":")[2]
    try:
        _must_be_differentiable(name, function(*map(ops.to_tensor, points)))
        check_gradients(function, points, order=order, rtol=1e-5, atol=1e-6)
    except UsageError as error:
        print(f"gradtape check: {error}", file=sys.stderr)
        return 2
    except AssertionError as failure:
        print(f"gradtape check: {name}: {failure}", file=sys.stderr)
        return 1
    except Exception as error:  # of the user's function: shown, and the command ends
        print(
            f"gradtape check: {name} could not be computed at "
            f"{', '.join(_format(p) for p in points)}: {type(error).__name__}: {error}",
            file=sys.stderr,
        )
        return 2
    orders = "first" if order == 1 else f"first {order}"
    print(
        f"{name}: the derivatives of the {orders} order{'s' if order > 1 else ''} agree with "
        f"central differences, in reverse and forward mode, at {', '.join(map(_format, points))}."
    )
    return 0


def _must_be_differentiable(name: str, result) -> None:
    """Raise unless a result is floating point: there would be nothing to compare."""
    leaves = nest.flatten(result)
    kinds = [ops.to_tensor(y).dtype if ops.is_tensor_like(y) else None for y in leaves]
    if not any(kind is not None and kind.is_differentiable for kind in kinds):
        shown = ", ".join(
            repr(y) if kind is None else f"a tensor of dtype {kind.name}"
            for y, kind in zip(leaves, kinds, strict=True)
        )
        raise UsageError(
            f"{name} gave {shown or 'nothing'}; only floating point tensors have derivatives."
        )


def _function(argument: str):
    file, separator, name = argument.rpartition(":")
    if not separator or not file or not name:
        raise UsageError(f"{argument}: say which function, as in script.py:function.")
    module = load(file)
    value = module
    for part in name.split("."):
        value = getattr(value, part, None)
    if not callable(value):
        known = [n for n, f in vars(module).items() if inspect.isfunction(f)]
        hint = f" Its functions are: {', '.join(known[:12])}." if known else ""
        raise UsageError(f"{file} has no function {name!r}.{hint}")
    return value


def load(file: str) -> ModuleType:
    """Import a file as a module: what stands under `if __name__ == "__main__"` does not run."""
    missing = missing_file(file)
    if missing is not None:
        raise UsageError(missing)
    if not file.endswith(".py"):
        raise UsageError(f"{file}: name a .py file.")
    from gradtape.serving.hooks import ImportHooks
    from gradtape.serving.libraries import ConfigurationError, served_by

    folder = os.path.dirname(os.path.realpath(file))
    try:
        ImportHooks(folder, served_by(folder)).install()
    except ConfigurationError as error:
        raise UsageError(str(error)) from None
    sys.path.insert(0, folder)
    module = ModuleType(os.path.splitext(os.path.basename(file))[0])
    module.__file__ = os.path.abspath(file)
    sys.modules.setdefault(module.__name__, module)
    try:
        with io.open_code(module.__file__) as opened:
            code = compile(opened.read(), module.__file__, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        line = getattr(error, "lineno", None)
        text = getattr(error, "msg", str(error))
        raise UsageError(f"{file}{f':{line}' if line else ''}: {text}.") from None
    try:
        exec(code, module.__dict__)
    except (Exception, SystemExit) as error:  # of the user's file: raised again as a UsageError
        trace, line = error.__traceback__, None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == module.__file__:
                line = trace.tb_lineno
            trace = trace.tb_next
        raise UsageError(
            f"{file}:{line}: the file ends with {type(error).__name__}: {error}"
        ) from None
    return module


def _points(function, at: list[str], shape: str) -> list:
    if at:
        values = [_literal(text) for text in at]
        if any(v.dtype.kind in "fc" for v in values):
            return values
        return [v.astype(np.float64) for v in values]  # `--at 3` means the number 3.0
    try:
        sizes = tuple(int(n) for n in shape.split(",") if n.strip())
    except ValueError:
        raise UsageError(f"--shape {shape}: give sizes separated by commas, as in 2,3.") from None
    if any(n < 0 for n in sizes):
        raise UsageError(f"--shape {shape}: a size cannot be negative.")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise UsageError("the function's signature is not known; give values with --at.") from None
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    if not needed:
        raise UsageError("the function takes no arguments; there is nothing to differentiate by.")
    # Between 0.5 and 1.5, logarithms and roots are defined and nothing is at a kink.
    random = np.random.default_rng(0)
    return [random.uniform(0.5, 1.5, sizes) for _ in needed]


def _literal(text: str):
    try:
        value = ast.literal_eval(text)
        return np.asarray(value, np.float64 if _is_float(value) else None)
    except (SyntaxError, ValueError, TypeError):
        raise UsageError(
            f"--at {text}: give a number or a list of numbers, as in '[1.0, 2.0]'."
        ) from None


def _is_float(value) -> bool:
    return np.asarray(value).dtype.kind in "f"


def _format(point) -> str:
    array = np.asarray(point)
    return str(array.round(4).tolist()) if array.size <= 4 else f"a random {list(array.shape)}"
