"""Calls: functions of the program are followed, those of libraries are looked up in library.py."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from typing import Any

from gradtape.graph.lookahead import library, values
from gradtape.graph.lookahead.source import FunctionNode, is_users, tree_of
from gradtape.graph.lookahead.statements import Analysis, Frame
from gradtape.graph.lookahead.values import (
    LIKELY,
    MADE,
    TAPE,
    TENSOR,
    UNKNOWN,
    Applied,
    Each,
    Items,
    Known,
    Local,
    Method,
    Parent,
)
from gradtape.graph.obstacles import TAKES_ELEMENTS, Obstacle

MAX_CALL_DEPTH = 8


class Arguments:
    """The abstract values that a function is called with."""

    def __init__(self, given: list, named: dict[str, Any], complete: bool = True) -> None:
        self.given = given
        self.named = named
        self.complete = complete  # no * or ** argument of unknown length

    def everything(self) -> list:
        return [*self.given, *self.named.values()]

    def at(self, key: int | str) -> Any:
        """Return the argument with an index or a name."""
        if isinstance(key, str):
            return self.named.get(key, UNKNOWN)
        return self.given[key] if key < len(self.given) else UNKNOWN


def eval_call(frame: Frame, node: ast.Call) -> Any:
    """Return the abstract result of a call expression."""
    arguments = _arguments(frame, node)
    function = frame.eval(node.func)
    if type(function) is Known and function.value is super and not node.args:
        return _parent(frame)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        _track_mutation(frame, node.func.value.id, node.func.attr, arguments)
    return result(frame, node, function, arguments)


def _arguments(frame: Frame, node: ast.Call) -> Arguments:
    given: list = []
    complete = True
    for part in node.args:
        if not isinstance(part, ast.Starred):
            given.append(frame.eval(part))
            continue
        value = frame.eval(part.value)
        parts = values.elements(value)
        if parts is None:
            complete = False
            given.append(values.element(value))
        else:
            given += parts
    named: dict = {}
    for keyword in node.keywords:
        value = frame.eval(keyword.value)
        if keyword.arg is not None:
            named[keyword.arg] = value
        elif type(value) is Items and value.names and all(type(n) is str for n in value.names):
            named.update(zip(value.names, value.values, strict=True))
        else:
            complete = False
    return Arguments(given, named, complete)


def _track_mutation(frame: Frame, name: str, method: str, arguments: Arguments) -> None:
    """Update a list or set that a method adds elements to."""
    held = frame.names.get(name)
    if method in ("append", "add", "insert", "extend") and type(held) in (Items, Each):
        old = values.element(Items(held.values) if type(held) is Items else held)
        for value in arguments.everything():
            added = values.element(value) if method == "extend" else value
            old = added if old is UNKNOWN else values.join(old, added)
        frame.names[name] = Each(old)


def result(frame: Frame, node: ast.AST, function: Any, arguments: Arguments) -> Any:
    """Return the abstract result of calling a function with arguments."""
    everything = arguments.everything()
    some_tensor = any(map(values.has_tensor, everything))
    if type(function) is Method:
        return _of_tensor(frame, node, function.name)
    if type(function) is Local:
        return follow_local(frame, function, arguments)
    if type(function) is Applied:
        first = function.arguments
        arguments = Arguments(
            [*first.given, *arguments.given],
            {**first.named, **arguments.named},
            first.complete and arguments.complete,
        )
        return result(frame, node, function.function, arguments)
    if type(function) is not Known:
        return LIKELY if some_tensor or LIKELY in everything else UNKNOWN
    target, arguments = unwrap(function.value, arguments)
    if isinstance(target, (types.FunctionType, types.MethodType)):
        code = target.__code__
        if is_users(code) and library.owner_of(target).split(".")[0] != "numpy":
            return follow_function(frame.analysis, target, arguments, frame.depth + 1)
    if library.is_ours(target) and not _is_users_object(target):
        return _of_gradtape(frame, node, target, arguments, some_tensor)
    if isinstance(target, type):
        return _of_class(frame, node, target, arguments, some_tensor)
    if isinstance(target, types.BuiltinFunctionType) or library.is_numpy(target):
        return _of_builtin(frame, node, target, arguments, some_tensor)
    return _of_object(frame, target, arguments, some_tensor)


def unwrap(target: Any, arguments: Arguments) -> tuple[Any, Arguments]:
    """Return the function inside partials and tf.functions, with the arguments of partials."""
    while True:
        if isinstance(target, functools.partial):
            given = [*map(values.of_object, target.args), *arguments.given]
            named = {name: values.of_object(x) for name, x in target.keywords.items()}
            arguments = Arguments(given, {**named, **arguments.named}, arguments.complete)
            target = target.func
        elif library.is_ours(type(target)) and "_python_function" in (
            getattr(target, "__dict__", ())
        ):
            target = target.__dict__["_python_function"]
        else:
            return target, arguments


def _is_users_object(target: Any) -> bool:
    """Return whether it is an object of a user's subclass of a class of gradtape or Keras."""
    return (
        not isinstance(target, type)
        and any(not library.is_ours(cls) and cls is not object for cls in type(target).__mro__)
        and not isinstance(target, (types.FunctionType, types.MethodType))
    )


