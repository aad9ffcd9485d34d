"""Expressions, evaluated to abstract values."""

from __future__ import annotations

import ast
import inspect
import operator
import types
from typing import Any

from gradtape.graph.lookahead import values
from gradtape.graph.lookahead.calls import eval_call
from gradtape.graph.lookahead.library import STATIC_ATTRIBUTES
from gradtape.graph.lookahead.statements import Frame
from gradtape.graph.lookahead.values import (
    LIKELY,
    SIMPLE,
    TAPE,
    TENSOR,
    UNKNOWN,
    Each,
    Items,
    Known,
    Local,
    Method,
    Parent,
)

_COMPARISONS = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_MISSING = object()


def evaluate(frame: Frame, node: ast.expr) -> Any:
    """Return the abstract value of an expression."""
    match node:
        case ast.Constant():
            return Known(node.value)
        case ast.Name():
            return frame.lookup(node.id)
        case ast.Attribute():
            return attribute(frame, frame.eval(node.value), node.attr)
        case ast.Call():
            return eval_call(frame, node)
        case ast.BinOp():
            left, right = frame.eval(node.left), frame.eval(node.right)
            if type(left) is Known and isinstance(left.value, str) and values.has_tensor(right):
                frame.fail("Python puts the value of a tensor into a text", node)
            return frame.apply_operator(left, right)
        case ast.UnaryOp():
            if not isinstance(node.op, ast.Not):
                return frame.apply_operator(frame.eval(node.operand))
            value = frame.eval(node.operand)
            if value is TENSOR:
                frame.decide(node.operand)
                return TENSOR
            known = values.truth(value)
            return UNKNOWN if known is None else Known(not known)
        case ast.BoolOp():
            return _eval_bool_op(frame, node)
        case ast.Compare():
            return _eval_compare(frame, node)
        case ast.IfExp():
            known = frame.test(node.test)
            if known is not None:
                return frame.eval(node.body if known else node.orelse)
            return values.join(frame.eval(node.body), frame.eval(node.orelse))
        case ast.Subscript():
            return _eval_subscript(frame, node)
        case ast.Tuple() | ast.List() | ast.Set():
            if any(isinstance(each, ast.Starred) for each in node.elts):
                return Each(values.element(Items([frame.eval(each) for each in node.elts])))
            items = Items([frame.eval(each) for each in node.elts])
            return items if isinstance(node, ast.Tuple) or items.values else Each(UNKNOWN)
        case ast.Dict():
            return _eval_dict(frame, node)
        case ast.Starred():
            return values.element(frame.eval(node.value))
        case ast.Lambda():
            return Local(node, frame)
        case ast.NamedExpr():
            value = frame.eval(node.value)
            frame.assign(node.target, value)
            return value
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return _eval_comprehension(frame, node)
        case ast.Slice():
            for part in (node.lower, node.upper, node.step):
                if part is not None:
                    frame.eval(part)
    return UNKNOWN  # f-strings, and others that no condition depends on


def attribute(frame: Frame, base: Any, name: str) -> Any:
    """Return an attribute, without running the program's code."""
    if base is TENSOR:
        return UNKNOWN if name in STATIC_ATTRIBUTES else Method(name)
    if base is TAPE:
        return Method(name)
    if base is LIKELY:
        return UNKNOWN if name in STATIC_ATTRIBUTES else LIKELY
    if type(base) is Parent:
        order = type(base.instance).__mro__
        later = order[order.index(base.cls) + 1 :] if base.cls in order else ()
        member = next((vars(cls)[name] for cls in later if name in vars(cls)), _MISSING)
        return _bind_member(member, base.instance)
    if type(base) is not Known:
        return UNKNOWN
    owner = base.value
    key = (id(owner), name)
    if key in frame.analysis.attributes:
        return frame.analysis.attributes[key]
    if isinstance(owner, types.ModuleType):
        # gradtape's modules load their names lazily.
        loads = owner.__name__.split(".")[0] in ("gradtape", "keras_gradtape")
        member = getattr(owner, name, _MISSING) if loads else vars(owner).get(name, _MISSING)
        return UNKNOWN if member is _MISSING else values.of_object(member)
    return _bind_member(inspect.getattr_static(owner, name, _MISSING), owner)


def _bind_member(member: Any, owner: Any) -> Any:
    """Return the abstract value of a class or instance member, bound to its owner."""
    if member is _MISSING:
        return UNKNOWN
    if isinstance(member, (staticmethod, classmethod)):
        inner = member.__func__
        if isinstance(member, classmethod):
            inner = types.MethodType(inner, owner if isinstance(owner, type) else type(owner))
        return Known(inner)
    if isinstance(member, types.FunctionType) and not isinstance(owner, type):
        is_method = member is not _own_attributes(owner).get(member.__name__)
        return Known(types.MethodType(member, owner) if is_method else member)
    if inspect.isdatadescriptor(member) or inspect.ismethoddescriptor(member):
        inner = getattr(member, "python_function", None)  # of a tf.function that is a method
        return UNKNOWN if inner is None else Known(types.MethodType(inner, owner))
    return values.of_object(member)


