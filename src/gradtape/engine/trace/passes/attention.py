"""Attention that is written out becomes one op, for devices that have a kernel for all of it.

softmax(scale · q kᵀ + mask) v, and what a tape makes of it, are eight ops and more, with all the
scores in memory between them. The kernels for GPUs (cuDNN's) take q, k, v in 16 bits, compute the
scores and the softmax in float32, and round the weights to 16 bits before their product with v. The
mask must be none, or a constant that hides just what comes later.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradtape.core.primitive import PRIMITIVES, Primitive
from gradtape.core.tensor import Spec
from gradtape.engine.trace.graph import Graph, Node, Value
from gradtape.engine.trace.passes.rewrite import is_everywhere

_NARROW = ("bfloat16", "float16")
_DEEPEST = 128
_SHORTEST = 256  # keys; with fewer, the scores are no burden: the ops one by one are faster
_HIDDEN_FROM = -1e8  # what is added to a score that does not count
_PULL = Spec((), np.dtype(bool))  # of a value that is no tensor, but a function


def _only_here(name: str, inputs: str, outputs: int) -> Primitive:
    """A primitive of programs that XLA compiles: nobody differentiates, batches or replays it."""
    found = Primitive()
    found.name, found.inputs, found.outputs = name, tuple(inputs.split()), outputs
    found.variadic = False
    return found


# (q, k, v) -> the result, and the function from its cotangent to those of q, k, v.
FUSED = _only_here("fused_attention", "q k v", 2)
FUSED_PULL = _only_here("fused_attention_pull", "pull g", 3)


def with_fused_attention(graph: Graph) -> Graph:
    """The graph with attention as one op, and its reverse rule as another."""
    uses = _Uses(graph)
    gone: set[int] = set()  # nodes, by id
    at: dict[int, list[Node]] = {}  # what stands in the place of a node
    for node in graph.nodes:
        found = None
        if node.prim.name == "softmax":
            found = _written_out(node, uses)
        elif node.prim.name == "attention":
            found = _one_op(node, uses)
        if found is not None:
            for old in found.old:
                gone.add(id(old))
            for place, new in found.new:
                at.setdefault(id(place), []).extend(new)
    if not gone:
        return graph
    nodes = []
    for node in graph.nodes:
        nodes += at.get(id(node), ())
        if id(node) not in gone:
            nodes.append(node)
    return Graph(graph.inputs, nodes, graph.outputs)


class _Found(NamedTuple):
    """Nodes that go, and nodes that come, each in the place of one that goes."""

    old: list[Node]
    new: list[tuple[Node, list[Node]]]


class _Uses:
    """Who makes a value, and who uses it."""

    def __init__(self, graph: Graph) -> None:
        self.makers: dict[int, Node] = {}
        self._users: dict[int, list[Node]] = {}
        self._outputs = {id(value) for value in graph.outputs}
        self.order = {id(node): place for place, node in enumerate(graph.nodes)}
        for node in graph.nodes:
            for value in node.outputs:
                self.makers[id(value)] = node
            for value in node.inputs:
                users = self._users.setdefault(id(value), [])
                if not any(user is node for user in users):
                    users.append(node)

    def of(self, value: Value) -> list[Node]:
        """All nodes that use a value; an impossible one where it is an output of the graph."""
        extra = [_OUTPUT] if id(value) in self._outputs else []
        return self._users.get(id(value), []) + extra

    def only(self, value: Value) -> Node | None:
        """The node that uses a value, if it is the only one."""
        users = self.of(value)
        return users[0] if len(users) == 1 else None

    def first(self, nodes: list[Node]) -> Node:
        return min(nodes, key=lambda node: self.order[id(node)])


_OUTPUT = Node(_only_here("output", "", 0), (), {}, ())


def _is_matmul(node: Node | None, transpose_a: bool, transpose_b: bool) -> bool:
    return (
        node is not None
        and node.prim.name == "matmul"
        and node.params == {"transpose_a": transpose_a, "transpose_b": transpose_b}
    )


# --- attention that is written out ---------------------------------------------------------------


def _written_out(softmax: Node, uses: _Uses) -> _Found | None:
    scores = _scores(softmax, uses)
    if scores is None:
        return None
    product, scale, causal, old = scores
    q, k = product.inputs
    p = softmax.outputs[0]
    weights, to_weights = _narrowed(p, q.spec.dtype, uses)
    forward = [n for n in uses.of(weights) if _is_matmul(n, False, False)]
    if len(forward) != 1 or forward[0].inputs[0] is not weights:
        return None
    v, result = forward[0].inputs[1], forward[0].outputs[0]
    if not _fits(q, k, v, result, causal):
        return None
    old += [softmax, *to_weights, *forward]
    params = {"scale": scale, "causal": causal, "by_head": True}
    pull = Value(_PULL)
    has_reverse = len(uses.of(weights)) > 1 or (bool(to_weights) and len(uses.of(p)) > 1)
    fused = Node(FUSED, (q, k, v), params | {"pulls": has_reverse}, (result, pull))
    new = [(forward[0], [fused])]
    if has_reverse:
        reverse = _reverse(softmax, weights, to_weights, forward[0], product, scale, uses)
        if reverse is None:
            return None
        g, gradients, back = reverse
        old += back
        new.append((uses.first(back), [Node(FUSED_PULL, (pull, g), {}, gradients)]))
    return _Found(old, new)


def _scores(softmax: Node, uses: _Uses):
    """The product q kᵀ that a softmax is of, what scales it, whether the later is hidden, and the
    nodes between."""
    value, scale, causal, old = softmax.inputs[0], 1.0, False, []
    node = uses.makers.get(id(value))
    if node is not None and node.prim.name == "add":
        mask = next((x for x in node.inputs if x.constant is not None), None)
        if mask is None or uses.only(value) is not softmax or not _hides_the_later(mask, value):
            return None
        causal = True
        old.append(node)
        after, value = node, next(x for x in node.inputs if x is not mask)
    else:
        after = softmax
    while True:
        node = uses.makers.get(id(value))
        if node is None or uses.only(value) is not after:
            return None
        old.append(node)
        if _is_matmul(node, False, True):
            return node, scale, causal, old
        step = _scaled(node)
        if step is None:
            return None
        factor, value = step
        scale *= factor
        after = node


def _scaled(node: Node) -> tuple[float, Value] | None:
    """What a value is multiplied by, and the value; a cast between floats multiplies by 1."""
    if node.prim.name == "cast":
        kinds = (node.inputs[0].spec.dtype.name, node.outputs[0].spec.dtype.name)
        return (1.0, node.inputs[0]) if all(k in (*_NARROW, "float32") for k in kinds) else None
    if node.prim.name not in ("multiply", "divide"):
        return None
    for value, other in (node.inputs, node.inputs[::-1]):
        number = _number(other)
        if number is not None and value.spec.shape == node.outputs[0].spec.shape:
            if node.prim.name == "multiply":
                return number, value
            return (1 / number, value) if other is node.inputs[1] and number else None
    return None


def _number(value: Value) -> float | None:
    """The one number that a constant is."""
    if value.constant is None or value.constant._data.size != 1:
        return None
    return float(np.asarray(value.constant._data).reshape(-1)[0])


def _hides_the_later(mask: Value, scores: Value) -> bool:
    """Whether a constant leaves scores up to a query's own place, and hides those after it."""
    *ahead, queries, keys = mask.spec.shape if len(mask.spec.shape) > 1 else (0, 0)
    if (queries, keys) != tuple(scores.spec.shape[-2:]) or queries != keys or any(
        n != 1 for n in ahead
    ):  # fmt: skip
        return False
    assert mask.constant is not None
    values = np.asarray(mask.constant._data).astype(np.float32).reshape(queries, keys)
    seen = np.tri(queries, dtype=bool)
    return bool((values[seen] == 0).all() and (values[~seen] <= _HIDDEN_FROM).all())


