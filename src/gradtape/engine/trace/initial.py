"""Values of variables that a function makes: computed while it is traced, once."""

from __future__ import annotations

from gradtape.core.state import lifted
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.passes.dead_code import without_dead_code
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.tracing import Trace, TracedTensor


def computed_now(trace: Trace, tensor: TracedTensor) -> Tensor:
    """The value of a traced tensor that depends on no argument of the function."""
    value = trace.value_of(tensor)
    if trace.outer is not None:
        trace.fail("a variable is made inside a branch or a loop")
    graph = without_dead_code(Graph(tuple(trace.inputs), trace.nodes, (value,)))
    used = {id(v) for v in graph.used()}
    known = {id(v): Tensor(variable._data) for variable, v in trace.variables}
    known |= {id(v): make() for make, v in trace.feeds if id(v) in used}
    for v in graph.inputs:
        if id(v) in used and id(v) not in known:
            trace.fail("the initial value of a variable depends on an argument")
    nothing = Tensor(0)  # for the inputs that lead nowhere
    with lifted():
        return replay(graph, [known.get(id(v), nothing) for v in graph.inputs])[0]
