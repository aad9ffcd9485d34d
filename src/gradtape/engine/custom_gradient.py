"""Functions with a derivative of their own: `custom_gradient` and related functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from gradtape import ops
from gradtape.core import nest
from gradtape.core.bind import notify
from gradtape.core.dtypes import is_differentiable
from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.state import get_state, using
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable
from gradtape.prng.seeds import recorded_draws, replayed_draws

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive


def _call_grad_fn(g: Tensor | tuple[Tensor, ...], grad_fn: Callable[..., Any]) -> list[Any]:
    return grad_fn(*(g if isinstance(g, tuple) else (g,)))


def _record_only(*args: Any, **params: Any) -> NoReturn:
    raise AssertionError("this op is recorded after the fact and never bound")


# The op that tapes record for a call of a function with a custom gradient.
_ONE, _SEVERAL = [
    primitive(
        "custom_gradient",
        "*xs",
        kernel=_record_only,
        shape=_record_only,
        batch=ByLoop("its inner ops are batched; the call itself is only recorded"),
        vjp=_call_grad_fn,
        outputs=outputs,
    )
    for outputs in (1, 0)
]


def record_custom(
    results: list[Tensor], inputs: list[Tensor], grad_fn: Callable[..., Any]
) -> list[Tensor]:
    """Return copies of `results`, recorded as the results of an op with this gradient.

    `grad_fn` takes a cotangent for each result and returns a sequence of one for each input.
    """
    state = get_state()
    if state.trace is not None:
        fresh = state.trace.with_gradient(results, inputs, grad_fn)
    else:
        fresh = [y._unmarked() for y in results]
    single = len(fresh) == 1
    prim = _ONE if single else _SEVERAL
    out: Any = fresh[0] if single else tuple(fresh)
    if single and not is_differentiable(out._data.dtype):
        return fresh
    params = {"grad_fn": grad_fn}
    if state.accumulators:
        # An accumulator that saw the ops inside has computed the tangents already.
        unaware = [a for a in state.accumulators if not a.inherit(fresh, results)]
        state = state.replaced(accumulators=tuple(unaware))
    notify(state, prim, tuple(inputs), params, out)
    return fresh


class VariableWatcher(Recording):
    """A tape that only records which variables are read."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(watch_variables=True)

    def record(
        self, prim: Primitive, inputs: tuple[Tensor, ...], params: dict[str, Any], out: Tensor
    ) -> None:
        return

    def variables(self) -> list[Variable]:
        return [x for _, x in self.leaves.values() if isinstance(x, Variable)]


@filters_tracebacks
class Bound:
    """A `custom_gradient` function; also works as a method."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        functools.update_wrapper(self, function)

    def __get__(self, instance: Any, owner: type | None = None) -> Callable[..., Any]:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _call(self._function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        # Made when it is asked for: programs make such functions in every call of another one.
        if name == "__signature__":
            return inspect.signature(self._function)
        if name == "__original_wrapped__":  # as TensorFlow's decorators have it
            return self._function
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Decorate a function with a custom gradient.

        @tf.custom_gradient
        def log1pexp(x):
            e = tf.exp(x)
            def grad(upstream):
                return upstream * (1 - 1 / (1 + e))
            return tf.math.log(1 + e), grad

    `grad` takes a cotangent per result and returns one per positional argument; keyword arguments
    have no gradient. If the function reads variables, `grad` takes them as `variables=` and returns
    a pair: the cotangents of the arguments, and those of the variables.

    Forward mode (`tf.jvp`, `tf.autodiff.ForwardAccumulator`) differentiates what `f` computes: of
    `grad` it knows nothing.
    """
    return custom_gradient if f is None else Bound(f)