def _of_tensor(frame: Frame, node: ast.AST, name: str) -> Any:
    if name in library.VALUE_METHODS:
        frame.fail(f".{name}() asks for the value of a tensor", node)
    return UNKNOWN if name in library.STATIC_METHODS else TENSOR


def _of_gradtape(frame: Frame, node, target, arguments: Arguments, some_tensor: bool) -> Any:
    name = library.name_of(target)
    if library.is_tf_function(target):
        return arguments.given[0] if arguments.given else Known(target)
    if name in library.CALLBACKS:  # a decorator, without arguments
        return TENSOR if arguments.given else UNKNOWN
    if name in library.VALUE_FUNCTIONS and not isinstance(target, type):
        frame.fail(library.VALUE_FUNCTIONS[name], node, Obstacle.OTHER)
    for key in library.needs_value_of(target, len(arguments.given), set(arguments.named)):
        if values.has_tensor(arguments.at(key)):
            frame.fail(f"tf.{name} needs the value of a tensor", node)
    if isinstance(target, type):
        if name == "GradientTape":
            return TAPE
        return TENSOR if name.endswith("Variable") else UNKNOWN
    is_tensor = some_tensor or any(x is LIKELY for x in arguments.everything())
    if library.owner_of(target).startswith("gradtape.core.nest"):
        return LIKELY if is_tensor else UNKNOWN
    with frame.analysis.mapping(name in library.MAPPING_FUNCTIONS):
        _follow_arguments(frame, arguments)
    is_made = any(x is MADE for x in arguments.everything())
    if not is_tensor and (is_made or name in library.CREATION_FUNCTIONS):
        return MADE
    if name in library.STATIC_FUNCTIONS:
        return UNKNOWN
    if library.owner_of(target).startswith("keras"):
        return LIKELY if is_tensor else UNKNOWN
    return TENSOR if is_tensor or library.draws(target) else UNKNOWN


def _follow_arguments(frame: Frame, arguments: Arguments) -> None:
    """Follow function arguments: gradtape calls them with tensors (tf.map_fn, strategy.run, …)."""
    named = arguments.named.get("args")
    for value in arguments.everything():
        if type(value) is Local:
            given = _parameters(value.node, named)
            follow_local(frame, value, Arguments(given, {}, complete=False))
        elif type(value) is Known:
            target, given = unwrap(value.value, Arguments([], {}))
            of_self = isinstance(target, types.MethodType)
            function = target.__func__ if of_self else target
            if isinstance(function, types.FunctionType) and is_users(function.__code__):
                node = tree_of(function)
                if node is None:
                    continue
                parameters = _parameters(node, named)[of_self and named is None :]
                given = Arguments([*given.given, *parameters], given.named, complete=False)
                follow_function(frame.analysis, target, given, frame.depth + 1)


def _parameters(node: FunctionNode, given: Any) -> list:
    if type(given) is Items:
        return given.values
    count = len(node.args.posonlyargs) + len(node.args.args) - len(node.args.defaults)
    return [TENSOR] * count


