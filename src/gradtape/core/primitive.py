"""`Primitive`: one op of the calculus with all its rules, and the registry of them.

A rule is a plain function. **What a rule names is what it gets, and what the tape keeps for it**:

    multiply = primitive(
        "multiply", "x y",
        shape=broadcast_shape,
        vjp={"x": lambda g, y: g * conj(y), "y": lambda g, x: g * conj(x)},
        jvp={"x": lambda t, y: t * y, "y": lambda t, x: t * x},
        batch=batch_broadcasting,
    )

The first parameter is the cotangent `g` of the result (for a reverse rule) or the tangent `t` of
that input (for a forward rule); the others are found by name:

    x, y        an input (the tensor)                       -> kept until the backward pass
    ans         the result (a tuple, if there are several)  -> kept until the backward pass
    x_shape     the shape of input x, as a tuple            -> only the shape is kept
    x_dtype     the DType of input x                        -> only the dtype is kept
    axis, …     a parameter of the op                       -> as it was bound

Rules for one input each are a dict; a *joint* rule is one function that gives the cotangents of
all inputs as a sequence (None where there is none). It may also name `wanted`, a tuple of bools.
An op with any number of inputs declares `"*xs"`; its rules are joint and name `xs`, `xs_shape`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gradtape.backends import cpu
from gradtape.core.dtypes import from_numpy
from gradtape.core.tensor import Spec

PRIMITIVES: dict[str, Primitive] = {}


class NoDerivative:
    """Why a derivative does not exist (or is zero everywhere it does): printed by `explain`."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"NoDerivative({self.reason!r})"


