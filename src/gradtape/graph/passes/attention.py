"""Fuses attention into one op, for devices that have a kernel for it.

softmax(scale · q kᵀ + mask) v and its gradient are eight ops and more, with all the scores in
memory between them. The kernels for GPUs (cuDNN's) take q, k, v in 16 bits, compute the scores and
the softmax in float32, and round the weights to 16 bits before their product with v. There must be
no mask, or a constant causal mask.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gradtape.core.primitive import PRIMITIVES, Primitive, primitive
from gradtape.core.tensor import Spec
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes.rewrite import is_filled_with

_NARROW = ("bfloat16", "float16")
_MAX_HEAD_SIZE = 128
_MIN_KEYS = 256  # with fewer, the unfused ops are faster: their products are in 16 bits, too
_MIN_KEYS_OF_OP = 64  # the op `attention` computes in float32
_MASK_THRESHOLD = -1e8  # what a mask adds to a score that is masked out: this or less
_VJP_SPEC = Spec((), np.dtype(bool))  # placeholder spec: the value is a vjp function, not a tensor


def _xla_primitive(name: str, inputs: str, outputs: int, flops=None) -> Primitive:
    """Make a primitive of programs that XLA compiles, after derivatives and batches are taken."""

    def refuse(*args, **params):
        raise AssertionError(f"{name} is an op of compiled programs alone")

    return primitive(
        name,
        inputs,
        kernel=refuse,
        shape=refuse,
        batch=refuse,
        no_derivative="derivatives are taken before it is there",
        outputs=outputs,
        flops=flops,
    )


def _fused_flops(inputs, outputs, params) -> float:
    q, k, v = (spec.shape for spec in inputs)
    time = 2 if params["by_head"] else 1
    return 2.0 * math.prod(q[:3]) * k[time] * (q[3] + v[3])


# (q, k, v) -> the result, and its vjp function: cotangent -> gradients of q, k, v.
FUSED_ATTENTION = _xla_primitive("fused_attention", "q k v", 2, _fused_flops)
FUSED_ATTENTION_VJP = _xla_primitive("fused_attention_vjp", "vjp g", 3)


def fuse_attention(graph: Graph) -> Graph:
    """Return the graph with attention as one op, and its vjp as another."""
    uses = _Uses(graph)
    removed: set[int] = set()  # ids of nodes
    inserted: dict[int, list[Node]] = {}  # by id of the node that they precede
    for node in graph.nodes:
        match = None
        if node.prim.name == "softmax":
            match = _match_unfused(node, uses)
        elif node.prim.name == "attention":
            match = _match_attention_op(node, uses)
        if match is not None:
            removed.update(id(old) for old in match.old)
            for position, new in match.new:
                inserted.setdefault(id(position), []).extend(new)
    if not removed:
        return graph
    nodes = []
    for node in graph.nodes:
        nodes += inserted.get(id(node), ())
        if id(node) not in removed:
            nodes.append(node)
    return Graph(graph.inputs, nodes, graph.outputs)


class _Match(NamedTuple):
    """Nodes to remove, and (removed node, nodes to insert before it)."""

    old: list[Node]
    new: list[tuple[Node, list[Node]]]


class _Uses:
    """The producer and the users of each value."""

    def __init__(self, graph: Graph) -> None:
        self.producers: dict[int, Node] = {}
        self._users: dict[int, list[Node]] = {}
        self._outputs = {id(value) for value in graph.outputs}
        self.order = {id(node): index for index, node in enumerate(graph.nodes)}
        for node in graph.nodes:
            for value in node.outputs:
                self.producers[id(value)] = node
            for value in node.inputs:
                users = self._users.setdefault(id(value), [])
                if not any(user is node for user in users):
                    users.append(node)

    def of(self, value: Value) -> list[Node]:
        """Return all nodes that use a value; `_OUTPUT` stands for the outputs of the graph."""
        extra = [_OUTPUT] if id(value) in self._outputs else []
        return self._users.get(id(value), []) + extra

    def only(self, value: Value) -> Node | None:
        """Return the node that uses a value, if it is the only one."""
        users = self.of(value)
        return users[0] if len(users) == 1 else None

    def first(self, nodes: list[Node]) -> Node:
        return min(nodes, key=lambda node: self.order[id(node)])


_OUTPUT = Node(_xla_primitive("output", "", 0), (), {}, ())


def _is_matmul(node: Node | None, transpose_a: bool, transpose_b: bool) -> bool:
    return (
        node is not None
        and node.prim.name == "matmul"
        and node.params == {"transpose_a": transpose_a, "transpose_b": transpose_b}
    )


# --- attention as separate ops -------------------------------------------------------------------


def _match_unfused(softmax: Node, uses: _Uses) -> _Match | None:
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
    if not _fits((q, k, v, result), causal, _MIN_KEYS):
        return None
    old += [softmax, *to_weights, *forward]
    params = {"scale": scale, "causal": causal, "by_head": True}
    vjp = Value(_VJP_SPEC)
    has_reverse = len(uses.of(weights)) > 1 or (bool(to_weights) and len(uses.of(p)) > 1)
    fused = Node(FUSED_ATTENTION, (q, k, v), params | {"has_vjp": has_reverse}, (result, vjp))
    new = [(forward[0], [fused])]
    if has_reverse:
        reverse = _reverse(softmax, weights, to_weights, forward[0], product, scale, uses)
        if reverse is None:
            return None
        g, gradients, back = reverse
        old += back
        new.append((uses.first(back), [Node(FUSED_ATTENTION_VJP, (vjp, g), {}, gradients)]))
    return _Match(old, new)


def _scores(softmax: Node, uses: _Uses):
    """Return the matmul q kᵀ below a softmax, its scale, whether it is masked causally, and the
    nodes between."""
    value, scale, causal, old = softmax.inputs[0], 1.0, False, []
    node = uses.producers.get(id(value))
    if node is not None and node.prim.name == "add":
        mask = next((x for x in node.inputs if x.constant is not None), None)
        if mask is None or uses.only(value) is not softmax or not _is_causal_mask(mask, value):
            return None
        causal = True
        old.append(node)
        after, value = node, next(x for x in node.inputs if x is not mask)
    else:
        after = softmax
    while True:
        node = uses.producers.get(id(value))
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
    """Return the factor and the value that a node multiplies; the factor of a cast is 1."""
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
    """Return the number in a constant of one element."""
    if value.constant is None or value.constant._data.size != 1:
        return None
    return float(np.asarray(value.constant._data).reshape(-1)[0])


def _is_causal_mask(mask: Value, scores: Value) -> bool:
    """Return whether a constant masks out just the keys after each query's position."""
    *ahead, queries, keys = mask.spec.shape if len(mask.spec.shape) > 1 else (0, 0)
    if (
        (queries, keys) != tuple(scores.spec.shape[-2:])
        or queries != keys
        or any(n != 1 for n in ahead)
    ):
        return False
    assert mask.constant is not None
    values = np.asarray(mask.constant._data).astype(np.float32).reshape(queries, keys)
    seen = np.tri(queries, dtype=bool)
    return bool((values[seen] == 0).all() and (values[~seen] <= _MASK_THRESHOLD).all())