def _of_class(frame: Frame, node, target: type, arguments: Arguments, some_tensor: bool) -> Any:
    if some_tensor and (target is bool or target in library.VALUE_BUILTINS):
        if any(x is TENSOR for x in arguments.given):
            if frame.analysis.converts and target in library.CONVERTED_BUILTINS:
                frame.decide(node)
                return TENSOR
            _fail_at_builtin(frame, node, target)
        return UNKNOWN
    first = arguments.at(0)
    if target is functools.partial:
        rest = Arguments(arguments.given[1:], arguments.named, arguments.complete)
        return Applied(first, rest)
    over_datasets = target in (enumerate, zip) and any(map(library.is_dataset, arguments.given))
    if over_datasets and frame.analysis.converts:
        frame.decide(node)
        return Each(TENSOR)
    if target is enumerate:
        return Each(Items([UNKNOWN, values.element(first)]))
    if target is zip:
        return _zipped(arguments)
    if target in (list, tuple, set, reversed, frozenset):
        parts = values.elements(first)
        if parts is not None:
            return Items(parts[::-1] if target is reversed else list(parts))
        return Each(values.element(first))
    if library.is_numpy(target) and any(x is TENSOR for x in arguments.given):
        frame.fail("NumPy asks for the value of a tensor", node)
    return UNKNOWN


def _zipped(arguments: Arguments) -> Any:
    known = [values.elements(x) for x in arguments.given]
    if known and all(parts is not None for parts in known):
        return Items([Items(list(each)) for each in zip(*known)])  # noqa: B905
    return Each(Items([values.element(x) for x in arguments.given]))


def _fail_at_builtin(frame: Frame, node, target) -> None:
    """Fail if a builtin needs the value of a tensor that it is given."""
    if target in library.BRANCHING_BUILTINS:
        frame.fail_at_branch(node)
    if target in library.VALUE_BUILTINS:
        frame.fail(library.VALUE_BUILTINS[target], node)


def _of_builtin(frame: Frame, node, target, arguments: Arguments, some_tensor: bool) -> Any:
    is_tensor = any(x is TENSOR for x in arguments.given)
    if not some_tensor:
        if target is next and library.is_dataset(arguments.at(0)):
            if frame.analysis.converts:
                frame.decide(node)
                return TENSOR
            frame.fail(TAKES_ELEMENTS, node, Obstacle.OTHER)
        return UNKNOWN
    if target is isinstance:
        return values.is_instance(arguments.at(0), arguments.at(1))
    if is_tensor and frame.analysis.converts and target in library.CONVERTED_BUILTINS:
        frame.decide(node)
        return TENSOR
    if is_tensor:
        _fail_at_builtin(frame, node, target)
    if target in (max, min) and (is_tensor or has_tensor_inside(arguments.at(0))):
        frame.fail_at_branch(node)
    if target in (sum, abs, pow, divmod):
        return TENSOR
    if target in (any, all) and has_tensor_inside(arguments.at(0)):
        frame.fail_at_branch(node)
    if library.is_numpy(target) and some_tensor:
        frame.fail("NumPy asks for the value of a tensor", node)
    return UNKNOWN


def has_tensor_inside(x: Any) -> bool:
    return type(x) in (Items, Each) and values.has_tensor(x)


def _of_object(frame: Frame, target: Any, arguments: Arguments, some_tensor: bool) -> Any:
    """Return the result of a callable object: of its `__call__`, or of `call` of a Keras layer."""
    if library.is_numpy(target):
        return _of_builtin(frame, ast.Pass(), target, arguments, some_tensor)
    for name in ("__call__", "call"):
        method = inspect.getattr_static(type(target), name, None)
        if isinstance(method, types.FunctionType) and is_users(method.__code__):
            bound = types.MethodType(method, target)
            value = follow_function(frame.analysis, bound, arguments, frame.depth + 1)
            return LIKELY if value is UNKNOWN and some_tensor else value
    return LIKELY if some_tensor else UNKNOWN


