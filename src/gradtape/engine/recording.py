"""The recording of a tape: an append-only list of ops, in the order in which they ran."""

from __future__ import annotations

from sys import _getframe
from typing import TYPE_CHECKING, Any

from gradtape.core.dtypes import DIFFERENTIABLE, is_differentiable
from gradtape.core.native import connect, native_storage
from gradtape.core.primitive import Primitive, Rule
from gradtape.core.size import Size
from gradtape.core.source_location import LIBRARY_FILES, USER_FILES, user_frame
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.broken_paths import End, LostPaths

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike
    from gradtape.engine.variable import Variable


def read_own_mark(x: TensorLike, key: object) -> Any:
    """Return what the mark with a listener's key says of a tensor; None if there is none."""
    mark = x._marks if isinstance(x, Tensor) else None
    while mark is not None and mark[0] is not key:
        mark = mark[2]
    return None if mark is None else mark[1]


@native_storage("RecordingStorage")
class Recording:
    """The ops that depend on something watched, with exactly the values that reverse rules use.

    Every value that the recording knows has a *slot*, a small integer. `leaves` has those of
    watched tensors and variables, by identity; the result of an op has its slot in a mark with this
    recording's `key`. (The key, not the recording: a tensor that lives on must not keep its history
    alive.)
    """

    __slots__ = (
        "entries",
        "key",
        "leaves",
        "lost",
        "scopes",
        "shapes",
        "user_code",
        "watch_variables",
        "watches_tensors",
    )

    def __init__(self, watch_variables: bool) -> None:
        self.key = object()
        # (primitive, slots of inputs, slot of the result, kept inputs, kept result, parameters,
        # the user's code that called the op, offset of the instruction there)
        self.entries: list[tuple[Any, ...]] = []
        self.shapes: list[tuple[int, ...]] = []  # by slot
        self.leaves: dict[int, tuple[Any, ...]] = {}  # id -> (slot, the watched object, kept alive)
        self.watch_variables = watch_variables
        self.lost: LostPaths | None = None  # where paths end, if one does
        # (slot, path): what is recorded from that slot on is inside that scope (see core/scope.py)
        self.scopes: list[tuple[int, str]] = []
        self.user_code = None  # the code object that called the last op: likely the next's
        self.watches_tensors = False  # a variable's value has a mark, a watched tensor does not

    def record(
        self, prim: Primitive, inputs: tuple[Any, ...], params: dict[Any, Any], out: Tensor
    ) -> None:
        """Append the op if one of its inputs has a slot."""
        key = self.key
        leaves = self.leaves if self.watches_tensors else ()
        slots = []
        mask = 0
        bit = 1
        for x in inputs:
            mark = x._marks
            while mark is not None:
                if mark[0] is key:
                    slots.append(mark[1])
                    mask |= bit
                    break
                mark = mark[2]
            else:
                if leaves and id(x) in leaves:
                    slots.append(leaves[id(x)][0])
                    mask |= bit
                else:
                    slots.append(-1)
            bit += bit
        if self.lost is not None:
            self.lost.carry(inputs, out)
        if not mask:
            return
        try:
            plan, keep_ans = prim.plans[mask]
        except KeyError:
            plan, keep_ans = prim.keep_plan(mask)
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
        frame = _getframe(4)  # this method, notify, bind, the op's function, its caller
        code = frame.f_code
        if code is not self.user_code:
            if code.co_filename in USER_FILES:
                self.user_code = code
            else:
                frame = user_frame(frame)
                code = frame.f_code
        self.entries.append(
            (prim, slots, slot, kept, out if keep_ans else None, params, code, frame.f_lasti)
        )

    def enter_scope(self, path: str) -> None:
        """Note that what is recorded from now on is inside a scope.

        A scope in which nothing was recorded is forgotten.
        """
        slot = len(self.shapes)
        if self.scopes and self.scopes[-1][0] == slot:
            self.scopes.pop()
        self.scopes.append((slot, path))

    def slot_of(self, x: TensorLike) -> int | None:
        """Return the slot of a tensor or variable, or None if this recording does not know it."""
        leaf = self.leaves.get(id(x))
        return read_own_mark(x, self.key) if leaf is None else leaf[0]

    def watch(self, x: Any) -> int:
        """Watch a tensor or variable, unless it has a slot already; return its slot."""
        slot = self.slot_of(x)
        if slot is None:
            slot = len(self.shapes)
            self.leaves[id(x)] = (slot, x)
            self.watches_tensors |= isinstance(x, Tensor)
            data = x._data if isinstance(x, Tensor) else x._recorded_data
            self.shapes.append(data.shape)
        return slot

    def read_mark(self, variable: Variable, marks: tuple[Any, ...] | None) -> Any:
        """Return the marks of a variable's value just read, with the variable's slot prepended."""
        if self.lost is not None and id(variable) in self.lost.written:
            marks = (self.lost.key, self.lost.written[id(variable)][1], marks)
        leaf = self.leaves.get(id(variable))
        if leaf is not None:
            return (self.key, leaf[0], marks)
        if self.watch_variables and variable.trainable:
            return (self.key, self.watch(variable), marks)
        return marks

    def outline(self) -> Recording:
        """Return the same recording without values, for an explanation after they are freed."""
        other = Recording(self.watch_variables)
        other.key, other.shapes, other.leaves = self.key, self.shapes, self.leaves
        other.lost, other.scopes = self.lost, self.scopes
        other.entries = [(*entry[:3], None, None, None, *entry[6:]) for entry in self.entries]
        return other

    # --- paths that end ------------------------------------------------------------------------

    def would_watch(self, variable: Any) -> bool:
        """Return whether reading a variable makes this recording watch it."""
        return self.watch_variables and variable.trainable

    def lost_paths(self) -> LostPaths:
        if self.lost is None:
            self.lost = LostPaths()
        return self.lost

    def reaches(self, end: End, x: TensorLike) -> None:
        """Record that a value reaches an end."""
        slot = self.slot_of(x)
        if slot is not None:
            end.slots.add(slot)
        elif not isinstance(x, Tensor):
            end.variables[id(x)] = x

    def end_path(self, kind: str, prim: Primitive, inputs: tuple[Any, ...], out: Tensor) -> None:
        """Record an op without derivative (or one that is not recorded) on a watched path."""
        slots = [slot for x in inputs if (slot := self.slot_of(x)) is not None]
        if slots:
            result = out if isinstance(out, Tensor) else out[0]
            lost = self.lost_paths()
            end, bit = lost.end(kind, prim, result)
            end.slots.update(slots)
            lost.carry(inputs, out, bit)
        elif self.lost is not None:
            self.lost.carry(inputs, out)

    def leaves_engine(self, x: Any, how: str) -> None:
        """Record that a value is passed to Python or NumPy; `how` names the function."""
        if self.slot_of(x) is None and (isinstance(x, Tensor) or not self.would_watch(x)):
            return
        end, _ = self.lost_paths().end("left", how, x)
        self.reaches(end, x)

    def write(self, variable: Variable, value: Any, how: str, adds: bool = False) -> None:
        """Record that a variable's value is replaced (or added to): no gradient flows through."""
        bits = 0
        if isinstance(value, TensorBase):
            known = self.slot_of(value) is not None
            if known or (not isinstance(value, Tensor) and self.would_watch(value)):
                end, bits = self.lost_paths().end("written", how, value)
                self.reaches(end, value)
            if self.lost is not None:
                bits |= self.lost.behind(value)
        if self.lost is not None:
            if adds:
                bits |= self.lost.behind(variable)
            self.lost.written.pop(id(variable), None)
            if bits:
                self.lost.written[id(variable)] = (variable, bits)


connect(
    Recording=Recording,
    Rule=Rule,
    Size=Size,
    user_files=USER_FILES,
    library_files=LIBRARY_FILES,
    user_frame=user_frame,
    differentiable=DIFFERENTIABLE,
)
