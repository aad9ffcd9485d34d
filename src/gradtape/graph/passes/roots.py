"""x**0.5 and x**-0.5 are roots in functions, as TensorFlow rewrites them there.

At -0 and -inf these differ from the powers that eager code computes, and their rules from those of
powers: so this is for graphs that nobody will differentiate any more.
"""

from __future__ import annotations

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.size import surely_equal
from gradtape.graph.graph import Graph, Node
from gradtape.graph.passes.rewrite import Producers, is_filled_with, replace_node, rewrite

_ROOTS = {0.5: "sqrt", -0.5: "rsqrt"}


def compute_roots(graph: Graph) -> Graph:
    """Return the graph with roots in place of powers."""
    return rewrite(graph, (_root,))


def _root(node: Node, producers: Producers) -> Node | None:
    x = node.inputs[0] if node.prim.name in ("power", "power_by") else None
    if x is None or not surely_equal(x.spec.shape, node.outputs[0].spec.shape):
        return None
    for exponent, name in _ROOTS.items():
        if (
            node.params.get("exponent") == exponent
            if node.prim.name == "power_by"
            else is_filled_with(node.inputs[1], exponent)
        ):
            return replace_node(node, (x,), {}, PRIMITIVES[name])
    return None