def _narrowed(p: Value, dtype, uses: _Uses) -> tuple[Value, list[Node]]:
    """The weights in the dtype of the values, and the cast that makes them so, if there is one."""
    for node in uses.of(p):
        if node.prim.name == "cast" and node.outputs[0].spec.dtype == dtype:
            return node.outputs[0], [node]
    return p, []


def _fits(q: Value, k: Value, v: Value, result: Value, causal: bool) -> bool:
    """Whether there are kernels for values like these."""
    shapes = [x.spec.shape for x in (q, k, v)]
    return (
        all(x.spec.dtype == q.spec.dtype for x in (k, v, result))
        and q.spec.dtype.name in _NARROW
        and all(len(shape) == 4 and 0 not in shape for shape in shapes)
        and shapes[1] == shapes[2]
        and shapes[0][:2] == shapes[1][:2]
        and shapes[0][3] == shapes[1][3]
        and shapes[0][3] % 8 == 0
        and shapes[0][3] <= _DEEPEST
        and shapes[1][2] >= _SHORTEST
        and (not causal or shapes[0] == shapes[1])
    )


def _reverse(softmax, weights, to_weights, forward, product, scale, uses: _Uses):
    """The cotangent of the result, the values of those of q, k, v, and the nodes that make them.

    to_v = weightsᵀ g;  a = g vᵀ;  s = softmax_grad(p, a) · scale;  to_q = s k;  to_k = sᵀ q
    """
    (q, k), v, p = product.inputs, forward.inputs[1], softmax.outputs[0]
    rest = [n for n in uses.of(weights) if n is not forward]
    of_v = [n for n in rest if _is_matmul(n, True, False) and n.inputs[0] is weights]
    if len(of_v) != 1 or (to_weights and len(rest) != 1):
        return None
    g = of_v[0].inputs[1]
    slopes = [n for n in uses.of(g) if _is_matmul(n, False, True) and n.inputs == (g, v)]
    if len(slopes) != 1:
        return None
    back = [of_v[0], slopes[0]]
    a, after = slopes[0].outputs[0], uses.of(slopes[0].outputs[0])
    if len(after) == 1 and after[0].prim.name == "cast":
        if after[0].outputs[0].spec.dtype != p.spec.dtype:
            return None
        back.append(after[0])
        a = after[0].outputs[0]
    centred = uses.only(a)
    if centred is None or centred.prim.name != "softmax_grad" or centred.inputs != (p, a):
        return None
    back.append(centred)
    # Nobody else may need the weights.
    known = {id(n) for n in (*back, *to_weights, forward)}
    if any(id(n) not in known for n in (*uses.of(p), *uses.of(weights))):
        return None
    s, found = centred.outputs[0], 1.0
    while len(uses.of(s)) == 1:
        node = uses.of(s)[0]
        step = None if node is _OUTPUT else _scaled(node)
        if step is None or step[1] is not s:
            return None
        found *= step[0]
        back.append(node)
        s = node.outputs[0]
    of_q = [n for n in uses.of(s) if _is_matmul(n, False, False) and n.inputs == (s, k)]
    of_k = _transposed_product(s, q, uses)
    if len(of_q) != 1 or not of_k or len(uses.of(s)) != 2:
        return None
    if not np.isclose(found, scale, rtol=1e-2):  # the same number, rounded to 16 bits perhaps
        return None
    gradients = (of_q[0].outputs[0], of_k[-1].outputs[0], of_v[0].outputs[0])
    wanted = (q.spec, k.spec, v.spec)
    if any(x.spec != spec for x, spec in zip(gradients, wanted, strict=True)):
        return None
    return g, gradients, [*back, *of_q, *of_k]