class ByLoop:
    """A batching rule that runs the op once per example: for ops where nothing better exists."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Rule:
    """A derivative rule, with the names of its parameters resolved to places once, here."""

    __slots__ = ("call", "function", "needs_ans", "place", "values")

    def __init__(self, function: Callable, inputs: tuple[str, ...], variadic: bool) -> None:
        code = function.__code__
        names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
        self.function = function
        self.needs_ans = "ans" in names
        # What to keep of each input: "value" or "spec". A variadic op has the one entry "*".
        self.values: dict[int | str, str] = {}
        getters = tuple(self._getter(name, inputs, variadic) for name in names)
        self.call = _specialised(function, names, inputs, variadic, getters)
        # Of a rule that names one input and nothing else: its place, for a call without detour.
        lone = len(names) == 1 and not variadic and names[0] in inputs
        self.place = inputs.index(names[0]) if lone else None

    def _getter(self, name: str, inputs: tuple[str, ...], variadic: bool) -> Callable:
        if name == "ans":
            return lambda kept, ans, params, wanted: ans
        if name == "wanted":
            return lambda kept, ans, params, wanted: wanted
        stem, _, aspect = name.rpartition("_")
        if variadic and name == inputs[0]:
            self.values["*"] = "value"
            return lambda kept, ans, params, wanted: kept
        if variadic and stem == inputs[0] and aspect == "shape":
            self.values.setdefault("*", "spec")
            return lambda kept, ans, params, wanted: [tuple(x.shape) for x in kept]
        if not variadic and name in inputs:
            i = inputs.index(name)
            self.values[i] = "value"
            return lambda kept, ans, params, wanted: kept[i]
        if not variadic and stem in inputs and aspect in ("shape", "dtype"):
            i = inputs.index(stem)
            self.values.setdefault(i, "spec")
            if aspect == "shape":
                return lambda kept, ans, params, wanted: tuple(kept[i].shape)
            return lambda kept, ans, params, wanted: _dtype(kept[i].dtype)
        return lambda kept, ans, params, wanted: params[name]


def _dtype(dtype):
    return from_numpy(dtype) if hasattr(dtype, "itemsize") else dtype


def _specialised(function, names, inputs, variadic, getters) -> Callable:
    """The way to call the rule as `(g, kept, ans, params, wanted)`: short ways for short rules."""
    places = [inputs.index(n) if n in inputs and not variadic else n for n in names]
    match places:
        case []:
            return lambda g, kept, ans, params, wanted: function(g)
        case [int(i)]:
            return lambda g, kept, ans, params, wanted: function(g, kept[i])
        case ["ans"]:
            return lambda g, kept, ans, params, wanted: function(g, ans)
        case [int(i), int(j)]:
            return lambda g, kept, ans, params, wanted: function(g, kept[i], kept[j])
        case [int(i), "ans"]:
            return lambda g, kept, ans, params, wanted: function(g, kept[i], ans)
    keyword_only = function.__code__.co_kwonlyargcount
    if not keyword_only:
        return lambda g, kept, ans, params, wanted: function(
            g, *[get(kept, ans, params, wanted) for get in getters]
        )
    count = len(names) - keyword_only

    def call(g, kept, ans, params, wanted):
        values = [get(kept, ans, params, wanted) for get in getters]
        return function(g, *values[:count], **dict(zip(names[count:], values[count:], strict=True)))

    return call


class Primitive:
    """One op: how its shape follows, how it is differentiated both ways, batched, and computed."""

    __slots__ = (
        "batch", "broadcasts", "differentiable", "inputs", "joint", "joint_jvp", "jvps", "kernel",
        "name", "no_derivative", "notes", "outputs", "plans", "shape", "structure", "variadic",
        "vjps",
    )  # fmt: skip

    name: str
    inputs: tuple[str, ...]
    kernel: Callable
    shape: Callable
    batch: Callable | ByLoop
    vjps: tuple[Rule | NoDerivative, ...] | None
    joint: Rule | None
    jvps: tuple[Rule | NoDerivative, ...] | None
    joint_jvp: Rule | None
    structure: str | None
    no_derivative: str | None
    notes: Any  # of the core in C: what it has worked out of the rest

    def __repr__(self) -> str:
        return f"<primitive {self.name}({', '.join(self.inputs)})>"

    def keep_plan(self, mask: int) -> tuple:
        """(what to keep of the inputs, whether to keep the result), for the inputs watched.

        The first is None (nothing), True (the tuple of inputs as it is), or a function of it.
        """
        plan = self.plans.get(mask)
        if plan is None:
            plan = self.plans[mask] = self._make_plan(mask)
        return plan

    def _make_plan(self, mask: int) -> tuple:
        rules = [self.joint] if self.joint else []
        if self.vjps is not None:
            rules += [r for i, r in enumerate(self.vjps) if mask >> i & 1 and isinstance(r, Rule)]
        how: dict[Any, str] = {}
        for rule in rules:
            for place, aspect in rule.values.items():
                if how.get(place) != "value":
                    how[place] = aspect
        needs_ans = any(rule.needs_ans for rule in rules)
        if self.variadic:
            keep = {"value": True, "spec": _keep_specs, None: None}[how.get("*")]
        else:
            keep = _keeper(tuple(how.get(i) for i in range(len(self.inputs))))
        return keep, needs_ans


def _keep_specs(inputs: tuple) -> tuple:
    return tuple(x._spec() for x in inputs)


def _keeper(entries: tuple):
    """A function that keeps each input as a "value", as a "spec", or (None) not at all."""
    if not any(entries):
        return None
    if all(entry == "value" for entry in entries):
        return True
    if entries == ("value", None):
        return lambda inputs: (inputs[0], None)
    if entries == (None, "value"):
        return lambda inputs: (None, inputs[1])

    def keep(inputs: tuple) -> tuple:
        return tuple([
            x if how == "value" else x._spec() if how == "spec" else None
            for x, how in zip(inputs, entries, strict=True)
        ])  # fmt: skip

    return keep


def primitive(
    name: str,
    inputs: str,
    *,
    shape: Callable[..., Spec | tuple[Spec, ...]],
    batch: Callable | ByLoop,
    vjp: Mapping[str, Any] | Callable | None = None,
    jvp: Mapping[str, Any] | Callable | str | None = None,
    no_derivative: str | None = None,
    outputs: int | None = 1,
    broadcasts: bool = False,
) -> Primitive:
    """Define a primitive. See the module's text for what rules look like.

    * `shape(x, y, …, **params)` takes a `Spec` per input and gives the `Spec` of the result (or a
      tuple of them); it raises the error that a user sees when the inputs do not fit.
    * `vjp`: rules for the reverse mode; `no_derivative` gives the reason where there is none.
    * `jvp`: rules for the forward mode; "linear" where the op applied to the tangents is the
      tangent of the result, "multilinear" where it is so in each input while the others are held;
      left out, the forward rule is the reverse rule, transposed.
    * `batch(prim, size, batched, inputs, params)`: inputs whose `batched` is true have the batch
      of that size as axis 0; the result (each of the results) has it as axis 0.
    * `outputs`: how many results; None where the kernel gives a tuple of any length.
    * `broadcasts`: the op broadcasts its inputs; the engine sums the cotangents back.
    """
    if name in PRIMITIVES:
        raise ValueError(f"primitive {name!r} is defined twice")
    if (vjp is None) == (no_derivative is None):
        raise ValueError(f"primitive {name!r} needs either `vjp` or `no_derivative`")
    p = Primitive()
    p.name = name
    p.variadic = inputs.startswith("*")
    p.inputs = (inputs[1:],) if p.variadic else tuple(inputs.split())
    p.kernel = cpu.kernel(name)
    p.shape, p.batch, p.outputs, p.broadcasts = shape, batch, outputs, broadcasts
    p.no_derivative = no_derivative
    p.differentiable = vjp is not None
    p.structure = jvp if isinstance(jvp, str) else None
    p.vjps, p.joint = _rules(p, vjp)
    p.jvps, p.joint_jvp = _rules(p, None if p.structure else jvp)
    p.plans = {}
    PRIMITIVES[name] = p
    return p


def _rules(p: Primitive, given) -> tuple[tuple | None, Rule | None]:
    if given is None:
        return None, None
    if callable(given):
        return None, Rule(given, p.inputs, p.variadic)
    if set(given) != set(p.inputs):
        raise ValueError(f"primitive {p.name!r}: rules for {set(given)}, inputs {p.inputs}")
    return tuple(
        r if isinstance(r, NoDerivative) else Rule(r, p.inputs, p.variadic)
        for r in (given[n] for n in p.inputs)
    ), None
