"""A loop over a batch of examples: where their numbers of iterations differ, by masks.

It runs until every example is done. An example that is done keeps its state; the body computes on a
copy of one that goes on in its place, so that what is discarded is finite (see `replace_inactive`).
"""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.vmap import replace_inactive, select_examples
from gradtape.graph import derived
from gradtape.graph.graph import Graph
from gradtape.graph.replay import replay


class BatchedLoop:
    """The condition and body of a loop, with a batch axis in front of some inputs.

    `which` says which inputs of the body must have the axis. If `masked`, the number of iterations
    differs between the examples: the state begins with a flag for each.
    """

    def __init__(self, condition: Graph, body: Graph, count: int, which: tuple, size: int) -> None:
        state, rest = tuple(which[:count]), tuple(which[count:])
        while True:
            made = derived.depends(body, (*state, *rest))
            after = tuple([a or b for a, b in zip(state, made, strict=True)])
            if after == state:
                break
            state = after
        self.size = size
        self.masked = derived.depends(condition, (*state, *rest))[0]
        if self.masked:
            state = (True,) * count
        self.which = (*state, *rest)
        self._count = count
        self._test = derived.batched_graph(condition, self.which, size, (self.masked,))
        step = derived.batched_graph(body, self.which, size, state)
        if self.masked:
            self.condition, self.body = self._masked_condition(), self._masked_body(step)
        else:
            self.condition, self.body = self._test, step

    def _specs(self) -> list[Spec]:
        return [value.spec for value in self._test.inputs]

    def _masked_condition(self) -> Graph:
        flags = Spec((self.size,), ops.to_tensor(False)._spec().dtype)
        return derived.trace_graph(
            lambda tensors: [ops.reduce_any(tensors[0])], [flags, *self._specs()]
        )

    def _masked_body(self, step: Graph) -> Graph:
        flags = Spec((self.size,), ops.to_tensor(False)._spec().dtype)

        def function(tensors: list) -> list:
            active, *inputs = tensors
            given = [
                replace_inactive(active, x) if is_batched else x
                for x, is_batched in zip(inputs, self.which, strict=True)
            ]
            before, rest = inputs[: self._count], inputs[self._count :]
            after = [
                select_examples(active, new, old)
                for new, old in zip(replay(step, given), before, strict=True)
            ]
            goes_on = replay(self._test, [*after, *rest])[0]
            return [ops.logical_and(active, goes_on), *after]

        return derived.trace_graph(function, [flags, *self._specs()])

    def inputs(self, inputs: Any, batched: Any) -> list[Tensor]:
        """Return the inputs of the batched loop, from those of which some have the axis."""
        given = stacked(inputs, batched, self.which, self.size)
        return [replay(self._test, given)[0], *given] if self.masked else given

    def results(self, outputs: Any) -> tuple[Tensor, ...]:
        """Return the final state, all with the axis, from the outputs of the batched loop."""
        state = outputs[1:] if self.masked else outputs
        return tuple(stacked(state, self.which[: self._count], (True,) * self._count, self.size))


def batched_loop(condition: Graph, body: Graph, count: int, which: tuple, size: int) -> BatchedLoop:
    """Return the loop with a batch axis in front of the inputs in `which`; it is made once."""
    key = ("batched loop", id(condition), count, which, size)
    loop = body.derived.get(key)
    if loop is None:
        # The condition is kept alive along with the loop: the key has its id.
        loop, _ = body.derived[key] = BatchedLoop(condition, body, count, which, size), condition
        return loop
    return loop[0]


def stacked(xs: Any, batched: Any, wanted: Any, size: int) -> list[Tensor]:
    """Return tensors with a batch axis in front where it is wanted and was not there."""
    return [
        ops.broadcast_to(x, (size, *x.shape)) if is_wanted and not is_batched else x
        for x, is_batched, is_wanted in zip(xs, batched, wanted, strict=True)
    ]
