"""Functions that are traced in stages, because a shape in them depends on values.

Where the size of a result is known only at run time (the length of an episode, the elements of a
mask), the function is computed up to there while it is traced, the rest is traced for what was
found, and the function is cut into *stages*: the graphs between two such questions. A call runs
stage after stage; for an answer that no stage follows, the function is traced again with the
answers so far.

    stage ─ which shapes? ─┬─ (10, 2) ─► stage ─► results
                           └─ (12, 2) ─► stage ─► results

Sizes that were asked for as such are open (`core/size`): one stage follows all of them that
meet its conditions.

    stage ─ how many? ─┬─ s0, where s0 > 1 ─► stage ─► results
                       └─ s0, where s0 = 1 ─► stage ─► results
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from gradtape.core.protocols import GraphBackend
from gradtape.core.recent import Recent
from gradtape.core.size import OpenSizes
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.apply import NUMPY
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.open_sizes import at_sizes
from gradtape.graph.replay import replay
from gradtape.graph.routine import Routine
from gradtape.graph.tracing import Obstacle, Trace, use_state
from gradtape.ops.host import unboxed
from gradtape.ops.random import Draw

# Of a value: the number of its node and its number there, or -1 and the number of the input.
Position = tuple[int, int]
_MAX_ANSWERS = 512  # of one question, whose stages are kept
_MAX_FOLLOWING = 64  # stages of one answer, which differ in the conditions on open sizes


class Question(NamedTuple):
    """What a function has to know of a value before the rest of it can be traced."""

    nodes: int  # how many are before it
    value: Value
    read: Callable[[Any], Any]
    is_open: bool  # whether the answer is open sizes


def can_compute_now(tensors: list) -> bool:
    """Return whether a function of these can be computed while it is traced, on one device."""
    # A spec stands in place of an array where a function is traced before it is called.
    return all(
        x._has_value and not isinstance(x._data, Spec) and not _is_spread(x) for x in tensors
    )


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
        self.questions: list[Question] = []
        self.called: list[tuple[Any, list[Tensor]]] = []  # results of NumPy functions, by key
        self._sizes: dict[int, Any] = {}  # by id of the value that they were read from
        self._given = len(self.answers)
        self._values = values or {}
        self._known: dict[int, Tensor] | None = None  # by id of the value
        self._start = 0  # the first node that was not computed yet
        self.has_acted = False  # whether an effect has run: it must not run again

    def ask(self, trace: Trace, value: Value, read: Callable[[Any], Any]) -> Any:
        """Return what `read` makes of the array of a value in this call."""
        return self._answer(trace, Question(len(trace.nodes), value, read, False))

    def ask_sizes(self, trace: Trace, value: Value) -> Any:
        """Return the integers of a value as open sizes, in (nested) lists."""
        known = self._sizes.get(id(value))
        if known is None:
            numbers = self._answer(trace, Question(len(trace.nodes), value, _numbers, True))
            open: Any = trace.open
            # A negative number is none: -1 has a meaning of its own.
            known = self._sizes[id(value)] = _map(lambda n: n if n < 0 else open.add(n), numbers)
        return known

    def _answer(self, trace: Trace, question: Question) -> Any:
        if any(_is_spread(v._tensor_class(v._data)) for v, _ in trace.variables):
            trace.fail("a shape depends on the value of a tensor", Obstacle.OTHER)
        index = len(self.questions)
        self.questions.append(question)
        if index < self._given:
            return self.answers[index]
        made = [v for node in trace.nodes[self._start :] for v in node.outputs]
        self.compute(trace, [*made, question.value])
        self.answers.append(question.read(self.value(question.value)._host_data()))
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
            self._start = self.questions[self._given - 1].nodes if self._given else 0
            by_position = {position: v for v, position in _positions(trace)}
            self._known = {id(by_position[key]): x for key, x in self._values.items()}
        known = self._known
        with use_state(trace._enclosing_state):
            for v, tensor in zip(trace.inputs, self.tensors, strict=False):
                known.setdefault(id(v), tensor)
            for variable, v in trace.variables:
                if id(v) not in known:
                    known[id(v)] = variable._full_value()
            sizes = () if trace.open is None else trace.open.values
            for make, v in trace.feeds:
                if id(v) not in known:
                    known[id(v)] = _draw(make, sizes)
            graph = _cut(trace.nodes, self._start, len(trace.nodes), set(known), wanted)
            self.has_acted = self.has_acted or graph.has_effects
            tensors = [known[id(v)] for v in graph.inputs]
            on_device = any(x._is_on_device for x in tensors)
            sized = graph if trace.open is None else at_sizes(graph, trace.open, sizes)
            outputs = replay(sized, tensors) if on_device else NUMPY.apply(sized, tensors)
        known.update({id(v): x for v, x in zip(graph.outputs, outputs, strict=True)})
        self._start = len(trace.nodes)


def _numbers(array: Any) -> Any:
    return np.asarray(array).tolist()


def _map(function: Callable, nested: Any) -> Any:
    return [_map(function, x) for x in nested] if isinstance(nested, list) else function(nested)


def _draw(make: Callable[[], Tensor], sizes: tuple[int, ...]) -> Tensor:
    """Return an input of this call that is not an argument, for given open sizes."""
    return (make.at(sizes) if isinstance(make, Draw) else make)()


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
    """A part of a function, and the stages that can follow, by the answer to its question.

    `open`: the sizes that are open in the trace that it is of.
    """

    def __init__(
        self,
        graph: Graph,
        inputs: list[Position],
        outputs: list[Position],
        open: OpenSizes | None = None,
    ) -> None:
        self.graph = graph
        self.open = open
        self.inputs = inputs
        self.outputs = outputs
        self.sources: dict[Position, Callable[[], Tensor]] = {}  # of variables and random draws
        self.question: tuple[Position, Question] | None = None  # None for the last stage
        self._following = Recent(_MAX_ANSWERS)  # lists of stages, by answer
        self.nodes: list[str] = []  # the ops, to compare with another trace's
        self.results: list[Position | Tensor] = []
        self.routine: Routine | None = None
        self.pack: Callable | None = None

    def run(
        self, backend: GraphBackend, values: dict[Position, Tensor], sizes: tuple[int, ...]
    ) -> None:
        """Compute this stage from what is known in a call, and add what it gives."""
        sizes = () if self.open is None else self.open.complete(sizes)
        for position in self.inputs:
            if position not in values:
                values[position] = _draw(self.sources[position], sizes)
        graph = self.graph if self.open is None else at_sizes(self.graph, self.open, sizes)
        outputs = backend.apply(graph, [values[position] for position in self.inputs])
        values.update(zip(self.outputs, outputs, strict=True))

    def follow(self, answer: Any, sizes: tuple[int, ...]) -> Stage | None:
        """Return the stage for an answer whose conditions the open sizes so far meet."""
        for stage in self._following.find(self._key(answer)) or ():
            if stage.open is None or stage.open.hold(sizes):
                return stage
        return None

    def append(self, answer: Any, stage: Stage) -> None:
        """Let a stage follow on an answer."""
        key = self._key(answer)
        kept = self._following.find(key) or []
        self._following.keep(key, [stage, *kept][:_MAX_FOLLOWING])

    def _key(self, answer: Any) -> Any:
        assert self.question is not None
        is_open = self.question[1].is_open
        return repr(_map(lambda n: n if n < 0 else None, answer) if is_open else answer)


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
    if trace.open is not None:
        routine.settle_open_sizes(pack)
        trace.open.close()
    positions = {id(v): position for v, position in _positions(trace)}
    outputs = list(routine.graph.outputs)
    bounds = [question.nodes for question in live.questions]
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
            trace.open,
        )
        stage.nodes, stage.sources = names[start:end], sources
        if is_last:
            stage.routine, stage.pack = routine, pack
            stage.results = [
                positions[id(v)] if v.constant is None else v.constant for v in outputs
            ]
        else:
            question = live.questions[len(stages)]
            stage.question = (positions[id(question.value)], question)
        if stages:
            stages[-1].append(live.answers[len(stages) - 1], stage)
        stages.append(stage)
        known |= {id(v) for v in graph.outputs}
        start = end
    return stages[0]


def _wanted(trace: Trace, start: int, end: int, live: Live, outputs: list[Value]) -> list[Value]:
    """Return the values of some nodes that later ones use, or that cannot be computed again."""
    later = {id(v) for node in trace.nodes[end:] for v in node.inputs} | {id(v) for v in outputs}
    later |= {id(question.value) for question in live.questions}
    return [
        v for node in trace.nodes[start:end] for v in node.outputs if node.acts or id(v) in later
    ]


def run_stages(first: Stage, backend: GraphBackend, tensors: list) -> tuple[Stage, dict]:
    """Run a call; return the last stage and all values. Raise NotTraced if there is no stage."""
    values: dict = {(-1, i): x for i, x in enumerate(tensors)}
    stage, path, answers = first, [], []
    sizes: tuple[int, ...] = ()
    while True:
        stage.run(backend, values, sizes)
        if stage.question is None:
            return stage, values
        position, question = stage.question
        answers.append(question.read(values[position]._host_data()))
        if question.is_open:
            sizes += tuple([n for n in np.ravel(answers[-1]).tolist() if n >= 0])
        path.append(stage)
        following = stage.follow(answers[-1], sizes)
        if following is None:
            raise NotTraced(answers, values, path)
        stage = following
