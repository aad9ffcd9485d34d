"""Conversion of functions, through diastatic-malt's transformations of the syntax tree.

Converted code keeps the file and the line numbers of the program: tracebacks, explanations and
profiles speak of the user's own lines.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import os
import sys
import textwrap
import threading
import types
from typing import Any

from gradtape.api.autograph import branches, builtins, loops, verbosity
from gradtape.core.source_location import parse, while_parsing
from gradtape.graph.lookahead import library
from gradtape.graph.lookahead.source import is_users, tree_of


class CannotConvert(Exception):
    """Raised for a function whose source cannot be had, or has something that is not converted."""


@functools.cache
def _transpiler():
    from malt.core import converter
    from malt.impl import api
    from malt.operators import function_wrappers, variables
    from malt.utils import ag_logging

    ag_logging.set_verbosity(0)  # it logs by way of the root logger, and speaks of itself

    namespace = types.SimpleNamespace(
        if_stmt=branches.if_stmt,
        if_exp=branches.if_exp,
        and_=branches.and_,
        or_=branches.or_,
        not_=branches.not_,
        assert_stmt=branches.assert_stmt,
        while_stmt=loops.while_stmt,
        for_stmt=loops.for_stmt,
        converted_call=converted_call,
        autograph_artifact=_mark,
        ld=variables.ld,
        ldu=variables.ldu,
        Undefined=variables.Undefined,
        UndefinedReturnValue=variables.UndefinedReturnValue,
        FunctionScope=function_wrappers.FunctionScope,
        with_function_scope=function_wrappers.with_function_scope,
        ConversionOptions=converter.ConversionOptions,
        STD=converter.STANDARD_OPTIONS,
        Feature=converter.Feature,
    )

    class Transpiler(api.PyToPy):
        def get_extra_locals(self):
            return {"ag__": namespace}

        def get_transformed_name(self, node):
            return super().get_transformed_name(node).replace("ag__", "tf__", 1)

    options = converter.ConversionOptions(
        recursive=True,
        user_requested=True,
        optional_features=converter.Feature.ASSERT_STATEMENTS,
    )
    return Transpiler(), converter.ProgramContext(options=options)


_converter_lock = threading.RLock()


@contextlib.contextmanager
def _our_directives():
    """Let the converter know `tf.autograph.experimental.set_loop_options` in the block."""
    from malt.lang import directives

    from gradtape.api.autograph.names import set_loop_options

    with _converter_lock:
        before = directives.set_loop_options, directives.UNSPECIFIED
        directives.set_loop_options, directives.UNSPECIFIED = set_loop_options, None
        try:
            yield
        finally:
            directives.set_loop_options, directives.UNSPECIFIED = before


def _mark(function, extras=None):
    """Mark a function that is converted already."""
    function.__dict__["_is_converted"] = True
    return function


def convert(function: Any) -> Any:
    """Return the converted form of a function or method; raise CannotConvert if there is none."""
    if isinstance(function, types.MethodType):
        return types.MethodType(convert(function.__func__), function.__self__)
    if isinstance(function, functools.partial):
        return functools.partial(convert(function.func), *function.args, **function.keywords)
    if not isinstance(function, types.FunctionType):
        call = getattr(type(function), "__call__", None)  # noqa: B004 (the function is wanted)
        if not isinstance(call, types.FunctionType):
            raise CannotConvert(f"{function!r}: it is not a Python function")
        return types.MethodType(convert(call), function)
    if not needs_conversion(function):
        return function
    if _binds_in_an_operand(function):
        raise CannotConvert(f"{function!r}: `:=` in a condition that may be computed again")
    transpiler, context = _transpiler()
    try:
        with _our_directives():
            converted, module, source_map = while_parsing(transpiler.transform, function, context)
    except MemoryError:
        raise
    except Exception as error:  # of many classes, for what the converter does not know
        verbosity.log(1, "AutoGraph: cannot convert %r: %s", function, error)
        raise CannotConvert(f"{function!r}: {error}") from error
    functools.update_wrapper(converted, function)
    _restore_lines(converted, function, module, source_map)
    verbosity.log(1, "AutoGraph: converted %r", function)
    verbosity.log(2, "AutoGraph: source of %r:\n%s", function, converted.converted_source)
    return _mark(converted)


def _binds_in_an_operand(function: types.FunctionType) -> bool:
    """Return whether `:=` stands where converted code has a function: its name would be local."""
    tree = tree_of(function)
    operands: list = []
    for node in () if tree is None else ast.walk(tree):
        match node:
            case ast.While():
                operands.append(node.test)
            case ast.BoolOp():
                operands += node.values
            case ast.IfExp():
                operands += [node.body, node.orelse]
    return any(isinstance(part, ast.NamedExpr) for each in operands for part in ast.walk(each))


def needs_conversion(function: types.FunctionType) -> bool:
    """Return whether a function is the program's own, and not converted or exempt."""
    return (
        is_users(function.__code__)
        and not function.__dict__.get("_is_converted")
        and not function.__dict__.get("_do_not_convert")
        and not inspect.isgeneratorfunction(function)
        and not inspect.iscoroutinefunction(function)
    )


