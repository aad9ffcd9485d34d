"""Functions whose derivative the program gives itself: `custom_gradient` and its relatives."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.dtypes import is_differentiable
from gradtape.core.primitive import ByLoop, Primitive, Rule
from gradtape.core.seeds import recorded_draws, replayed_draws
from gradtape.core.state import get_state, using
from gradtape.core.tensor import Tensor
from gradtape.engine.forward import transposed_jvp
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable


def _call_grad_fn(g, grad_fn):
    return grad_fn(*(g if isinstance(g, tuple) else (g,)))


def _record_only(*args, **params):
    raise AssertionError("this op is recorded after the fact and never bound")


def _make_primitive(outputs: int) -> Primitive:
    """The op that stands on tapes for a call of a user's function with its own gradient."""
    prim = Primitive()
    prim.name, prim.inputs, prim.variadic = "custom_gradient", ("xs",), True
    prim.kernel = prim.shape = _record_only
    prim.batch = ByLoop("its inner ops are batched; the call itself is only recorded")
    prim.outputs, prim.broadcasts, prim.structure = outputs, False, None
    prim.no_derivative, prim.differentiable = None, True
    prim.vjps, prim.joint = None, Rule(_call_grad_fn, ("xs",), True)
    prim.jvps, prim.joint_jvp = None, None
    prim.plans = {}
    return prim


_ONE, _SEVERAL = _make_primitive(1), _make_primitive(0)


def record_custom(results: list[Tensor], inputs: list[Tensor], grad_fn) -> list[Tensor]:
    """Copies of `results`, known to tapes and accumulators as made by an op with this gradient.

    `grad_fn` takes a cotangent for each result and gives a sequence of one for each input.
    """
    state = get_state()
    if state.trace is not None:
        fresh = state.trace.with_gradient(results, inputs, grad_fn)
    else:
        fresh = [_unmarked(y) for y in results]
    single = len(fresh) == 1
    prim = _ONE if single else _SEVERAL
    out: Any = fresh[0] if single else tuple(fresh)
    if single and not is_differentiable(out._data.dtype):
        return fresh
    params = {"grad_fn": grad_fn}
    for tape in state.tapes:
        tape.record(prim, tuple(inputs), params, out)
    for accumulator in state.accumulators:
        known = [accumulator.tangent(y) for y in results]
        if any(t is not None for t in known):  # computed by ops that it saw: those are right
            accumulator.attach(out, known[0] if single else known)
            continue
        tangents = [accumulator.tangent(x) for x in inputs]
        if any(t is not None for t in tangents):
            outer = state.accumulators[: state.accumulators.index(accumulator)]
            with using(accumulators=outer):
                moved = transposed_jvp(prim, tuple(inputs), out, params, tangents)
            accumulator.attach(out, moved)
    return fresh


def _unmarked(x: Any) -> Tensor:
    """The same value under a new identity, that no tape knows."""
    if type(x) is Tensor:
        return Tensor(x._data)
    return x._unmarked()


class VariableWatcher(Recording):
    """A tape that only notes which variables are read."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(watch_variables=True)

    def record(self, prim, inputs, params, out) -> None:
        return

    def variables(self) -> list[Variable]:
        return [x for _, x in self.leaves.values() if isinstance(x, Variable)]


class Bound:
    """A `custom_gradient` function; also works as a method."""

    def __init__(self, function) -> None:
        self._function = function
        functools.update_wrapper(self, function)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args, **kwargs):
        return _call(self._function, args, kwargs)


def custom_gradient(f=None):
    """Give a function its own gradient.

        @tf.custom_gradient
        def log1pexp(x):
            e = tf.exp(x)
            def grad(upstream):
                return upstream * (1 - 1 / (1 + e))
            return tf.math.log(1 + e), grad

    `grad` takes a cotangent per result and gives one per positional argument; keyword arguments
    have no gradient. If the function reads variables, `grad` takes them as `variables=` and gives
    a pair: the cotangents of the arguments, and those of the variables.
    """
    return custom_gradient if f is None else Bound(f)


def _call(f, args, kwargs):
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

    def backward(*cotangents):
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

    return nest.pack_sequence_as(result, record_custom(results, inputs, backward))


def _as_cotangent(g, x: Tensor, f):
    """What a user's gradient function gave for an input, checked."""
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


def _name(f) -> str:
    return getattr(f, "__name__", repr(f))


def _can_have_gradient(x) -> bool:
    """Arguments that count as inputs: tensors, variables, arrays and numbers; not options."""
    import numpy as np

    if isinstance(x, (Tensor, Variable)) or ops.is_tensor_like(x):
        return True
    return isinstance(x, (float, int, complex, np.ndarray, np.generic)) and not isinstance(x, bool)


def _accepts_variables(grad_fn) -> bool:
    try:
        parameters = inspect.signature(grad_fn).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


def grad_pass_through(f):
    """`f` going forward; going backward, as if it were the identity."""

    @custom_gradient
    def through(*args, **kwargs):
        def grad(*cotangents, **options):
            variables = options.get("variables")
            if variables is not None:
                return cotangents, [None] * len(variables)
            return cotangents

        return f(*args, **kwargs), grad

    return through


def recompute_grad(f):
    """`f`, keeping nothing of its insides for the backward pass: they are computed again there.

    Memory for time. The arguments (and variables) are all that is kept.
    """
    from gradtape.engine.tape import GradientTape

    @functools.wraps(f)
    def checkpointed(*args, **kwargs):
        watcher = VariableWatcher()
        with using(tapes=(watcher,), accumulators=()), recorded_draws() as drawn:
            result = f(*args, **kwargs)
        flat = nest.flatten((list(args), kwargs))
        places = [
            i
            for i, x in enumerate(flat)
            if isinstance(x, (Tensor, Variable)) and x.dtype.is_differentiable
        ]
        variables = [v for v in watcher.variables() if all(v is not flat[i] for i in places)]
        inputs = [ops.to_tensor(flat[i]) for i in places]
        kept = list(flat)
        for i, x in zip(places, inputs, strict=True):
            kept[i] = x
        results = [ops.to_tensor(y) for y in nest.flatten(result)]

        def grad(*cotangents):
            # Dropout and the like must make the choices of the forward pass again.
            with GradientTape(watch_accessed_variables=False) as tape, replayed_draws(drawn):
                watched = [ops.identity(x) for x in inputs]
                tape.watch([watched, variables])
                again = list(kept)
                for i, x in zip(places, watched, strict=True):
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
