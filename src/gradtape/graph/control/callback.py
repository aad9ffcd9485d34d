"""Python functions that a graph calls on every run: `tf.numpy_function`, `tf.py_function`, draws.

CALLBACK calls the function and gives all that it returned as one Python object; UNBOX takes that
apart into tensors. A call is an effect: no pass removes, merges or repeats it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.errors import EffectFailed, InvalidArgumentError
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.state import lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.tape import GradientTape, UnconnectedGradients
from gradtape.graph import derived
from gradtape.graph.control.outside import fail_in_part
from gradtape.graph.obstacles import MustPeel
from gradtape.graph.tracing import Trace
from gradtape.ops.host import OBJECT, boxed, unboxed

_PER_EXAMPLE = ByLoop("the function is not known here")


class Callback:
    """A function from tensors to a list of tensors, which may be recorded on a tape."""

    __slots__ = ("call", "is_recorded", "specs", "what")

    def __init__(
        self, what: str, call: Callable[..., list], is_recorded: bool, specs: list[Spec] | None
    ) -> None:
        self.what = what
        self.call = call
        self.is_recorded = is_recorded
        self.specs = specs  # of the results; None if they are asked for on each call

    def run(self, tensors: list[Tensor]) -> tuple[list[Tensor], Any]:
        """Call the function; return its results, and the tape with the tensors that it saw."""
        with lifted():
            if not self.is_recorded:
                return self._checked(self.call(*tensors)), None
            with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
                tape.watch([x for x in tensors if x.dtype.is_differentiable])
                results = self._checked(self.call(*tensors))
            return results, (tape, tensors)

    def _checked(self, results: list[Tensor]) -> list[Tensor]:
        specs = [x._spec() for x in results]
        if self.specs is not None and specs != self.specs:
            raise InvalidArgumentError(
                f"{self.what} gave {specs} where it gave {self.specs} on an earlier call: in a "
                "loop or branch of a tf.function its results must always have the same shapes. "
                "Return arrays of one shape (padded, say), or call it outside of the loop."
            )
        return results


def _kernel(*arrays, callback: Callback):
    try:
        return boxed(callback.run([Tensor(x) for x in arrays]))
    except Exception as error:  # wrapped, so that the function is not called again
        raise EffectFailed(error) from error


CALLBACK = primitive(
    "callback",
    "*xs",
    kernel=_kernel,
    shape=lambda *xs, callback: OBJECT,
    batch=_PER_EXAMPLE,
    no_derivative="its gradient is that of its results",
    has_effect=True,
)


# --- its results ---------------------------------------------------------------------------------


def _unbox(box, *inputs, specs: tuple[Spec, ...], is_recorded: bool):
    return tuple([x._host_data() for x in unboxed(box)[0]])


def _unbox_vjp(g, xs, specs, is_recorded, needs_grad):
    if not is_recorded:
        return [None] * len(xs)
    which = needs_grad[1:]
    gradients = bind(CALLBACK_VJP, (*xs, *g), {"which": which})
    return [None, *derived.expand_with_none(gradients, which)]


def _unbox_jvp(tangents, xs, specs, is_recorded):
    if is_recorded:
        raise NotImplementedError(
            "tf.py_function in a tf.function: forward mode does not reach into it. Use a "
            "GradientTape, or take tf.function off."
        )
    return tuple([None] * len(specs))


# Its inputs are the box, and what the function was called with.
UNBOX = primitive(
    "unbox",
    "*xs",
    kernel=_unbox,
    shape=lambda *xs, specs, is_recorded: specs,
    batch=_PER_EXAMPLE,
    vjp=_unbox_vjp,
    jvp=_unbox_jvp,
    outputs=0,
)


def _vjp_kernel(box, *arrays, which):
    results, (tape, tensors) = unboxed(box)
    cotangents = arrays[len(tensors) :]
    wanted = [x for x, needed in zip(tensors, which, strict=True) if needed]
    smooth = [i for i, y in enumerate(results) if y.dtype.is_differentiable]
    with lifted():
        gradients = tape.gradient(
            [results[i] for i in smooth],
            wanted,
            [Tensor(cotangents[i]) for i in smooth],
            UnconnectedGradients.ZERO,
        )
        return tuple([ops.to_tensor(x)._host_data() for x in gradients])


CALLBACK_VJP = primitive(
    "callback_vjp",
    "*xs",
    kernel=_vjp_kernel,
    shape=lambda box, *xs, which: tuple(
        [x for x, needed in zip(xs, which, strict=False) if needed]
    ),
    batch=_PER_EXAMPLE,
    no_derivative="a Python function that a tf.function calls is differentiated once",
    outputs=0,
)


def trace_callback(
    trace: Trace, what: str, call: Callable[..., list], inputs: list[Tensor], key: Any, tape: bool
) -> list[Tensor]:
    """Record the call of a Python function, which happens whenever the traced function runs.

    The shapes of its results are those that it gives in this call. In a loop or branch, which run
    later, they are those that a call with such a `key` had before in this trace.
    """
    specs = None if trace.live is not None else _learned_specs(trace, key)
    callback = Callback(what, call, tape, specs)
    box: Any = trace.process(CALLBACK, tuple(inputs), {"callback": callback})
    if specs is None:
        specs = trace.learned[key] = trace.ask(box, _specs_of)
        if not tape:  # what a tape recorded cannot be had a second time
            live: Any = trace.live
            live.note_call(key[1], trace.value_of(box))
    params = {"specs": tuple(specs), "is_recorded": tape}
    return list(bind(UNBOX, (box, *inputs), params))


def _learned_specs(trace: Trace, key: Any) -> list[Spec]:
    """Return the specs that a call with such a key had before."""
    whole: Any = trace
    while whole.outer is not None:
        whole = whole.outer
    known = whole.learned.get(key)
    if known is None:
        fail_in_part(trace, "the shapes that a Python function returns are not known", MustPeel)
    return known


def _specs_of(array: Any) -> list[Spec]:
    return [x._spec() for x in unboxed(array)[0]]


def call_in_graph(
    trace: Trace, what: str, call: Callable[..., list], inputs: list[Tensor], specs: list[Spec]
) -> list[Tensor]:
    """Record the call of a function from tensors to a list of tensors with these specs."""
    callback = Callback(what, call, False, specs)
    box = trace.process(CALLBACK, tuple(inputs), {"callback": callback})
    params = {"specs": tuple(specs), "is_recorded": False}
    return list(bind(UNBOX, (box, *inputs), params))
