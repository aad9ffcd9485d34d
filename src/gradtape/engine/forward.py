"""Forward mode: dual numbers, with `ForwardAccumulator` as their interface.

A tangent is kept on its tensor, as a mark with the accumulator's key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.bind import bind
from gradtape.core.native import connect
from gradtape.core.primitive import NoDerivative, Primitive
from gradtape.core.state import get_state, set_state, using
from gradtape.core.tensor import Tensor
from gradtape.engine.backward import backward
from gradtape.engine.recording import Recording, read_own_mark
from gradtape.engine.tape import UnconnectedGradients, as_unconnected, logger
from gradtape.engine.variable import Variable, as_variable

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike


class ForwardAccumulator:
    """Computes Jacobian-vector products along with the values, while it is active.

        with tf.autodiff.ForwardAccumulator(primals=x, tangents=v) as acc:
            y = f(x)
        acc.jvp(y)            # J v

    Accumulators and tapes nest in any order.
    """

    __slots__ = ("__dict__", "__weakref__", "_is_active", "_key", "_leaves")

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._key = object()
        self._leaves: dict[int, tuple[Any, ...]] = {}  # id -> (tangent, the primal, kept alive)
        self._is_active = False
        nest.assert_same_structure(primals, tangents)
        for primal, tangent in zip(nest.flatten(primals), nest.flatten(tangents), strict=True):
            self._watch(as_variable(primal), tangent)

    def _watch(self, primal: TensorLike, tangent: TensorLike | None) -> None:
        if not isinstance(primal, (Tensor, Variable)):
            raise ValueError(f"ForwardAccumulator: a primal must be a tensor, got {primal!r}")
        if not primal.dtype.is_differentiable:
            logger.warning(
                "The dtype of the watched primal must be floating (e.g. tf.float32), got %r",
                primal.dtype,
            )
            return
        if id(primal) in self._leaves:
            raise ValueError(f"Tensor {primal!r} is watched more than once.")
        tangent = ops.to_tensor(tangent, None if ops.is_tensor_like(tangent) else primal.dtype)
        if tuple(tangent.shape) != tuple(primal._data.shape) or tangent.dtype != primal.dtype:
            raise ValueError(
                f"ForwardAccumulator: a tangent of shape {tangent.shape} and dtype "
                f"{tangent.dtype.name} does not fit a primal of shape {primal.shape} and dtype "
                f"{primal.dtype.name}"
            )
        self._leaves[id(primal)] = (tangent, primal)
        if isinstance(primal, Variable):
            primal._forget_snapshot()

    def __enter__(self) -> ForwardAccumulator:
        if self._is_active:
            raise ValueError("The ForwardAccumulator is active already.")
        state = get_state()
        set_state(state.replaced(accumulators=(*state.accumulators, self)))
        self._is_active = True
        return self

    def __exit__(self, *exception: Any) -> None:
        state = get_state()
        rest = tuple(a for a in state.accumulators if a is not self)
        set_state(state.replaced(accumulators=rest))
        self._is_active = False

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """Return the tangents of tensors computed from the primals."""
        unconnected = as_unconnected(unconnected_gradients)

        def of(primal: TensorLike | None) -> Any:
            primal = as_variable(primal)
            if not isinstance(primal, Variable):
                if not ops.is_tensor_like(primal):
                    raise TypeError(
                        f"jvp: a tensor or variable is wanted, got {primal!r} of type "
                        f"{type(primal).__name__}"
                    )
                primal = ops.to_tensor(primal)
            tangent = self.tangent(primal)
            if tangent is None and unconnected is UnconnectedGradients.ZERO:
                return ops.zeros_like(primal)
            return tangent

        return nest.map_structure(of, primals)

    def tangent(self, x: TensorLike) -> Tensor | None:
        """Return the tangent of a tensor or variable; None if it does not depend on a primal."""
        leaf = self._leaves.get(id(x))
        return read_own_mark(x, self._key) if leaf is None else leaf[0]

    def read_mark(self, variable: Variable, marks: tuple[Any, ...] | None) -> Any:
        """Return the marks of a variable's value just read (see Recording.read_mark)."""
        leaf = self._leaves.get(id(variable))
        return marks if leaf is None else (self._key, leaf[0], marks)

    def record(
        self,
        prim: Primitive,
        inputs: tuple[Any, ...],
        params: dict[Any, Any],
        out: Tensor | tuple[Tensor, ...],
    ) -> None:
        """Compute the tangent of an op's result.

        For most ops, the core in C does this instead (src/native/core/forward.cpp).
        """
        tangents = [self.tangent(x) for x in inputs]
        if not prim.differentiable or all(t is None for t in tangents):
            return
        state = get_state()
        outer = state.accumulators[: state.accumulators.index(self)]
        with using(accumulators=outer):
            moved = jvp(prim, inputs, out, params, tangents)
        self.attach(out, moved)

    def inherit(self, copies: list[Any], results: list[Any]) -> bool:
        """Copy the tangents of results to copies of them; return False if none has a tangent."""
        known = [self.tangent(y) for y in results]
        self.attach(copies, known)
        return any(t is not None for t in known)

    def attach(self, out: Tensor | Sequence[Tensor], tangents: Tensor | Sequence[Any]) -> None:
        """Mark a result (or several) with tangents."""
        if isinstance(out, Tensor):
            out, tangents = (out,), (tangents,)
        for y, t in zip(out, tangents, strict=True):
            if t is not None and y.dtype.is_differentiable:
                y._marks = (self._key, t, y._marks)


