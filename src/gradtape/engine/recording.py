"""What a tape writes down: an append-only list of ops, already in the order they ran."""

from __future__ import annotations

from gradtape.core.dtypes import is_differentiable
from gradtape.core.primitive import Primitive
from gradtape.core.tensor import Tensor


class Recording:
    """The ops on a path from something watched, with just what their reverse rules ask for.

    Every value that the recording knows has a *slot*, a small integer. A watched tensor or
    variable is found in `leaves`; the result of an op carries its slot itself, as a mark with
    this recording's `key`. (The key, not the recording: a tensor that lives on must not keep
    alive what led to it.)
    """

    __slots__ = ("entries", "key", "leaves", "shapes", "watch_variables", "watches_tensors")

    def __init__(self, watch_variables: bool) -> None:
        self.key = object()
        # (primitive, slots of inputs, slot of the result, kept inputs, kept result, parameters)
        self.entries: list[tuple] = []
        self.shapes: list[tuple[int, ...]] = []  # by slot
        self.leaves: dict[int, tuple] = {}  # id -> (slot, the watched object, kept alive)
        self.watch_variables = watch_variables
        self.watches_tensors = False  # a variable's value carries a mark, a watched tensor does not

    def record(self, prim: Primitive, inputs: tuple, params: dict, out) -> None:
        """Append the op if one of its inputs is known here."""
        key = self.key
        leaves = self.leaves if self.watches_tensors else ()
        slots = []
        mask = 0
        bit = 1
        for x in inputs:
            mark = x._marks
            while mark is not None and mark[0] is not key:
                mark = mark[2]
            if mark is not None:
                slots.append(mark[1])
                mask |= bit
            elif leaves and id(x) in leaves:
                slots.append(leaves[id(x)][0])
                mask |= bit
            else:
                slots.append(-1)
            bit += bit
        if not mask:
            return
        plan, keep_ans = prim.plans.get(mask) or prim.keep_plan(mask)
        kept = inputs if plan is True else None if plan is None else plan(inputs)
        shapes = self.shapes
        if prim.outputs == 1:
            slot = len(shapes)
            out._marks = (key, slot, out._marks)
            shapes.append(out._data.shape)
        else:
            specs = []
            slot = ([], specs)
            for y in out:
                specs.append(y._spec())
                if is_differentiable(y._data.dtype):
                    slot[0].append(len(shapes))
                    y._marks = (key, len(shapes), y._marks)
                else:
                    slot[0].append(-1)
                shapes.append(y._data.shape)
        self.entries.append((prim, slots, slot, kept, out if keep_ans else None, params))

    def slot_of(self, x) -> int | None:
        """The slot of a tensor or variable, or None where this recording does not know it."""
        leaf = self.leaves.get(id(x))
        if leaf is not None:
            return leaf[0]
        mark = x._marks if isinstance(x, Tensor) else None
        while mark is not None and mark[0] is not self.key:
            mark = mark[2]
        return None if mark is None else mark[1]

    def watch(self, x) -> int:
        """Make a tensor or variable known, if it is not; its slot."""
        slot = self.slot_of(x)
        if slot is None:
            slot = len(self.shapes)
            self.leaves[id(x)] = (slot, x)
            self.watches_tensors |= isinstance(x, Tensor)
            self.shapes.append(x._data.shape)
        return slot

    def read_mark(self, variable, marks):
        """The marks of a variable's value just read: the value is the variable, to this tape."""
        if id(variable) in self.leaves or (self.watch_variables and variable.trainable):
            return (self.key, self.watch(variable), marks)
        return marks
