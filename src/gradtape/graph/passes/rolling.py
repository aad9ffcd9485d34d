"""Loops in place of ops that repeat: what a program's own loop wrote out is compiled once.

A trace follows a loop of Python's: 64 steps of an LSTM are 64 times the same ops, and as often
those of its gradient. XLA takes longer to compile than in proportion to the size of a graph. `roll`
finds runs of nodes with a period, whose operands come from the same iteration, from one of the few
before it, or from outside, and makes a scan of each (graph/control/scan.py).

An iteration need not begin where the program's does: a run begins where the ops begin to repeat.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.tensor import Spec
from gradtape.graph.control.scan import SCAN
from gradtape.graph.graph import Graph, Node, Value, substitute
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.passes.repeats import MIN_TIMES, find_runs, varies

# XLA compiles an op of a small recurrence in 10 to 20 ms: from here on half a minute.
LARGE = 1_500
_MAX_DISTANCE = 4  # iterations between where a value is made and where it is used
# Values from outside that differ between iterations are joined to one array: bytes of it.
_MAX_JOINED = 1 << 20
_SMALL = 64  # bytes of constants that are compared by value, and are part of the body


def roll_large(graph: Graph) -> Graph:
    """Return a graph as a compiler gets it: optimized, and if it is large, with loops."""
    optimized = graph.derived.get("rolled")
    if optimized is None:
        optimized = optimize_for_execution(graph)
        if len(optimized.nodes) > LARGE:
            optimized = graph.derived["rolled"] = roll(optimized)
    return optimized


def roll(graph: Graph) -> Graph:
    """Return the graph with a scan in place of each run of nodes that repeats often."""
    while True:
        rolled = _roll_once(graph)
        if rolled is None:
            return graph
        graph = rolled


def _roll_once(graph: Graph) -> Graph | None:
    """Return the graph with one run as a scan, and fewer nodes; None if there is none."""
    producers = {id(value): node for node in graph.nodes for value in node.outputs}
    uses = Counter(map(id, graph.used()))
    for period, start, times in find_runs(graph):
        # The first and the last iteration may look the same and have other operands, or such as are
        # no rows of the array that has those of the others.
        best = graph
        for skipped, dropped in ((0, 0), (1, 0), (0, 1), (1, 1)):
            count = times - skipped - dropped
            if count < MIN_TIMES:
                continue
            run = _Run(graph, producers, uses, start + skipped * period, period, count)
            rolled = run.as_scan()
            if rolled is not None:
                best = min(best, eliminate_dead_code(rolled), key=lambda each: len(each.nodes))
        if best is not graph:
            return best
    return None


class _Impossible(Exception):
    """The operands do not fit a loop."""


def _moving_index(indices: list[tuple[Any, ...]]) -> tuple[tuple[Any, ...], int] | None:
    """Return the index of the slices at several indices as one, and the axis along which they lie.

    None if they are not one after the other, in this or the other direction.
    """
    first, second = indices[:2]
    if any(len(index) != len(first) for index in indices):
        return None
    at = next((i for i, entry in enumerate(first) if second[i] != entry), 0)
    before, after = first[:at], first[at + 1 :]
    numbers = [index[at] for index in indices]
    if any(type(n) is not int or n < 0 for n in numbers):
        return None
    if any((index[:at], index[at + 1 :]) != (before, after) for index in indices):
        return None
    step = numbers[1] - numbers[0]
    stop = numbers[-1] + step
    if not step or numbers != list(range(numbers[0], stop, step)):
        return None
    axis = sum(type(entry) is not int for entry in before)
    return (*before, (numbers[0], None if stop < 0 else stop, step), *after), axis


class _Sum(NamedTuple):
    """A sum to parts of which the iterations of a loop add."""

    rows: tuple[int, int]  # what they add: node and output
    moving: tuple[tuple[Any, ...], int]  # where: see `_moving_index`
    shape: tuple[int, ...]
    first: Value  # before the loop
    last: Value  # after it


class _Run:
    """Iterations of the same ops, one after the other, from which a scan is made."""

    def __init__(
        self,
        graph: Graph,
        producers: dict[int, Node],
        uses: Counter[int],
        start: int,
        period: int,
        times: int,
    ) -> None:
        self.graph, self.producers, self.uses = graph, producers, uses
        self.start, self.period, self.times = start, period, times
        self.end = start + period * times
        # Where values are made: (iteration, index of the node in it, index of the output).
        self.made: dict[int, tuple[int, int, int]] = {}
        for position in range(start, self.end):
            k, j = divmod(position - start, period)
            for o, value in enumerate(graph.nodes[position].outputs):
                self.made[id(value)] = (k, j, o)
        self.added: list[Node] = []  # nodes that are added: in front of the scan, then behind it
        self.sums: list[_Sum] = []
        self.behind: set[int] = set()  # ids of values that are made behind the scan
        self.carries: dict[tuple, tuple[Value, Value]] = {}  # (first value, value in the body)
        self.rows: dict[tuple, tuple[Value, Value]] = {}  # (all of them, one in the body)
        self.captured: dict[int, tuple[Value, Value]] = {}
        self.inner: dict[tuple[int, int], Value] = {}  # what the body makes, by node and output

    def nodes(self, j: int) -> list[Node]:
        """Return the nodes at an index of each iteration."""
        return self.graph.nodes[self.start + j : self.end : self.period]

    def as_scan(self) -> Graph | None:
        """Return the graph with a scan in place of the run, None if its operands do not fit."""
        try:
            body = self._body_nodes()
            return self._with_scan(body) if len(body) > 1 else None
        except _Impossible:
            return None

    def _body_nodes(self) -> list[Node]:
        body = []
        moving = [j for j in range(self.period) if self._differ(j)]
        elsewhere = set(moving)
        for j in moving:
            if self.nodes(j)[0].prim.name == "slice":
                self._hoist(self.nodes(j))
            else:
                elsewhere.add(self._sink(j))
        for j in range(self.period):
            if j in elsewhere:
                continue
            nodes = self.nodes(j)
            first = nodes[0]
            operands = zip(*[node.inputs for node in nodes], strict=True)
            inputs = tuple([self._operand(values) for values in operands])
            outputs = tuple([Value(value.spec) for value in first.outputs])
            self.inner |= {(j, o): value for o, value in enumerate(outputs)}
            body.append(Node(first.prim, inputs, first.params, outputs, first.location))
        return body

    def _differ(self, j: int) -> bool:
        """Return whether the nodes at an index of each iteration have other parameters."""
        nodes = self.nodes(j)
        if not varies(nodes[0], "index"):
            return False
        return any(node.params["index"] != nodes[0].params["index"] for node in nodes)

    def _hoist(self, nodes: list[Node]) -> None:
        """Leave slices, of which each iteration takes another, in front of the loop."""
        if any(self._is_inside(value) for node in nodes for value in node.inputs):
            raise _Impossible
        self.added += nodes
        for node in nodes:
            for value in node.outputs:
                del self.made[id(value)]

    def _is_inside(self, value: Value) -> bool:
        """Return whether a value is not known in front of the scan."""
        return id(value) in self.made or id(value) in self.behind

    def _operand(self, values: tuple[Value, ...]) -> Value:
        """Return what an operand, which has these values in the iterations, is in the body."""
        source = self.made.get(id(values[-1]))
        if source is None:
            if any(map(self._is_inside, values)):
                raise _Impossible
            return self._outer(values)
        last, j, o = source
        distance = self.times - 1 - last
        if distance > _MAX_DISTANCE:
            raise _Impossible
        for k, value in enumerate(values):
            if self.made.get(id(value)) != ((k - distance, j, o) if k >= distance else None):
                raise _Impossible
        if not distance:
            return self.inner[j, o]
        return self._carry(j, o, values[:distance])

    def _carry(self, j: int, o: int, first: tuple[Value, ...]) -> Value:
        """Return the carry with the value from as many iterations ago as there are first ones."""
        key = (j, o, *map(_same, first))
        if key not in self.carries:
            start, *later = first
            if later:
                self._carry(j, o, tuple(later))
            self.carries[key] = (start, Value(start.spec))
        return self.carries[key][1]

    def _outer(self, values: tuple[Value, ...]) -> Value:
        """Return an operand that is made outside of the loop."""
        first = values[0]
        if len({_same(value) for value in values}) == 1:
            if _is_small_constant(first):
                return first
            return self.captured.setdefault(id(first), (first, Value(first.spec)))[1]
        key = tuple(map(id, values))
        if key not in self.rows:
            rows = self._rows_of_one(values) or self._joined(values)
            self.rows[key] = (rows, Value(first.spec))
        return self.rows[key][1]

    def _joined(self, values: tuple[Value, ...]) -> Value:
        """Return values as the rows of a new array."""
        spec = values[0].spec
        if len(values) * spec.nbytes > _MAX_JOINED:
            raise _Impossible
        return self._add("stack", values, {"axis": 0}, (len(values), *spec.shape), spec)

    def _sink(self, j: int) -> int:
        """Put what the iterations add to parts of a sum into it behind the loop.

        The gradient of an array of which each iteration takes a slice is such a sum. Returns the
        index of the addition.
        """
        nodes = self.nodes(j)
        puts = [id(node.outputs[0]) for node in nodes]
        adds = [i for i in range(j + 1, self.period) if puts[0] in map(id, self.nodes(i)[0].inputs)]
        sums = self.nodes(adds[0]) if adds else []
        moving = _moving_index([node.params["index"] for node in nodes])
        source = self.made.get(id(nodes[0].inputs[0]))
        if len(adds) != 1 or sums[0].prim.name != "add" or source is None or moving is None:
            raise _Impossible
        first = before = next(
            iter([x for x in sums[0].inputs if id(x) != puts[0]]), sums[0].inputs[0]
        )
        if self._is_inside(first):
            raise _Impossible
        for k, (node, add, put) in enumerate(zip(nodes, sums, puts, strict=True)):
            total = id(add.outputs[0])
            is_used_once = self.uses[put] == 1 and (k == self.times - 1 or self.uses[total] == 1)
            fits = self.made.get(id(node.inputs[0])) == (k, *source[1:])
            if not is_used_once or not fits or {id(x) for x in add.inputs} != {put, id(before)}:
                raise _Impossible
            before = add.outputs[0]
            del self.made[put], self.made[total]
            self.behind |= {put, total}
        self.sums.append(_Sum(source[1:], moving, nodes[0].params["shape"], first, before))
        return adds[0]

    def _rows_of_one(self, values: tuple[Value, ...]) -> Value | None:
        """Return the array of which the values are slices, one after the other, or None."""
        nodes = [self.producers.get(id(value)) for value in values]
        slices = [node for node in nodes if node is not None and node.prim.name == "slice"]
        if len(slices) < len(values) or len({id(node.inputs[0]) for node in slices}) > 1:
            return None
        moving = _moving_index([node.params["index"] for node in slices])
        if moving is None:
            return None
        index, axis = moving
        spec = values[0].spec
        shape = (*spec.shape[:axis], len(values), *spec.shape[axis:])
        rows = self._add("slice", slices[0].inputs, {"index": index}, shape, spec)
        if axis:
            order = (axis, *[i for i in range(len(shape)) if i != axis])
            shape = tuple([shape[i] for i in order])
            rows = self._add("transpose", (rows,), {"permutation": order}, shape, spec)
        return rows

    def _add(self, name: str, inputs: tuple[Value, ...], params: dict, shape: tuple, like: Spec):
        """Add a node in front of the scan, and return its result."""
        result = Value(Spec(shape, like.dtype))
        self.added.append(Node(PRIMITIVES[name], inputs, params, (result,)))
        return result

    def _with_scan(self, body: list[Node]) -> Graph:
        outside = {id(value) for node in self.graph.nodes[self.end :] for value in node.inputs}
        outside |= {id(value) for value in self.graph.outputs}
        used = [(key, self.made[key]) for key in self.made if key in outside]
        earlier = {(j, o) for _, (k, j, o) in used if k < self.times - 1}
        after = [self._next(key) for key in self.carries]
        # The last value of a carry is a result of the scan by itself.
        last = {self.inner[key[:2]]: i for i, key in enumerate(self.carries) if len(key) == 3}
        stacked: dict[tuple[int, int], Value] = {}
        table: dict[int, Value] = {}
        finals = [Value(value.spec) for value in after]
        slices = []
        for key, (k, j, o) in used:
            value = self.inner[j, o]
            if value in last and (j, o) not in earlier:
                table[key] = finals[last[value]]
                continue
            spec = Spec((self.times, *value.spec.shape), value.spec.dtype)
            rows = stacked.setdefault((j, o), Value(spec))
            table[key] = Value(value.spec)
            slices.append(Node(PRIMITIVES["slice"], (rows,), {"index": (k,)}, (table[key],)))
        for each in self.sums:
            spec = self.inner[each.rows].spec
            spec = Spec((self.times, *spec.shape), spec.dtype)
            stacked.setdefault(each.rows, Value(spec))
        pairs = [*self.carries.values(), *self.rows.values(), *self.captured.values()]
        scan = Node(
            SCAN,
            tuple([outer for outer, _ in pairs]),
            {
                "body": Graph(
                    tuple([inner for _, inner in pairs]),
                    body,
                    (*after, *[self.inner[key] for key in stacked]),
                ),
                "carry": len(self.carries),
                "rows": len(self.rows),
                "length": self.times,
                "reverse": False,
                "keeps": False,
            },
            (*finals, *stacked.values()),
            body[0].location,
        )
        nodes, in_front = self.graph.nodes, self.added
        self.added = [scan, *slices]
        for each in self.sums:
            table[id(each.last)] = self._total(each, stacked[each.rows])
        rolled = [*nodes[: self.start], *in_front, *self.added, *nodes[self.end :]]
        return substitute(self.graph, table, rolled)

    def _total(self, each: _Sum, rows: Value) -> Value:
        """Add the rows that a loop made to parts of a sum."""
        index, axis = each.moving
        shape, like = rows.spec.shape, rows.spec
        if axis:
            order = (*range(1, axis + 1), 0, *range(axis + 1, len(shape)))
            shape = tuple([shape[i] for i in order])
            rows = self._add("transpose", (rows,), {"permutation": order}, shape, like)
        params = {"shape": each.shape, "index": index}
        put = self._add("put_slice", (rows,), params, each.shape, like)
        return self._add("add", (each.first, put), {}, each.shape, like)

    def _next(self, key: tuple) -> Value:
        """Return what a carry is in the next iteration."""
        j, o, *first = key
        return self.inner[j, o] if len(first) == 1 else self.carries[j, o, *first[1:]][1]


def _is_small_constant(value: Value) -> bool:
    constant = value.constant
    return constant is not None and not constant._is_on_device and value.spec.nbytes <= _SMALL


def _same(value: Value) -> Any:
    """Return what equal values have in common: of small constants, their bytes."""
    if value.constant is None or not _is_small_constant(value):
        return id(value)
    return repr(value.spec), value.constant.numpy().tobytes()
