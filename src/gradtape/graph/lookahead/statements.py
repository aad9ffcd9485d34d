"""Statements: a function's body is interpreted on abstract values (see values.py).

Nothing of the program is called. Where a condition is known, one branch is followed, else both;
loop bodies are followed twice. The first line where Python needs the value of a tensor ends it.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable
from typing import Any

from gradtape.graph.lookahead import values
from gradtape.graph.lookahead.library import is_dataset, is_ours, is_tf_function, name_of
from gradtape.graph.lookahead.values import (
    LIKELY,
    MADE,
    TENSOR,
    UNKNOWN,
    Each,
    Items,
    Known,
    Local,
)
from gradtape.graph.obstacles import TAKES_ELEMENTS, Failure, Obstacle

MAX_STEPS = 20_000  # expressions that are evaluated before the rest is left to the trace


class ValueNeeded(Exception):
    """Raised where Python needs the value of a tensor."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class TooLarge(Exception):
    """Raised when the program is too large to be analyzed."""


class Analysis:
    """The state of one look-ahead, shared by all functions that it follows."""

    def __init__(self, evaluate: Callable, converts: bool = False) -> None:
        self.evaluate = evaluate  # (frame, expression) -> value, of expressions.py
        self.converts = converts  # whether control flow on tensors will be converted to ops
        self.has_control_flow = False  # on tensors, as far as it was followed
        self.raising: Failure | None = None  # where a tensor decides whether an error is raised
        self.is_mapped = False  # whether vmap runs what is followed: slices have one size there
        self.steps = 0
        self.attributes: dict = {}  # attributes that were set: (id of the object, name) -> value
        self.done: dict = {}  # results of functions, by their code and arguments

    @contextlib.contextmanager
    def mapping(self, is_mapped: bool):
        """Follow code in the block that vmap runs if `is_mapped`."""
        before, self.is_mapped = self.is_mapped, self.is_mapped or is_mapped
        try:
            yield
        finally:
            self.is_mapped = before


