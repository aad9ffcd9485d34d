"""Initial values of variables that a function creates: computed once, while it is traced."""

from __future__ import annotations

from gradtape.core.state import lifted
from gradtape.core.tensor import Tensor
from gradtape.graph.graph import Graph
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.replay import replay
from gradtape.graph.tracing import Obstacle, Trace, TracedTensor


def compute_now(trace: Trace, tensor: TracedTensor) -> Tensor:
    """Compute a traced tensor that depends on no argument of the function."""
    value = trace.value_of(tensor)
    if trace.outer is not None:
        trace.fail("a variable is made inside a branch or a loop", Obstacle.OTHER)
    graph = eliminate_dead_code(Graph(tuple(trace.inputs), trace.nodes, (value,)))
    used = {id(v) for v in graph.used()}
    known = {id(v): Tensor(variable._data) for variable, v in trace.variables}
    known |= {id(v): make() for make, v in trace.feeds if id(v) in used}
    for v in graph.inputs:
        if id(v) in used and id(v) not in known:
            trace.fail("the initial value of a variable depends on an argument", Obstacle.OTHER)
    unused = Tensor(0)  # for inputs that the value does not depend on
    with lifted():
        return replay(graph, [known.get(id(v), unused) for v in graph.inputs])[0]