def converted_call(function, args: tuple, kwargs: dict | None, scope=None, options=None):
    """Call a function from converted code: it is converted too, if it is the program's own."""
    kwargs = kwargs or {}
    overload = builtins.OVERLOADS.get(function) if _is_hashable(function) else None
    if overload is not None:
        return overload(*args, **kwargs)
    if function is super and not args:
        return _super_of(scope)
    if _is_tf_range(function):
        return builtins.tf_range(function, *args, **kwargs)
    if library.name_of(function) in library.CALLBACKS:
        return function(*args, **kwargs)
    if library.is_ours(function):  # it may call functions of the program: tf.map_fn(f, x)
        args = tuple(map(_convert_if_possible, args))
        kwargs = {name: _convert_if_possible(value) for name, value in kwargs.items()}
    return _convert_if_possible(function, of_call=True)(*args, **kwargs)


def _convert_if_possible(value: Any, of_call: bool = False) -> Any:
    """Return a function of the program converted; anything else, as it is.

    `of_call`: it is called here, so that an object stands for its class's `__call__`.
    """
    target = value.__func__ if isinstance(value, types.MethodType) else value
    if of_call and not isinstance(target, (type, types.FunctionType, types.BuiltinFunctionType)):
        target = getattr(type(value), "__call__", None)  # noqa: B004 (the function is wanted)
    if not isinstance(target, types.FunctionType) or not needs_conversion(target):
        return value
    try:
        return convert(value)
    except CannotConvert:  # its statements run as Python's, and a tensor's value ends the trace
        return value


def _is_hashable(function: Any) -> bool:
    return isinstance(function, (type, types.BuiltinFunctionType))


def _is_tf_range(function: Any) -> bool:
    return library.name_of(function) == "range" and library.owner_of(function).startswith(
        "gradtape.api"
    )


def _super_of(scope):
    """Return `super()` of the method that converted code belongs to."""
    from malt.operators import py_builtins

    return py_builtins.super_in_original_context(super, (), scope)


# --- lines ---------------------------------------------------------------------------------------


def _restore_lines(converted, function, module, source_map) -> None:
    """Give converted code the file and line numbers of the function that it was made of."""
    first = function.__code__.co_firstlineno
    lines = {written.lineno: origin.loc.lineno for written, origin in source_map.items()}
    text = _written(module)
    tree = parse(text)
    converted.converted_source = _source_of(converted.__code__.co_name, tree, text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.excepthandler)):
            node.lineno = node.end_lineno = lines.get(node.lineno, first)
            if isinstance(node.end_col_offset, int):  # of a node that had several lines
                node.end_col_offset = max(node.col_offset, node.end_col_offset)
    code = while_parsing(_compile, tree, function.__code__.co_filename)
    for each in _codes(code):
        if each.co_name == converted.__code__.co_name and (
            each.co_freevars == converted.__code__.co_freevars
        ):
            converted.__code__ = each.replace(co_name=function.__code__.co_name)
            return


def _written(module: types.ModuleType) -> str:
    """Return the text of a module that the converter wrote; nothing of it stays on the disk.

    The converter removes its files when the process ends, if it does not end by a signal.
    """
    with _converter_lock:
        if "converted_text" not in module.__dict__:
            path = str(module.__file__)
            with open(path, encoding="utf-8") as file:
                module.__dict__["converted_text"] = file.read()
            with contextlib.suppress(OSError):
                os.remove(path)
            sys.modules.pop(module.__name__, None)
        return module.__dict__["converted_text"]


def _compile(tree: ast.Module, file: str) -> types.CodeType:
    return compile(tree, file, "exec", dont_inherit=True)


def _source_of(name: str, tree: ast.Module, text: str) -> str:
    """Return the source of the function with a name in that of a module."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Assign, ast.FunctionDef)):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node
        is_lambda = isinstance(target, ast.Name) and target.id.startswith("tf__lam")
        if is_lambda or (isinstance(target, ast.FunctionDef) and target.name == name):
            lines = text.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno]
            return textwrap.dedent("".join(lines))
    return text


def _codes(code: types.CodeType):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)