def _parent(frame: Frame) -> Any:
    """Return the value of `super()` without arguments."""
    first = next(iter(frame.names.values()), None)
    cls = frame.lookup("__class__")
    if type(first) is Known and type(cls) is Known and isinstance(cls.value, type):
        return Parent(cls.value, first.value)
    return UNKNOWN


# --- functions of the program --------------------------------------------------------------------


def follow_function(analysis: Analysis, target: Any, arguments: Arguments, depth: int) -> Any:
    """Interpret a function of the program, and return its result."""
    if isinstance(target, types.MethodType):
        given = [values.of_object(target.__self__), *arguments.given]
        arguments = Arguments(given, arguments.named, arguments.complete)
        target = target.__func__
    if depth > MAX_CALL_DEPTH or not isinstance(target, types.FunctionType):
        return UNKNOWN
    node = tree_of(target)
    if node is None or target.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):
        return UNKNOWN
    key = (target.__code__, analysis.converts, *map(_key, arguments.given), *_keys(arguments.named))
    if key in analysis.done:
        return analysis.done[key]
    analysis.done[key] = UNKNOWN  # for recursion
    frame = Frame(analysis, target, target.__code__.co_filename, depth)
    defaults = [values.of_object(x) for x in target.__defaults__ or ()]
    if len(defaults) > len(node.args.posonlyargs) + len(node.args.args):
        return UNKNOWN  # the source is another function's: a decorator has changed this one
    by_name = {name: values.of_object(x) for name, x in (target.__kwdefaults__ or {}).items()}
    analysis.done[key] = value = _follow(frame, node, arguments, defaults, by_name)
    return value


def follow_local(frame: Frame, function: Local, arguments: Arguments) -> Any:
    """Interpret a function that is defined inside the function, and return its result."""
    if frame.depth >= MAX_CALL_DEPTH:
        return UNKNOWN
    outer = function.frame
    inner = Frame(frame.analysis, outer.function, outer.file, frame.depth + 1, outer)
    spec = function.node.args
    by_name = {a.arg: UNKNOWN for a in spec.kwonlyargs}
    return _follow(inner, function.node, arguments, [UNKNOWN] * len(spec.defaults), by_name)


def _follow(frame: Frame, node: FunctionNode, arguments: Arguments, defaults, by_name) -> Any:
    _bind(frame, node.args, arguments, defaults, by_name)
    if isinstance(node, ast.Lambda):
        return frame.eval(node.body)
    if not frame.run(node.body):
        frame.results.append(Known(None))
    result = frame.results[0] if frame.results else UNKNOWN
    for each in frame.results[1:]:
        result = values.join(result, each)
    return result


def _bind(frame: Frame, spec: ast.arguments, arguments: Arguments, defaults, by_name) -> None:
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    known = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    if not arguments.complete:
        known = dict.fromkeys(known, UNKNOWN)
        by_name = dict.fromkeys(by_name, UNKNOWN)
    for i, name in enumerate(names):
        if i < len(arguments.given):
            frame.names[name] = arguments.given[i]
        else:
            frame.names[name] = arguments.named.get(name, known.get(name, UNKNOWN))
    for argument in spec.kwonlyargs:
        name = argument.arg
        frame.names[name] = arguments.named.get(name, by_name.get(name, UNKNOWN))
    if spec.vararg is not None:
        rest = arguments.given[len(names) :]
        frame.names[spec.vararg.arg] = Items(rest) if arguments.complete else Each(UNKNOWN)
    if spec.kwarg is not None:
        taken = {*names, *[a.arg for a in spec.kwonlyargs]}
        rest = {name: x for name, x in arguments.named.items() if name not in taken}
        frame.names[spec.kwarg.arg] = Items(list(rest.values()), list(rest))


def _key(x: Any) -> Any:
    if type(x) is Known:
        simple = type(x.value) in values.SIMPLE
        return (type(x.value), repr(x.value)) if simple else id(x.value)
    if type(x) is Items:
        return ("items", *map(_key, x.values), repr(x.names))
    if type(x) is Each:
        return ("each", _key(x.element))
    return id(x)


def _keys(named: dict) -> list:
    return [(name, _key(x)) for name, x in named.items()]