def _own_attributes(owner: Any) -> dict:
    has_any = inspect.getattr_static(owner, "__dict__", None) is not None
    return owner.__dict__ if has_any and type(owner.__dict__) is dict else {}


def _eval_bool_op(frame: Frame, node: ast.BoolOp) -> Any:
    """Evaluate `and` and `or`: each operand but the last is a condition."""
    stops_at = isinstance(node.op, ast.Or)
    result: Any = None
    for part in node.values[:-1]:
        value = frame.eval(part)
        if value is TENSOR:
            frame.decide(part)
        known = values.truth(value)
        if known is stops_at:
            return value if result is None else values.join(result, value)
        if known is None:
            result = value if result is None else values.join(result, value)
    last = frame.eval(node.values[-1])
    return last if result is None else values.join(result, last)


def _eval_compare(frame: Frame, node: ast.Compare) -> Any:
    left = frame.eval(node.left)
    result: Any = UNKNOWN
    last = len(node.ops) - 1
    for i, (op, part) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = frame.eval(part)
        result = _compare(frame, node, op, left, right)
        if result is TENSOR and i < last:  # a < b < c is a condition
            frame.decide(node)
        left = right
    return result if last == 0 or result is TENSOR else UNKNOWN


def _compare(frame: Frame, node: ast.Compare, op: ast.cmpop, left: Any, right: Any) -> Any:
    if isinstance(op, (ast.Is, ast.IsNot)):
        same = _is_same(left, right)
        return UNKNOWN if same is None else Known(same is isinstance(op, ast.Is))
    if isinstance(op, (ast.In, ast.NotIn)):
        if right is TENSOR or (left is TENSOR and type(right) is Items and right.names is None):
            frame.fail_at_branch(node)
        return UNKNOWN
    if type(left) is Known and type(right) is Known:
        a, b = left.value, right.value
        if type(a) in SIMPLE and type(b) in SIMPLE:
            try:
                return Known(_COMPARISONS[type(op)](a, b))
            except TypeError:  # None < 1: running it raises
                return UNKNOWN
    return frame.apply_operator(left, right)


def _is_same(left: Any, right: Any) -> bool | None:
    """Return `left is right`, where one of them is None, True or False; None if not known."""
    for a, b in ((left, right), (right, left)):
        if type(b) is Known and (b.value is None or type(b.value) is bool):
            if type(a) is Known:
                return a.value is b.value
            if a is TENSOR or a is TAPE or type(a) in (Items, Each, Local, Method):
                return False
    return None


def _eval_slice(frame: Frame, node: ast.Slice) -> None:
    """Note a slice of a tensor whose size depends on values: it is that of each call."""
    bounds = [end for end in (node.lower, node.upper) if end is not None]
    step = () if node.step is None else (node.step,)
    for end in (*bounds, *step):
        if frame.eval(end) is TENSOR and (end in step or not frame.analysis.converts):
            frame.fail("the size of a slice depends on the value of a tensor", end)


def _eval_subscript(frame: Frame, node: ast.Subscript) -> Any:
    base, index = frame.eval(node.value), frame.eval(node.slice)
    if base is TENSOR:
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if isinstance(part, ast.Slice) and not frame.analysis.is_mapped:
                _eval_slice(frame, part)
        return TENSOR
    parts = values.elements(base) if type(base) is not Items else base.values
    if parts is not None and index is TENSOR:
        frame.fail("Python asks for the value of a tensor as an index", node)
    if type(base) is Items and type(index) is Known:
        names = base.names if base.names is not None else range(len(base.values))
        key = index.value
        if type(key) is int and key < 0 and base.names is None:
            key += len(base.values)
        if type(key) in SIMPLE and key in list(names):
            return base.values[list(names).index(key)]
        return UNKNOWN
    if type(base) is Items:
        return values.element(Items(base.values))
    if type(base) is Known and parts is not None and type(index) is Known:
        key = index.value
        return parts[key] if type(key) is int and -len(parts) <= key < len(parts) else UNKNOWN
    if base is LIKELY or type(base) is Each:
        return values.element(base)
    return UNKNOWN


def _eval_dict(frame: Frame, node: ast.Dict) -> Any:
    parts = [frame.eval(value) for value in node.values]
    names = [key.value if isinstance(key, ast.Constant) else _MISSING for key in node.keys]
    if _MISSING in names or not parts:
        return UNKNOWN if not parts else Each(UNKNOWN)
    return Items(parts, names)


def _eval_comprehension(frame: Frame, node: Any) -> Any:
    before = dict(frame.names)
    for part in node.generators:
        frame.assign(part.target, frame.iterated(part.iter))
        for condition in part.ifs:
            frame.test(condition)
    if isinstance(node, ast.DictComp):
        frame.eval(node.key)
        frame.eval(node.value)
        result: Any = UNKNOWN
    else:
        result = Each(frame.eval(node.elt))
    frame.names = before
    return result