def _narrowed(p: Value, dtype, uses: _Uses) -> tuple[Value, list[Node]]:
    """Return the weights in the dtype of v, and the cast that makes them so, in a list."""
    for node in uses.of(p):
        if node.prim.name == "cast" and node.outputs[0].spec.dtype == dtype:
            return node.outputs[0], [node]
    return p, []


def _fits(tensors: tuple[Value, ...], causal: bool, min_keys: int) -> bool:
    """Return whether there is a kernel for q, k, v and the result, by their shapes and dtypes."""
    q, k, v, result = tensors
    shapes = [x.spec.shape for x in (q, k, v)]
    return (
        all(x.spec.dtype == q.spec.dtype for x in (k, v, result))
        and q.spec.dtype.name in _NARROW
        and all(len(shape) == 4 and 0 not in shape for shape in shapes)
        and shapes[1] == shapes[2]
        and shapes[0][:2] == shapes[1][:2]
        and shapes[0][3] == shapes[1][3]
        and shapes[0][3] % 8 == 0
        and shapes[0][3] <= _MAX_HEAD_SIZE
        and shapes[1][2] >= min_keys
        and (not causal or shapes[0] == shapes[1])
    )


def _reverse(softmax, weights, to_weights, forward, product, scale, uses: _Uses):
    """Return the cotangent of the result, the gradients of q, k, v, and the nodes of the vjp.

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
    centered = uses.only(a)
    if centered is None or centered.prim.name != "softmax_grad" or centered.inputs != (p, a):
        return None
    back.append(centered)
    # Nothing else may use the weights.
    known = {id(n) for n in (*back, *to_weights, forward)}
    if any(id(n) not in known for n in (*uses.of(p), *uses.of(weights))):
        return None
    s, total = centered.outputs[0], 1.0
    while len(uses.of(s)) == 1:
        node = uses.of(s)[0]
        step = None if node is _OUTPUT else _scaled(node)
        if step is None or step[1] is not s:
            return None
        total *= step[0]
        back.append(node)
        s = node.outputs[0]
    of_q = [n for n in uses.of(s) if _is_matmul(n, False, False) and n.inputs == (s, k)]
    of_k = _transposed_product(s, q, uses)
    if len(of_q) != 1 or not of_k or len(uses.of(s)) != 2:
        return None
    if not np.isclose(total, scale, rtol=1e-2):  # the same number, rounded to 16 bits perhaps
        return None
    gradients = (of_q[0].outputs[0], of_k[-1].outputs[0], of_v[0].outputs[0])
    wanted = (q.spec, k.spec, v.spec)
    if any(x.spec != spec for x, spec in zip(gradients, wanted, strict=True)):
        return None
    return g, gradients, [*back, *of_q, *of_k]


def _transposed_product(s: Value, q: Value, uses: _Uses) -> list[Node]:
    """Return the nodes that compute sᵀ q: one, or (qᵀ s)ᵀ where the program transposes k."""
    for node in uses.of(s):
        if _is_matmul(node, True, False) and node.inputs == (s, q):
            return [node]
        if _is_matmul(node, True, False) and node.inputs == (q, s):
            transpose = uses.only(node.outputs[0])
            if transpose is not None and transpose.prim.name == "transpose":
                order = tuple(transpose.params["permutation"])
                rank = len(order)
                if order == (*range(rank - 2), rank - 1, rank - 2):
                    return [node, transpose]
    return []


# --- the attention op ----------------------------------------------------------------------------


def _match_attention_op(node: Node, uses: _Uses) -> _Match | None:
    """Match the op `attention` on values cast from 16 bits, and its vjp."""
    q, k, v = (_before_widening(x, uses) for x in node.inputs[:3])
    if q is None or k is None or v is None or not is_filled_with(node.inputs[3], 0):
        return None
    causal, (result, logs) = node.params["causal"], node.outputs
    small = Value(Spec(result.spec.shape, q.spec.dtype))
    by_head = (_by_head(q), _by_head(k), _by_head(v), _by_head(small))
    if not _fits(by_head, causal, _MIN_KEYS_OF_OP):
        return None
    backs = uses.of(logs)
    if len(backs) > 1 or any(n.prim.name != "attention_grad" for n in backs):
        return None
    params = {"scale": node.params["scale"], "causal": causal, "by_head": False}
    vjp = Value(_VJP_SPEC)
    fused = Node(FUSED_ATTENTION, (q, k, v), params | {"has_vjp": bool(backs)}, (small, vjp))
    new = [(node, [fused, _cast(small, result)])]
    for back in backs:
        g = Value(Spec(back.inputs[6].spec.shape, q.spec.dtype))
        gradients = tuple([Value(Spec(y.spec.shape, q.spec.dtype)) for y in back.outputs])
        wider = [_cast(x, y) for x, y in zip(gradients, back.outputs, strict=True)]
        pulled = Node(FUSED_ATTENTION_VJP, (vjp, g), {}, gradients)
        new.append((back, [_cast(back.inputs[6], g), pulled, *wider]))
    return _Match([node, *backs], new)


def _before_widening(value: Value, uses: _Uses) -> Value | None:
    node = uses.producers.get(id(value))
    if node is None or node.prim.name != "cast":
        return None
    return node.inputs[0] if node.inputs[0].spec.dtype.name in _NARROW else None


def _by_head(x: Value) -> Value:
    batch, time, heads, depth = x.spec.shape
    return Value(Spec((batch, heads, time, depth), x.spec.dtype))


def _cast(x: Value, y: Value) -> Node:
    return Node(PRIMITIVES["cast"], (x,), {"dtype": y.spec.dtype}, (y,))
