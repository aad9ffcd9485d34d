"""The RUN primitive: a Python function of tensors that runs eagerly, as an op of a graph.

What loops of unknown length give when they are differentiated twice: see loop.py.
"""

from __future__ import annotations

from collections.abc import Callable

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.state import lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.tape import GradientTape, UnconnectedGradients
from gradtape.engine.vmap import vectorized
from gradtape.graph import derived


class EagerFunction:
    """A Python function of tensors, with the specs of its results."""

    __slots__ = ("call", "specs")

    def __init__(self, call: Callable[..., list], specs: list[Spec]) -> None:
        self.call = call
        self.specs = specs


def _run(*arrays, function: EagerFunction):
    with lifted():
        return tuple([x._data for x in function.call(*map(Tensor, arrays))])


def vjp_on_a_tape(function: EagerFunction, xs, needs_grad) -> EagerFunction:
    """Return the vjp of a function, which runs it again on a tape.

    It is a function (inputs, cotangents) -> gradients of the inputs that need them.
    """
    count = len(xs)

    def vjp(*tensors):
        inputs, cotangents = tensors[:count], tensors[count:]
        sources = [x for x, needed in zip(inputs, needs_grad, strict=True) if needed]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(sources)
            ys = function.call(*inputs)
        indices = [i for i, y in enumerate(ys) if y.dtype.is_differentiable]
        gradients = tape.gradient(
            [ys[i] for i in indices],
            sources,
            [cotangents[i] for i in indices],
            UnconnectedGradients.ZERO,
        )
        return [ops.to_tensor(g) for g in gradients]

    return EagerFunction(vjp, [x._spec() for x, need in zip(xs, needs_grad, strict=True) if need])


def run_vjp(g, xs, function: EagerFunction, needs_grad):
    gradients = bind(RUN, (*xs, *g), {"function": vjp_on_a_tape(function, xs, needs_grad)})
    return derived.expand_with_none(gradients, needs_grad)


def run_jvp(tangents, xs, function: EagerFunction):
    given = [t is not None for t in tangents]
    count = len(xs)

    def jvp(*tensors):
        inputs, in_tangents = tensors[:count], tensors[count:]
        primals = [x for x, is_given in zip(inputs, given, strict=True) if is_given]
        with ForwardAccumulator(primals, list(in_tangents)) as accumulator:
            ys = function.call(*inputs)
        return derived.fill_with_zeros([accumulator.tangent(y) for y in ys], ys)

    present = [t for t in tangents if t is not None]
    return bind(RUN, (*xs, *present), {"function": EagerFunction(jvp, function.specs)})


def _batch_run(prim, size, batched, inputs, params):
    function = params["function"]
    axes = [0 if is_batched else None for is_batched in batched]
    specs = [Spec((size, *spec.shape), spec.dtype) for spec in function.specs]

    def call(*tensors):
        return vectorized(lambda *xs: list(function.call(*xs)), in_axes=axes)(*tensors)

    return bind(RUN, inputs, {"function": EagerFunction(call, specs)})


RUN = derived.graph_primitive(
    "run",
    kernel=_run,
    shape=lambda *xs, function: tuple(function.specs),
    batch=_batch_run,
    vjp=run_vjp,
    jvp=run_jvp,
)
