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
that input (for a forward rule); the others are matched by name:

    x, y        an input (the tensor)                       -> kept until the backward pass
    ans         the result (a tuple, if there are several)  -> kept until the backward pass
    x_shape     the shape of input x, as a tuple            -> only the shape is kept
    x_dtype     the DType of input x                        -> only the dtype is kept
    axis, …     a parameter of the op                       -> as it was bound

Rules for one input each are a dict; a *joint* rule is one function that returns the cotangents of
all inputs as a sequence (None where there is none). It may also name `needs_grad`: a tuple with a
bool for each input, which is false where the cotangent is not needed and may be None.
An op with any number of inputs declares `"*xs"`; its rules are joint and name `xs`, `xs_shape`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape.backends import cpu
from gradtape.core.dtypes import from_numpy
from gradtape.core.tensor import Spec

if TYPE_CHECKING:
    from gradtape.core.dtypes import DType
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import NumpyDType

Flops = Callable[[Sequence[Spec], Sequence[Spec], Mapping[str, Any]], float]

PRIMITIVES: dict[str, Primitive] = {}
FAMILIES = {
    "elementwise": "each element of the result is computed from few elements of the inputs",
    "view": "says how an array is to be read, and computes nothing",
    "movement": "moves elements to other positions, unchanged",
    "reduction": "computed along axes, from what elementwise ops give without its being stored",
    "collective": "exchanges values between replicas",
    None: "none of these",
}


class NoDerivative:
    """The reason why a derivative does not exist (or is zero wherever it does), and a remedy.

    `explain` prints both.
    """

    __slots__ = ("reason", "remedy")

    def __init__(self, reason: str, remedy: str | None = None) -> None:
        self.reason = reason
        self.remedy = remedy

    def __repr__(self) -> str:
        return f"NoDerivative({self.reason!r})"


