"""A loop that goes on as long as a graph says so: `tf.while_loop` in a traced function.

How often it goes round is known only when it runs, so that its reverse rule is not a graph: it
runs the loop again on a tape. That call is a primitive, too, and can be differentiated in turn.
"""

from __future__ import annotations

from collections.abc import Callable

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.primitive import ByLoop
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.tape import GradientTape, UnconnectedGradients
from gradtape.engine.trace import derived
from gradtape.engine.trace.apply import apply
from gradtape.engine.trace.execute import inner_executable
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.tracing import Trace, traced_by

# --- functions of tensors that run op by op, inside a graph --------------------------------------


class TensorFunction:
    """A Python function from tensors to as many tensors, of known specs."""

    __slots__ = ("call", "specs")

    def __init__(self, call: Callable[..., list], specs: list[Spec]) -> None:
        self.call = call
        self.specs = specs


def _run(*arrays, function: TensorFunction):
    with lifted():
        return tuple([x._data for x in function.call(*map(Tensor, arrays))])


def _run_vjp(g, xs, function: TensorFunction, wanted):
    count = len(xs)

    def pull(*tensors):
        inputs, cotangents = tensors[:count], tensors[count:]
        sources = [x for x, want in zip(inputs, wanted, strict=True) if want]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(sources)
            ys = function.call(*inputs)
        places = [i for i, y in enumerate(ys) if y.dtype.is_differentiable]
        found = tape.gradient(
            [ys[i] for i in places],
            sources,
            [cotangents[i] for i in places],
            UnconnectedGradients.ZERO,
        )
        return [ops.to_tensor(each) for each in found]

    specs = [x._spec() for x, want in zip(xs, wanted, strict=True) if want]
    found = bind(RUN, (*xs, *g), {"function": TensorFunction(pull, specs)})
    return derived.placed(found, wanted)


def _run_jvp(tangents, xs, function: TensorFunction):
    given = [t is not None for t in tangents]
    count = len(xs)

    def push(*tensors):
        inputs, moving = tensors[:count], tensors[count:]
        primals = [x for x, is_given in zip(inputs, given, strict=True) if is_given]
        with ForwardAccumulator(primals, list(moving)) as accumulator:
            ys = function.call(*inputs)
        return derived.with_zeros([accumulator.tangent(y) for y in ys], ys)

    moving = [t for t in tangents if t is not None]
    return bind(RUN, (*xs, *moving), {"function": TensorFunction(push, function.specs)})


RUN = derived.graph_primitive(
    "run",
    kernel=_run,
    shape=lambda *xs, function: tuple(function.specs),
    batch=ByLoop("it runs op by op"),
    vjp=_run_vjp,
    jvp=_run_jvp,
)

# --- the loop ------------------------------------------------------------------------------------


def _kernel(*arrays, condition: Graph, body: Graph, count: int, limit: int | None):
    goes_on, step = inner_executable(condition), inner_executable(body)
    state, rest = arrays[:count], arrays[count:]
    rounds = 0
    while (limit is None or rounds < limit) and goes_on(*state, *rest)[0]:
        state = step(*state, *rest)
        rounds += 1
    return state


def _eagerly(condition: Graph, body: Graph, count: int, limit: int | None):
    """The loop as a function of tensors, which tapes and accumulators see through."""

    def call(*tensors):
        state, rest = list(tensors[:count]), list(tensors[count:])
        rounds = 0
        while (limit is None or rounds < limit) and bool(apply(condition, [*state, *rest])[0]):
            state = apply(body, [*state, *rest])
            rounds += 1
        return state

    return call


def _vjp(g, xs, condition, body, count, limit, wanted):
    specs = [x._spec() for x in xs[:count]]
    function = TensorFunction(_eagerly(condition, body, count, limit), specs)
    return _run_vjp(g, xs, function, wanted)


def _jvp(tangents, xs, condition, body, count, limit):
    specs = [x._spec() for x in xs[:count]]
    function = TensorFunction(_eagerly(condition, body, count, limit), specs)
    return _run_jvp(tangents, xs, function)


LOOP = derived.graph_primitive(
    "loop",
    kernel=_kernel,
    shape=lambda *xs, condition, body, count, limit: tuple(xs[:count]),
    batch=ByLoop("every example goes round as often as it needs"),
    vjp=_vjp,
    jvp=_jvp,
)


def traced_loop(
    trace: Trace,
    condition: Callable[[list], Tensor],
    body: Callable[[list], list],
    state: list[Tensor],
    limit: int | None,
) -> list:
    """The state after the loop. Variables that the body assigns to are part of it."""
    variables: list = []
    while True:
        found = _attempt(trace, condition, body, state, variables)
        if isinstance(found, tuple):
            break
        variables = found  # the body writes to variables: they go round with the state
    goes_on, step, held = found
    specs = [value.spec for value in step.outputs]
    now = [*state, *[variable._whole() for variable in variables]]
    if specs != [x._spec() for x in now]:
        trace.fail(
            "a loop changes the shapes or dtypes of its variables, from "
            f"{[x._spec() for x in now]} to {specs}"
        )
    params = {"condition": goes_on, "body": step, "count": len(now), "limit": limit}
    results = bind(LOOP, (*now, *held), params)
    for variable, value in zip(variables, results[len(state) :], strict=True):
        trace.write(variable, value)
    return list(results[: len(state)])


def _attempt(trace: Trace, condition, body, state: list, variables: list):
    """Both graphs and what they hold on to; or the variables that must be part of the state."""
    part = Trace(get_state().depth + 1, outer=trace, repeats=True)
    test = Trace(get_state().depth + 1, outer=trace, repeats=True)
    try:
        with traced_by(part):
            tensors = _as_inputs(part, state, variables)
            results = [part.value_of(x) for x in body(tensors)]
            written = list(part.written.values())
            if any(all(v is not known for known in variables) for v in written):
                return [*variables, *[v for v in written if all(v is not k for k in variables)]]
            results += [part.current_value(v) for v in variables]
        with traced_by(test):
            tensors = _as_inputs(test, state, variables)
            answer = test.value_of(condition(tensors))
    finally:
        part.active = test.active = False
    count = len(state) + len(variables)
    held: dict = {}
    for each in (part, test):
        for key, (x, value) in each._captured.items():
            held.setdefault(key, (x, value.spec))
    graphs = []
    for each, outputs in ((test, (answer,)), (part, tuple(results))):
        inputs = list(each.inputs[:count])
        for key, (x, _) in held.items():
            known = each._captured.get(key)
            inputs.append(each.input(x._spec())._value if known is None else known[1])
        graphs.append(Graph(tuple(inputs), each.nodes, outputs))
    return graphs[0], graphs[1], [x for x, _ in held.values()]


def _as_inputs(part: Trace, state: list, variables: list) -> list:
    tensors = [part.input(x._spec()) for x in state]
    for variable in variables:
        part.write(variable, part.input(part.outer.read(variable)._spec()))  # type: ignore[union-attr]
    part.written.clear()
    return tensors