def _call(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    watcher = VariableWatcher()
    state = get_state()
    with using(tapes=(*state.tapes, watcher)):
        returned = f(*args, **kwargs)
    if not isinstance(returned, (tuple, list)) or len(returned) != 2 or not callable(returned[1]):
        raise TypeError(
            f"tf.custom_gradient: {_name(f)} must return a pair (result, grad_fn), with grad_fn a "
            f"function; it returned {type(returned).__name__}"
        )
    result, grad_fn = returned
    tensors = [x for x in nest.flatten(list(args)) if _can_have_gradient(x)]
    variables = [v for v in watcher.variables() if all(v is not x for x in tensors)]
    takes_variables = _accepts_variables(grad_fn)
    if variables and not takes_variables:
        raise TypeError(
            "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function "
            f"uses variables: {variables}"
        )
    inputs = [ops.to_tensor(x) for x in (*tensors, *variables)]
    results = [ops.to_tensor(y) for y in nest.flatten(result)]

    def backward(*cotangents: Tensor) -> list[Any]:
        if variables:
            given = grad_fn(*cotangents, variables=variables)
            if not isinstance(given, (tuple, list)) or len(given) != 2:
                raise TypeError(
                    f"tf.custom_gradient: the grad_fn of {_name(f)} must return a pair: gradients "
                    "of the inputs, and a list of gradients of `variables`"
                )
            input_grads, variable_grads = given
            variable_grads = list(variable_grads)
            if len(variable_grads) != len(variables):
                raise ValueError(
                    "Must return gradient for each variable from @custom_gradient grad_fn."
                )
        else:
            input_grads, variable_grads = grad_fn(*cotangents), []
        input_grads = nest.flatten(input_grads)
        if len(input_grads) != len(tensors):
            raise ValueError(
                f"custom_gradient function expected to return {len(tensors)} gradients, but "
                f"returned {len(input_grads)} instead."
            )
        return [
            _as_cotangent(g, x, f)
            for g, x in zip((*input_grads, *variable_grads), inputs, strict=True)
        ]

    backward.__wrapped__ = grad_fn  # pyright: ignore[reportFunctionMemberAccess] (read by graph.control.custom)
    return nest.pack_sequence_as(result, record_custom(results, inputs, backward))


def _as_cotangent(g: Any, x: Tensor, f: Callable[..., Any]) -> Any:
    """Convert and check the gradient that a user's function returned for an input."""
    if g is None:
        return None
    if not ops.is_tensor_like(g):
        g = ops.to_tensor(g)
    if not g.shape.is_compatible_with(x.shape):
        raise ops.ShapeError(
            f"custom_gradient: the grad_fn of {_name(f)} gave a gradient of shape {g.shape} for an "
            f"input of shape {x.shape}"
        )
    return g


def _name(f: Callable[..., Any]) -> str:
    return getattr(f, "__name__", repr(f))


def _can_have_gradient(x: Any) -> bool:
    """Return whether an argument is an input (tensor, variable, array or number), not an option."""
    import numpy as np

    if isinstance(x, (Tensor, Variable)) or ops.is_tensor_like(x):
        return True
    return isinstance(x, (float, int, complex, np.ndarray, np.generic)) and not isinstance(x, bool)


def _accepts_variables(grad_fn: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(grad_fn).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return `f` with the gradient of the identity."""

    @custom_gradient
    def through(*args: Tensor, **kwargs: Any) -> tuple[Any, ...]:
        def grad(*cotangents: Tensor, **options: Any) -> Any:
            variables = options.get("variables")
            if variables is not None:
                return cotangents, [None] * len(variables)
            return cotangents

        return f(*args, **kwargs), grad

    return through


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return `f` with rematerialization: the backward pass computes intermediate results again.

    This trades time for memory: only the arguments (and variables) are kept.
    """
    from gradtape.engine.tape import GradientTape

    @functools.wraps(f)
    @filters_tracebacks
    def checkpointed(*args: Any, **kwargs: Any) -> Tensor | tuple[Tensor, ...]:
        watcher = VariableWatcher()
        with using(tapes=(watcher,), accumulators=()), recorded_draws() as drawn:
            result = f(*args, **kwargs)
        flat = nest.flatten((list(args), kwargs))
        indices = [
            i
            for i, x in enumerate(flat)
            if isinstance(x, (Tensor, Variable)) and x.dtype.is_differentiable
        ]
        variables = [v for v in watcher.variables() if all(v is not flat[i] for i in indices)]
        inputs = [ops.to_tensor(flat[i]) for i in indices]
        kept = list(flat)
        for i, x in zip(indices, inputs, strict=True):
            kept[i] = x
        results = [ops.to_tensor(y) for y in nest.flatten(result)]

        def grad(*cotangents: Tensor) -> list[Tensor]:
            # Dropout and the like must repeat the random choices of the forward pass.
            with GradientTape(watch_accessed_variables=False) as tape, replayed_draws(drawn):
                # A compiler would find the same ops on the same values, and keep their results.
                # That they wait for a cotangent keeps them from being computed ahead of time.
                watched = [ops.barrier(x, cotangents[0]) for x in inputs]
                tape.watch([watched, variables])
                again = list(kept)
                for i, x in zip(indices, watched, strict=True):
                    again[i] = x
                new_args, new_kwargs = nest.pack_sequence_as((list(args), kwargs), again)
                values = [ops.to_tensor(y) for y in nest.flatten(f(*new_args, **new_kwargs))]
            floating = [i for i, y in enumerate(values) if y.dtype.is_differentiable]
            return tape.gradient(
                [values[i] for i in floating],
                [*watched, *variables],
                output_gradients=[cotangents[i] for i in floating],
            )

        packed = record_custom(results, [*inputs, *[ops.to_tensor(v) for v in variables]], grad)
        return nest.pack_sequence_as(result, packed)

    return checkpointed


__all__ = [
    "custom_gradient",
    "grad_pass_through",
    "recompute_grad",
    "record_custom",
]