class ByLoop:
    """A batching rule that runs the op once per example: for ops that have no better one."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Rule:
    """A derivative rule, with the names of its parameters resolved when it is created."""

    __slots__ = ("call", "function", "input_index", "needs_ans", "values")

    def __init__(
        self, function: Callable[..., Any], inputs: tuple[str, ...], variadic: bool
    ) -> None:
        names = parameters_of(function)[1:]
        self.function = function
        self.needs_ans = "ans" in names
        # What to keep of each input: "value" or "spec". A variadic op has the one entry "*".
        self.values: dict[int | str, str] = {}
        getters = tuple(self._getter(name, inputs, variadic) for name in names)
        self.call = _specialized(function, names, inputs, variadic, getters)
        # The index of the input, for a direct call, if a rule names one input and nothing else.
        lone = len(names) == 1 and not variadic and names[0] in inputs
        self.input_index = inputs.index(names[0]) if lone else None

    def _getter(self, name: str, inputs: tuple[str, ...], variadic: bool) -> Callable[..., Any]:
        if name == "ans":
            return lambda kept, ans, params, needs_grad: ans
        if name == "needs_grad":
            return lambda kept, ans, params, needs_grad: needs_grad
        stem, _, aspect = name.rpartition("_")
        if variadic and name == inputs[0]:
            self.values["*"] = "value"
            return lambda kept, ans, params, needs_grad: kept
        if variadic and stem == inputs[0] and aspect == "shape":
            self.values.setdefault("*", "spec")
            return lambda kept, ans, params, needs_grad: [tuple(x.shape) for x in kept]
        if not variadic and name in inputs:
            i = inputs.index(name)
            self.values[i] = "value"
            return lambda kept, ans, params, needs_grad: kept[i]
        if not variadic and stem in inputs and aspect in ("shape", "dtype"):
            i = inputs.index(stem)
            self.values.setdefault(i, "spec")
            if aspect == "shape":
                return lambda kept, ans, params, needs_grad: tuple(kept[i].shape)
            return lambda kept, ans, params, needs_grad: _dtype(kept[i].dtype)
        return lambda kept, ans, params, needs_grad: params[name]


def parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a rule's parameters; a derived rule has them in `parameters`."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return getattr(function, "parameters", names)


def _dtype(dtype: DType | NumpyDType) -> DType:
    return from_numpy(dtype) if isinstance(dtype, np.dtype) else dtype


def _specialized(
    function: Callable[..., Any],
    names: tuple[str, ...],
    inputs: tuple[str, ...],
    variadic: bool,
    getters: tuple[Callable[..., Any], ...],
) -> Callable[..., Any]:
    """Return the rule as a function of (g, kept, ans, params, needs_grad)."""
    named = [inputs.index(n) if n in inputs and not variadic else n for n in names]
    match named:
        case []:
            return lambda g, kept, ans, params, needs_grad: function(g)
        case [int(i)]:
            return lambda g, kept, ans, params, needs_grad: function(g, kept[i])
        case ["ans"]:
            return lambda g, kept, ans, params, needs_grad: function(g, ans)
        case [int(i), int(j)]:
            return lambda g, kept, ans, params, needs_grad: function(g, kept[i], kept[j])
        case [int(i), "ans"]:
            return lambda g, kept, ans, params, needs_grad: function(g, kept[i], ans)
    keyword_only = function.__code__.co_kwonlyargcount
    if not keyword_only:
        return lambda g, kept, ans, params, needs_grad: function(
            g, *[get(kept, ans, params, needs_grad) for get in getters]
        )
    count = len(names) - keyword_only

    def call(g: Tensor, kept: Any, ans: Any, params: dict[str, Any], needs_grad: Any) -> Any:
        values = [get(kept, ans, params, needs_grad) for get in getters]
        return function(g, *values[:count], **dict(zip(names[count:], values[count:], strict=True)))

    return call


class Primitive:
    """An op with its shape rule, derivatives for both modes, batching rule and kernel."""

    __slots__ = (
        "batch",
        "broadcasts",
        "differentiable",
        "family",
        "flops",
        "has_effect",
        "inputs",
        "joint",
        "joint_jvp",
        "jvps",
        "kernel",
        "name",
        "no_derivative",
        "notes",
        "outputs",
        "plans",
        "remedy",
        "shape",
        "structure",
        "variadic",
        "vjps",
    )

    name: str
    inputs: tuple[str, ...]
    kernel: Callable[..., Any]
    shape: Callable[..., Any]
    batch: Callable[..., Any] | ByLoop
    vjps: tuple[Rule | NoDerivative, ...] | None
    joint: Rule | None
    jvps: tuple[Rule | NoDerivative, ...] | None
    joint_jvp: Rule | None
    structure: str | None
    no_derivative: str | None
    remedy: str | None
    family: str | None
    flops: Flops | None
    has_effect: bool | None
    notes: Any  # of the core in C: what it derived from the rest

    def __repr__(self) -> str:
        return f"<primitive {self.name}({', '.join(self.inputs)})>"

    def keep_plan(self, mask: int) -> tuple[Any, ...]:
        """Return (what to keep of the inputs, whether to keep the result) for the watched inputs.

        The first is None (nothing), True (the tuple of inputs as it is), or a function of it.
        """
        plan = self.plans.get(mask)
        if plan is None:
            plan = self.plans[mask] = self._make_plan(mask)
        return plan

    def _make_plan(self, mask: int) -> tuple[Any, ...]:
        rules = [self.joint] if self.joint else []
        if self.vjps is not None:
            rules += [r for i, r in enumerate(self.vjps) if mask >> i & 1 and isinstance(r, Rule)]
        how: dict[Any, str] = {}
        for rule in rules:
            for index, aspect in rule.values.items():
                if how.get(index) != "value":
                    how[index] = aspect
        needs_ans = any(rule.needs_ans for rule in rules)
        if self.variadic:
            keep = {"value": True, "spec": _keep_specs, None: None}[how.get("*")]
        else:
            keep = _keeper(tuple(how.get(i) for i in range(len(self.inputs))))
        return keep, needs_ans


def _keep_specs(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(x._spec() for x in inputs)


def _keeper(entries: tuple[Any, ...]) -> Callable[..., Any] | bool | None:
    """Return a function that keeps each input as a "value", as a "spec", or (None) not at all."""
    if not any(entries):
        return None
    if all(entry == "value" for entry in entries):
        return True
    if entries == ("value", None):
        return lambda inputs: (inputs[0], None)
    if entries == (None, "value"):
        return lambda inputs: (None, inputs[1])

    def keep(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            [
                x if how == "value" else x._spec() if how == "spec" else None
                for x, how in zip(inputs, entries, strict=True)
            ]
        )

    return keep


def primitive(
    name: str,
    inputs: str,
    *,
    shape: Callable[..., Spec | tuple[Spec, ...]],
    batch: Callable[..., Any] | ByLoop,
    vjp: Any = None,
    jvp: Any = None,
    no_derivative: str | None = None,
    remedy: str | None = None,
    outputs: int | None = 1,
    broadcasts: bool = False,
    family: str | None = None,
    flops: Flops | None = None,
    has_effect: bool | None = None,
    kernel: Callable[..., Any] | None = None,
) -> Primitive:
    """Define a primitive. See the module docstring for what rules look like.

    * `shape(x, y, …, **params)` takes a `Spec` per input and returns the `Spec` of the result (or a
      tuple of them); it raises the error that a user sees when the inputs do not fit.
    * `vjp`: rules for the reverse mode; `no_derivative` gives the reason where there is none,
      and `remedy` what a program can use instead.
    * `jvp`: rules for the forward mode; "linear" where the op applied to the tangents is the
      tangent of the result, "multilinear" where it is so in each input while the others are fixed;
      left out, the forward rule is the reverse rule, transposed.
    * `batch(prim, size, batched, inputs, params)`: inputs whose `batched` is true have the batch
      of that size as axis 0; the result (each of the results) has it as axis 0.
    * `outputs`: the number of results; None if the kernel returns a tuple of any length.
    * `broadcasts`: the op broadcasts its inputs; the engine sums the cotangents back.
    * `family`: one of `FAMILIES`.
    * `flops(inputs, outputs, params)`, of specs: the floating point operations of a product (two
      for each multiplication). Other ops take the time of their memory: they have none.
    * `has_effect`: whether the op does something besides giving results (printing, checking);
      None: if the graphs among its parameters do.
    * `kernel`: only for an op that brings its own, because its parameters hold graphs or functions
      (branches, loops, custom gradients) or because only a compiler knows it. All others are in
      the registry, and every backend has a kernel for each of them.
    """
    if kernel is None and name in PRIMITIVES:
        raise ValueError(f"primitive {name!r} is defined twice")
    if (vjp is None) == (no_derivative is None):
        raise ValueError(f"primitive {name!r} needs either `vjp` or `no_derivative`")
    if remedy is not None and no_derivative is None:
        raise ValueError(f"primitive {name!r} has a derivative, and needs no `remedy`")
    if family not in FAMILIES:
        raise ValueError(f"primitive {name!r}: there is no family {family!r}")
    p = Primitive()
    p.name = name
    p.variadic = inputs.startswith("*")
    p.inputs = (inputs[1:],) if p.variadic else tuple(inputs.split())
    p.kernel = cpu.kernel(name) if kernel is None else kernel
    p.shape, p.batch, p.outputs, p.broadcasts = shape, batch, outputs, broadcasts
    p.no_derivative, p.remedy = no_derivative, remedy
    p.differentiable = vjp is not None
    p.structure = jvp if isinstance(jvp, str) else None
    p.vjps, p.joint = _rules(p, vjp)
    p.jvps, p.joint_jvp = _rules(p, None if p.structure else jvp)
    p.family, p.flops, p.has_effect = family, flops, has_effect
    p.plans = {}
    if kernel is None:
        PRIMITIVES[name] = p
    return p


def _rules(p: Primitive, given: Any) -> tuple[tuple[Any, ...] | None, Rule | None]:
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


def plain_kernel(p: Primitive) -> Callable[..., Any]:
    """Return the kernel of a primitive, without the clock that a running profile has put on it.

    What is kept longer than one call asks for it: a compiled graph outlives the profile.
    """
    return getattr(p.kernel, "unclocked", p.kernel)