class Frame:
    """One call of a function: its names, and the results that it can return."""

    def __init__(
        self, analysis: Analysis, function: Any, file: str, depth: int, outer=None
    ) -> None:
        self.analysis = analysis
        self.function = function  # names are looked up in its globals and closure
        self.file = file
        self.depth = depth  # of calls
        self.outer = outer  # the frame that a local function is defined in
        self.names: dict[str, Any] = {}
        self.results: list = []

    def fail(self, what: str, node: ast.AST, kind: Obstacle = Obstacle.VALUE) -> None:
        """Raise `ValueNeeded` for a line of the program."""
        raise ValueNeeded(Failure(what, kind, self.file, getattr(node, "lineno", 0)))

    def fail_at_branch(self, node: ast.AST) -> None:
        """Raise `ValueNeeded` for a line where Python decides by the value of a tensor."""
        self.fail(Obstacle.BRANCH.value, node, Obstacle.BRANCH)

    def decide(self, node: ast.AST) -> None:
        """Note that control flow depends on a tensor here, which only a conversion makes an op."""
        if not self.analysis.converts:
            self.fail_at_branch(node)
        self.analysis.has_control_flow = True

    def may_decide(self, value: Any) -> None:
        """Note that control flow depends on what may be a tensor: a conversion does no harm."""
        if (value is LIKELY or value is MADE) and self.analysis.converts:
            self.analysis.has_control_flow = True

    # --- statements ------------------------------------------------------------------------------

    def run(self, statements: list) -> bool:
        """Run statements; return whether the end of them is never reached."""
        return any(self.statement(each) for each in statements)

    def statement(self, node: ast.stmt) -> bool:
        """Run one statement; return whether what follows is never reached."""
        match node:
            case ast.Expr():
                self.eval(node.value)
            case ast.Assign():
                value = self.eval(node.value)
                for target in node.targets:
                    self.assign(target, value)
            case ast.AnnAssign():
                if node.value is not None:
                    self.assign(node.target, self.eval(node.value))
            case ast.AugAssign():
                value = self.apply_operator(self.eval(node.target), self.eval(node.value))
                self.assign(node.target, value)
            case ast.If():
                return self.branch(node)
            case ast.While():
                self.loop(node, lambda: self.test(node.test))
            case ast.For():
                self.repeat(node)
            case ast.Assert():
                self.test(node.test)
            case ast.Return():
                self.results.append(Known(None) if node.value is None else self.eval(node.value))
                return True
            case ast.Raise() | ast.Break() | ast.Continue():
                return True
            case ast.With():
                for item in node.items:
                    value = self.eval(item.context_expr)
                    if item.optional_vars is not None:
                        self.assign(item.optional_vars, value)
                return self.run(node.body)
            case ast.Try():
                return self.attempt(node)
            case ast.FunctionDef():
                self.names[node.name] = self.decorated(node)
            case ast.Delete():
                for target in node.targets:
                    self.assign(target, UNKNOWN)
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    self.names[(alias.asname or alias.name).split(".")[0]] = UNKNOWN
        return False

    def decorated(self, node: ast.FunctionDef) -> Any:
        for each in node.decorator_list:
            decorator = self.eval(each)
            if type(decorator) is not Known or not is_tf_function(decorator.value):
                return UNKNOWN
        return Local(node, self)

    def branch(self, node: ast.If) -> bool:
        before, self.analysis.has_control_flow = self.analysis.has_control_flow, False
        known = self.test(node.test)
        if self.analysis.has_control_flow and _raises(node) and self.analysis.raising is None:
            what = Obstacle.BRANCH
            self.analysis.raising = Failure(what.value, what, self.file, node.lineno)
        self.analysis.has_control_flow = before or self.analysis.has_control_flow
        if known is not None:
            return self.run(node.body if known else node.orelse)
        return self.either(lambda: self.run(node.body), lambda: self.run(node.orelse))

    def either(self, one, other) -> bool:
        """Follow two branches and join their names; return whether neither reaches the end."""
        before = dict(self.names)
        first_ends = one()
        first, self.names = self.names, before
        second_ends = other()
        if second_ends:
            self.names = first
        elif not first_ends:
            for name, value in first.items():
                mine = self.names.get(name, value)
                self.names[name] = values.join(mine, value)
        return first_ends and second_ends

    def attempt(self, node: ast.Try) -> bool:
        def handled() -> bool:
            ended = True
            for handler in node.handlers:
                if handler.name:
                    self.names[handler.name] = UNKNOWN
                ended = self.either(lambda: ended, lambda h=handler: self.run(h.body))  # noqa: B023
            return ended

        ended = self.either(lambda: self.run(node.body) or self.run(node.orelse), handled)
        return self.run(node.finalbody) or ended

    def loop(self, node: ast.While | ast.For, begin) -> None:
        """Follow the body of a loop, which may run zero times or more."""
        for _ in range(2):
            if begin() is False:
                break
            self.either(lambda: self.run(node.body) and False, lambda: False)
        self.run(node.orelse)

    def repeat(self, node: ast.For) -> None:
        if self.analysis.converts and self.is_tensor_range(node.iter):
            self.decide(node)
            self.loop(node, lambda: self.assign(node.target, TENSOR))
            return
        over = self.eval(node.iter)
        if self.analysis.converts and over is TENSOR:
            self.decide(node)
        self.may_decide(over)
        known = values.elements(over)
        if known is None or len(known) == 0:
            element = self.iterated(node.iter)
            self.loop(node, lambda: self.assign(node.target, element))
            return
        for each in known:
            self.assign(node.target, each)
            self.either(lambda: self.run(node.body) and False, lambda: False)
        self.run(node.orelse)

    def is_tensor_range(self, node: ast.expr) -> bool:
        """Return whether it is a call of `tf.range`, or of `range` with a tensor as an end."""
        if not isinstance(node, ast.Call):
            return False
        function = self.eval(node.func)
        if type(function) is not Known:
            return False
        target = function.value
        if target is range:
            return any(self.eval(part) is TENSOR for part in node.args)
        return is_ours(target) and name_of(target) == "range"

    def iterated(self, node: ast.expr) -> Any:
        """Return the abstract value of an element that a loop iterates over."""
        over = self.eval(node)
        if is_dataset(over) and self.analysis.converts:
            self.decide(node)
            return TENSOR
        if is_dataset(over):
            self.fail(TAKES_ELEMENTS, node, Obstacle.OTHER)
        return values.element(over)

    def test(self, node: ast.expr) -> bool | None:
        """Return the truth of a condition, or None if it is not known."""
        value = self.eval(node)
        self.may_decide(value)
        if value is TENSOR:
            self.decide(node)
            return None
        return values.truth(value)

    # --- names -----------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name():
                self.names[target.id] = value
            case ast.Tuple() | ast.List():
                self.unpack(target.elts, value)
            case ast.Starred():
                self.assign(target.value, Each(values.element(value)))
            case ast.Attribute():
                base = self.eval(target.value)
                if type(base) is Known:
                    self.analysis.attributes[id(base.value), target.attr] = value
            case ast.Subscript():
                base = self.eval(target.value)
                self.eval(target.slice)
                if isinstance(target.value, ast.Name) and base is not TENSOR:
                    self.names[target.value.id] = _with_element(base, value)

    def unpack(self, targets: list, value: Any) -> None:
        parts = values.elements(value)
        starred = any(isinstance(each, ast.Starred) for each in targets)
        if parts is None or len(parts) != len(targets) or starred:
            parts = [values.element(value)] * len(targets)
        for target, part in zip(targets, parts, strict=True):
            self.assign(target, part)

    def lookup(self, name: str) -> Any:
        if name in self.names:
            return self.names[name]
        if self.outer is not None:
            return self.outer.lookup(name)
        function = self.function
        if name in function.__code__.co_freevars:
            cell = function.__closure__[function.__code__.co_freevars.index(name)]
            try:
                return values.of_object(cell.cell_contents)
            except ValueError:  # a name that is not bound yet
                return UNKNOWN
        if name in function.__globals__:
            return values.of_object(function.__globals__[name])
        builtins = function.__builtins__
        return Known(builtins[name]) if name in builtins else UNKNOWN

    def eval(self, node: ast.expr) -> Any:
        self.analysis.steps += 1
        if self.analysis.steps > MAX_STEPS:
            raise TooLarge
        return self.analysis.evaluate(self, node)

    def apply_operator(self, *operands: Any) -> Any:
        """Return the abstract result of an operator."""
        for kind in (TENSOR, LIKELY, MADE):
            if any(x is kind for x in operands):
                return kind
        return UNKNOWN


def _raises(node: ast.If) -> bool:
    """Return whether a branch raises an error: as an op of a graph, both are traced."""
    statements = [*node.body, *node.orelse]
    return any(isinstance(part, ast.Raise) for each in statements for part in ast.walk(each))


def _with_element(container: Any, value: Any) -> Any:
    """Return a list or dict after an element was set."""
    if type(container) is Items:
        container = Each(values.element(Items(container.values)))
    if type(container) is Each:
        return Each(values.join(container.element, value))
    return container