def jvp(
    prim: Primitive, inputs: tuple[Any, ...], ans: Any, params: dict[Any, Any], tangents: list[Any]
) -> Any:
    """Return the tangents of a primitive's results; None among `tangents` is zero."""
    if prim.structure == "linear":
        moved = tuple(
            ops.zeros_like(x) if t is None else t for x, t in zip(inputs, tangents, strict=True)
        )
        return bind(prim, moved, params)
    if prim.structure == "multilinear":
        total = None
        for i, t in enumerate(tangents):
            if t is not None:
                term = bind(prim, (*inputs[:i], t, *inputs[i + 1 :]), params)
                total = term if total is None else total + term
        return total
    if prim.joint_jvp is not None:
        return prim.joint_jvp.call(tuple(tangents), inputs, ans, params, None)
    if prim.jvps is None:
        return transposed_jvp(prim, inputs, ans, params, tangents)
    total = None
    for t, rule in zip(tangents, prim.jvps, strict=True):
        if t is None or isinstance(rule, NoDerivative):
            continue
        term = rule.call(t, inputs, ans, params, None)
        if total is None:
            total = term
        elif isinstance(total, tuple):
            total = tuple(a + b for a, b in zip(total, term, strict=True))
        else:
            total = total + term
    if prim.broadcasts and total is not None:
        total = ops.broadcast_to(total, ans.shape)
    return total


def transposed_jvp(
    prim: Primitive,
    inputs: tuple[Any, ...],
    ans: Tensor | tuple[Tensor, ...],
    params: dict[Any, Any],
    tangents: list[Any],
) -> Tensor | tuple[Tensor, ...]:
    """Compute the forward rule from the reverse rule.

    The reverse rule g -> Jᵀg is linear in g. Differentiating <Jᵀg, t> with respect to g gives J t.
    """
    results = (ans,) if isinstance(ans, Tensor) else tuple(ans)
    dummies = [ops.zeros_like(y) for y in results]
    recording = Recording(watch_variables=False)
    for g in dummies:
        if g.dtype.is_differentiable:
            recording.watch(g)
    state = get_state()
    with using(tapes=(*state.tapes, recording)):
        g = dummies[0] if isinstance(ans, Tensor) else tuple(dummies)
        needs_grad = tuple(t is not None for t in tangents)
        if prim.joint is not None:
            pulled = prim.joint.call(g, inputs, ans, params, needs_grad)
        else:
            pulled = [
                rule.call(g, inputs, ans, params, None)
                if needed and not isinstance(rule, NoDerivative)
                else None
                for needed, rule in zip(needs_grad, prim.vjps or (), strict=True)
            ]
        inner = None
        for x, p, t in zip(inputs, pulled, tangents, strict=True):
            if p is None or t is None:
                continue
            if prim.broadcasts:
                p = ops.sum_to_shape(ops.to_tensor(p), tuple(x.shape))
            term = ops.reduce_sum(ops.real(ops.conj(ops.to_tensor(p)) * t))
            inner = term if inner is None else inner + term
    slots = [recording.slot_of(g) for g in dummies]
    start = None if inner is None else recording.slot_of(inner)
    transposed = [None] * len(dummies)
    if inner is not None and start is not None:
        wanted_slots = {s for s in slots if s is not None}
        cotangents = backward(recording, [(start, ops.ones_like(inner))], wanted_slots, True)
        transposed = [None if s is None else cotangents[s] for s in slots]
    moved = tuple(
        ops.zeros_like(y) if t is None else ops.to_tensor(t)
        for y, t in zip(results, transposed, strict=True)
    )
    return moved[0] if isinstance(ans, Tensor) else moved


connect(Accumulator=ForwardAccumulator, zeros_like=ops.zeros_like)
