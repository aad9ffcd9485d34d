"""The backward pass of a loop: what its iterations keep, and how to go back through them."""

from __future__ import annotations

import copy

from gradtape import ops
from gradtape.core.dtypes import is_differentiable
from gradtape.core.tensor import Tensor
from gradtape.graph import derived
from gradtape.graph.derivative import pullback
from gradtape.graph.graph import Graph, Value
from gradtape.graph.open_sizes import SizedGraph, at_sizes
from gradtape.graph.replay import replay


class LoopBackward:
    """The backward pass of a loop.

    * `body`: the body, with the residuals that change from iteration to iteration as more outputs;
    * `step`: (those residuals, captured tensors, cotangents of the differentiable state, sums) to
      the cotangents one iteration before, and the sums of the captured tensors' gradients.

    `varying` and `needed` are the indices of the body's inputs that these belong to.
    """

    def __init__(self, body: Graph, count: int, which: tuple[bool, ...]) -> None:
        smooth = [is_differentiable(value.spec.dtype) for value in body.inputs]
        size = len(body.inputs)
        self.which = which
        self.varying = [i for i in range(count) if smooth[i]]
        self.needed = [i for i in range(count, size) if smooth[i] and which[i]]
        wanted = tuple([i in self.varying or i in self.needed for i in range(size)])
        rule = pullback(body, wanted)
        forward = rule.forward
        invariant = {id(value): i for i, value in enumerate(forward.inputs[count:])}
        saved: dict[int, Value] = {}
        for value in forward.outputs[len(body.outputs) :]:
            if id(value) not in invariant:
                saved[id(value)] = value
        outputs = (*forward.outputs[: len(body.outputs)], *saved.values())
        self.body = Graph(forward.inputs, forward.nodes, outputs)
        self.body.extends = body
        self.step = self._trace_step(body, count, rule, invariant, saved)

    def _trace_step(self, body: Graph, count: int, rule, invariant: dict, saved: dict) -> Graph:
        position = {key: i for i, key in enumerate(saved)}
        specs = [value.spec for value in body.inputs]
        rest = len(specs) - count

        def function(tensors: list) -> list:
            kept, captured = tensors[: len(saved)], tensors[len(saved) : len(saved) + rest]
            cotangents = tensors[len(saved) + rest :]
            state = dict(zip(self.varying, cotangents, strict=False))
            residuals = [
                captured[invariant[id(value)]]
                if id(value) in invariant
                else kept[position[id(value)]]
                for value in rule.forward.outputs[len(body.outputs) :]
            ]
            gradients = rule.pack(
                replay(rule.backward, [*residuals, *[state[i] for i in rule.targets]])
            )

            def gradient(index: int) -> Tensor:
                g = gradients[index]
                spec = specs[index]
                return ops.zeros(spec.shape, spec.dtype) if g is None else ops.to_tensor(g)

            sums = cotangents[len(self.varying) :]
            return [
                *[gradient(i) for i in self.varying],
                *[total + gradient(i) for i, total in zip(self.needed, sums, strict=True)],
            ]

        inputs = [*[v.spec for v in saved.values()], *specs[count:]]
        inputs += [specs[i] for i in (*self.varying, *self.needed)]
        return derived.trace_graph(function, inputs)

    def at_sizes(self, sized: SizedGraph) -> LoopBackward:
        """Return the backward pass for the sizes of a body with open sizes."""
        other = copy.copy(self)
        other.body = at_sizes(self.body, sized.open, sized.sizes)
        other.step = at_sizes(self.step, sized.open, sized.sizes)
        return other


def loop_backward(body: Graph, count: int, which: tuple[bool, ...]) -> LoopBackward:
    """Return the backward pass of a loop with this body; it is made once."""
    key = ("loop", count, which)
    rule = body.derived.get(key)
    if rule is None:
        whole = body.whole.derived.get(key) if isinstance(body, SizedGraph) else None
        rule = LoopBackward(body, count, which) if whole is None else whole.at_sizes(body)
        body.derived[key] = rule
    return rule


def rule_of(body: Graph) -> LoopBackward | None:
    """Return the backward pass that uses what such a body gives besides the next state."""
    narrow = body.extends
    if narrow is None:
        return None
    known, wide = narrow, body
    if isinstance(body, SizedGraph) and isinstance(narrow, SizedGraph):
        known, wide = narrow.whole, body.whole
    for key, rule in known.derived.items():
        if isinstance(rule, LoopBackward) and rule.body is wide:
            return loop_backward(narrow, *key[1:])
    return None


def backward_step(body: Graph, count: int, which, rows: int | None) -> tuple[LoopBackward, Graph]:
    """Return the backward pass of a loop, and its step, for stacks of cotangents with `rows`."""
    rule = loop_backward(body, count, which)
    if rows is None:
        return rule, rule.step
    moving = len(rule.varying) + len(rule.needed)
    stacks = (*[False] * (len(rule.step.inputs) - moving), *[True] * moving)
    return rule, derived.batched_graph(rule.step, stacks, rows)