def _transposed_product(s: Value, q: Value, uses: _Uses) -> list[Node]:
    """The nodes that make sᵀ q: one, or (qᵀ s)ᵀ where the program transposes k by itself."""
    for node in uses.of(s):
        if _is_matmul(node, True, False) and node.inputs == (s, q):
            return [node]
        if _is_matmul(node, True, False) and node.inputs == (q, s):
            turned = uses.only(node.outputs[0])
            if turned is not None and turned.prim.name == "transpose":
                order = tuple(turned.params["permutation"])
                rank = len(order)
                if order == (*range(rank - 2), rank - 1, rank - 2):
                    return [node, turned]
    return []


# --- attention that is one op already ------------------------------------------------------------


def _one_op(node: Node, uses: _Uses) -> _Found | None:
    """The op `attention` of values that were 16 bits wide, and its reverse rule."""
    q, k, v = (_before_widening(x, uses) for x in node.inputs[:3])
    if q is None or k is None or v is None or not is_everywhere(node.inputs[3], 0):
        return None
    causal, (result, logs) = node.params["causal"], node.outputs
    small = Value(Spec(result.spec.shape, q.spec.dtype))
    if not _fits(_by_head(q), _by_head(k), _by_head(v), _by_head(small), causal):
        return None
    backs = uses.of(logs)
    if len(backs) > 1 or any(n.prim.name != "attention_grad" for n in backs):
        return None
    params = {"scale": node.params["scale"], "causal": causal, "by_head": False}
    pull = Value(_PULL)
    fused = Node(FUSED, (q, k, v), params | {"pulls": bool(backs)}, (small, pull))
    new = [(node, [fused, _cast(small, result)])]
    for back in backs:
        g = Value(Spec(back.inputs[6].spec.shape, q.spec.dtype))
        found = tuple([Value(Spec(y.spec.shape, q.spec.dtype)) for y in back.outputs])
        wider = [_cast(x, y) for x, y in zip(found, back.outputs, strict=True)]
        pulled = Node(FUSED_PULL, (pull, g), {}, found)
        new.append((back, [_cast(back.inputs[6], g), pulled, *wider]))
    return _Found([node, *backs], new)


def _before_widening(value: Value, uses: _Uses) -> Value | None:
    node = uses.makers.get(id(value))
    if node is None or node.prim.name != "cast":
        return None
    return node.inputs[0] if node.inputs[0].spec.dtype.name in _NARROW else None


def _by_head(x: Value) -> Value:
    batch, time, heads, depth = x.spec.shape
    return Value(Spec((batch, heads, time, depth), x.spec.dtype))


def _cast(x: Value, y: Value) -> Node:
    return Node(PRIMITIVES["cast"], (x,), {"dtype": y.spec.dtype}, (y,))
