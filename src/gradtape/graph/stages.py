"""Functions that are traced in stages, because a shape in them depends on values.

Graphs have static shapes. Where the size of a result is known only at run time (the length of an
episode, the elements of a dataset), the function is computed up to there while it is traced, the
rest is traced for the size found, and the function is cut into *stages*: the graphs between two
such questions. A call runs stage after stage; for an answer that it has not met before, the
function is traced again with the answers so far.

    stage ─ how many? ─┬─ 10 ─► stage ─► results
                       └─ 12 ─► stage ─► results
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gradtape.core.protocols import GraphBackend
from gradtape.core.recent import Recent
from gradtape.core.tensor import Tensor
from gradtape.graph.apply import NUMPY
from gradtape.graph.control.objects import unboxed
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.replay import replay
from gradtape.graph.routine import Routine
from gradtape.graph.tracing import Obstacle, Trace, use_state

# Of a value: the number of its node and its number there, or -1 and the number of the input.
Position = tuple[int, int]
_MAX_ANSWERS = 512  # of one question, whose stages are kept


def can_compute_now(tensors: list) -> bool:
    """Return whether a function of these can be computed while it is traced, on one device."""
    return all(x._has_value and not _is_spread(x) for x in tensors)


def _is_spread(x: Any) -> bool:
    return x._is_on_device and x._is_spread()


class Live:
    """Computes a function while it is traced: what has to be known to trace the rest of it.

    `answers` are those to the first questions, and `values` what the stages up to the last of them
    have computed: a function that goes another way is traced again from its beginning.
    """

    def __init__(self, tensors: list, answers: Iterable = (), values: dict | None = None) -> None:
        self.tensors = tensors
        self.answers = list(answers)
        self.questions: list[tuple[int, Value, Callable]] = []  # (number of nodes before, …)
        self.called: list[tuple[Any, list[Tensor]]] = []  # results of NumPy functions, by key
        self._given = len(self.answers)
        self._values = values or {}
        self._known: dict[int, Tensor] | None = None  # by id of the value
        self._start = 0  # the first node that was not computed yet

    def ask(self, trace: Trace, value: Value, read: Callable[[Any], Any]) -> Any:
        """Return what `read` makes of the array of a value in this call."""
        if any(_is_spread(v._tensor_class(v._data)) for v, _ in trace.variables):
            trace.fail("a shape depends on the value of a tensor", Obstacle.OTHER)
        index = len(self.questions)
        self.questions.append((len(trace.nodes), value, read))
        if index < self._given:
            return self.answers[index]
        made = [v for node in trace.nodes[self._start :] for v in node.outputs]
        self.compute(trace, [*made, value])
        self.answers.append(read(self.value(value)._host_data()))
        return self.answers[-1]

    def note_call(self, key: Any, box: Value) -> None:
        """Keep what a NumPy function has returned, if it was called in this trace."""
        if self._known is not None and id(box) in self._known:
            self.called.append((key, unboxed(self._known[id(box)]._host_data())[0]))

    def value(self, value: Value) -> Tensor:
        """Return what was computed for a value."""
        assert self._known is not None
        return value.constant if value.constant is not None else self._known[id(value)]

    def compute(self, trace: Trace, wanted: list[Value]) -> None:
        """Compute values, and run all effects that did not run yet."""
        if self._known is None:
            self._start = self.questions[self._given - 1][0] if self._given else 0
            by_position = {position: v for v, position in _positions(trace)}
            self._known = {id(by_position[key]): x for key, x in self._values.items()}
        known = self._known
        with use_state(trace._enclosing_state):
            for v, tensor in zip(trace.inputs, self.tensors, strict=False):
                known.setdefault(id(v), tensor)
            for variable, v in trace.variables:
                if id(v) not in known:
                    known[id(v)] = variable._full_value()
            for make, v in trace.feeds:
                if id(v) not in known:
                    known[id(v)] = make()
            graph = _cut(trace.nodes, self._start, len(trace.nodes), set(known), wanted)
            tensors = [known[id(v)] for v in graph.inputs]
            on_device = any(x._is_on_device for x in tensors)
            outputs = replay(graph, tensors) if on_device else NUMPY.apply(graph, tensors)
        known.update({id(v): x for v, x in zip(graph.outputs, outputs, strict=True)})
        self._start = len(trace.nodes)


def _positions(trace: Trace) -> list[tuple[Value, Position]]:
    """Return all values of a trace with their positions."""
    inputs = [(v, (-1, i)) for i, v in enumerate(trace.inputs)]
    return inputs + [
        (v, (i, j)) for i, node in enumerate(trace.nodes) for j, v in enumerate(node.outputs)
    ]


def _cut(nodes: list[Node], start: int, end: int, known: set[int], wanted: list[Value]) -> Graph:
    """Return the graph that computes values from known ones, and has the effects from `start` on.

    What is not known of the nodes before `start` is computed again: they are those without effect.
    """
    needed = {id(v) for v in wanted} - known
    kept: list[Node] = []
    for index in range(end - 1, -1, -1):
        node = nodes[index]
        if (index >= start and node.acts) or any(id(v) in needed for v in node.outputs):
            kept.append(node)
            needed.update(id(v) for v in node.inputs if id(v) not in known)
    kept.reverse()
    made = {id(v) for node in kept for v in node.outputs}
    used = [v for node in kept for v in node.inputs] + wanted
    inputs = {id(v): v for v in used if v.constant is None and id(v) not in made}
    outputs = {id(v): v for v in wanted if v.constant is None}
    return Graph(tuple(inputs.values()), kept, tuple(outputs.values()))


class Stage:
    """A part of a function, and the stages that can follow, by the answer to its question."""

    def __init__(self, graph: Graph, inputs: list[Position], outputs: list[Position]) -> None:
        self.graph = graph
        self.inputs = inputs
        self.outputs = outputs
        self.sources: dict[Position, Callable[[], Tensor]] = {}  # of variables and random draws
        self.question: tuple[Position, Callable] | None = None  # None for the last stage
        self.answers: Recent = Recent(_MAX_ANSWERS)
        self.nodes: list[str] = []  # the ops, to compare with another trace's
        self.results: list[Position | Tensor] = []
        self.routine: Routine | None = None
        self.pack: Callable | None = None

    def run(self, backend: GraphBackend, values: dict[Position, Tensor]) -> None:
        """Compute this stage from what is known in a call, and add what it gives."""
        for position in self.inputs:
            if position not in values:
                values[position] = self.sources[position]()
        outputs = backend.apply(self.graph, [values[position] for position in self.inputs])
        values.update(zip(self.outputs, outputs, strict=True))


class NotTraced(Exception):
    """Raised by a call that has got an answer for which there is no stage yet."""

    def __init__(self, answers: list, values: dict, path: list[Stage]) -> None:
        super().__init__("a tf.function met a shape for the first time")
        self.answers = answers
        self.values = values
        self.path = path


def make_stages(
    trace: Trace, live: Live, routine: Routine, pack: Callable, path: list[Stage]
) -> Stage:
    """Cut what was traced into stages, append them to those of `path`, and return the first."""
    positions = {id(v): position for v, position in _positions(trace)}
    outputs = list(routine.graph.outputs)
    bounds = [count for count, _, _ in live.questions]
    done = bounds[len(path) - 1] if path else 0
    names = [node.prim.name for node in trace.nodes]
    if names[:done] != [name for stage in path for name in stage.nodes]:
        raise RuntimeError(
            "a tf.function did other things while it was traced for another shape: up to where the "
            "shape is known, they must be the same each time. Run it eagerly "
            "(tf.config.run_functions_eagerly)."
        )
    known = {id(v) for v in trace.inputs}
    computed = {position for stage in path for position in stage.outputs}
    known |= {id(v) for v, position in _positions(trace) if position in computed}
    sources = {positions[id(v)]: variable._full_value for variable, v in trace.variables}
    sources |= {positions[id(v)]: make for make, v in trace.feeds}
    stages = list(path)
    start = done
    for end in [*bounds[len(path) :], len(trace.nodes)]:
        is_last = len(stages) == len(bounds)
        wanted = outputs if is_last else _wanted(trace, start, end, live, outputs)
        graph = _cut(trace.nodes, start, end, known, wanted)
        stage = Stage(
            graph,
            [positions[id(v)] for v in graph.inputs],
            [positions[id(v)] for v in graph.outputs],
        )
        stage.nodes, stage.sources = names[start:end], sources
        if is_last:
            stage.routine, stage.pack = routine, pack
            stage.results = [
                positions[id(v)] if v.constant is None else v.constant for v in outputs
            ]
        else:
            _, value, read = live.questions[len(stages)]
            stage.question = (positions[id(value)], read)
        if stages:
            stages[-1].answers.keep(_key(live.answers[len(stages) - 1]), stage)
        stages.append(stage)
        known |= {id(v) for v in graph.outputs}
        start = end
    return stages[0]


def _wanted(trace: Trace, start: int, end: int, live: Live, outputs: list[Value]) -> list[Value]:
    """Return the values of some nodes that later ones use, or that cannot be computed again."""
    later = {id(v) for node in trace.nodes[end:] for v in node.inputs} | {id(v) for v in outputs}
    later |= {id(value) for _, value, _ in live.questions}
    return [
        v for node in trace.nodes[start:end] for v in node.outputs if node.acts or id(v) in later
    ]


def _key(answer: Any) -> Any:
    return repr(answer)


def run_stages(first: Stage, backend: GraphBackend, tensors: list) -> tuple[Stage, dict]:
    """Run a call; return the last stage and all values. Raise NotTraced if there is no stage."""
    values: dict = {(-1, i): x for i, x in enumerate(tensors)}
    stage, path, answers = first, [], []
    while True:
        stage.run(backend, values)
        if stage.question is None:
            return stage, values
        position, read = stage.question
        answers.append(read(values[position]._host_data()))
        path.append(stage)
        following = stage.answers.find(_key(answers[-1]))
        if following is None:
            raise NotTraced(answers, values, path)
        stage = following
