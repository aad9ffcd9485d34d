"""The number of ops of a vectorized function does not grow with the number of examples."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.state import get_state, using
from tests.pfor.derivatives import MODES, K, W, X, vectorized
from tests.pfor.programs import PROGRAMS


class Counter:
    """Stands among the tapes, and counts the ops that run."""

    def __init__(self) -> None:
        self.key = object()
        self.names: list = []

    def record(self, prim, inputs, params, out) -> None:
        self.names.append(prim.name)

    def end_path(self, kind, prim, inputs, out) -> None:
        self.names.append(getattr(prim, "name", kind))

    def slot_of(self, x) -> None:
        return None

    def read_mark(self, variable, marks):
        return marks

    def leaves_engine(self, x, how) -> None:
        pass

    def write(self, variable, value, how, adds=False) -> None:
        pass


def ops_of(name: str, times: int) -> list:
    counter = Counter()
    function = vectorized(lambda x, k, w: PROGRAMS[name](tf, x, k, w))
    batch = tf.constant(np.tile(X, (times, 1))), tf.constant(np.tile(K, times))
    with using(tapes=(*get_state().tapes, counter)):
        function(*batch, tf.constant(W))
    return counter.names


@pytest.mark.parametrize("name", PROGRAMS)
def test_eager_ops(name):
    few = ops_of(name, 1)
    assert few
    assert ops_of(name, 8) == few


def nodes_of(graph) -> int:
    return sum(1 + sum(nodes_of(inner) for inner in node.graphs) for node in graph.nodes)


@pytest.mark.parametrize("mode", ["gradient", "per example"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_nodes_of_a_graph(name, mode):
    counts = []
    for times in (1, 8):
        function = tf.function(MODES[mode](PROGRAMS[name], vectorized))
        function(
            tf.constant(np.tile(X, (times, 1))), tf.constant(np.tile(K, times)), tf.constant(W)
        )
        (entry,) = function._cache.entries.values()
        counts.append(nodes_of(entry.routine.graph))
    assert counts[0] == counts[1]
