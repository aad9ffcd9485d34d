"""Tracing: a function runs on tensors without values, and every op is noted instead of done."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from gradtape.core.places import here, user_frame
from gradtape.core.primitive import Primitive
from gradtape.core.state import State, get_state, set_state
from gradtape.core.tensor import Spec, Tensor, has_value
from gradtape.engine.trace.graph import Graph, Node, Value


class NeedsValue(TypeError):
    """A function being traced asked for something that only a call can know."""


class CannotRepeat(Exception):
    """The body of a loop that differs from round to round: the loop has to be written out."""


class TraceAgain(Exception):
    """Tracing has changed how a variable is kept: what was traced so far does not fit it."""


class Failure:
    """Why a function cannot be traced: what it asked for, and where in the user's program."""

    __slots__ = ("file", "line", "what")

    def __init__(self, what: str, file: str, line: int) -> None:
        self.what = what
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class Unknown(Spec):
    """Stands where a tensor has its array. Whoever asks it for numbers ends the trace."""

    __slots__ = ("trace",)

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype, trace: Trace) -> None:
        super().__init__(shape, dtype)
        self.trace = trace

    @property
    def size(self) -> int:
        size = 1
        for n in self.shape:
            size *= n
        return size

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def _ask(self, *args, **kwargs) -> NoReturn:
        self.trace.fail("the value of a tensor is needed here")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and not name.startswith("__array"):
            raise AttributeError(name)
        self._ask()

    def __eq__(self, other) -> bool:
        return super().__eq__(other) if isinstance(other, Spec) else self._ask()

    __hash__ = None  # type: ignore[assignment]
    __array__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = _ask
    __len__ = __iter__ = __getitem__ = __lt__ = __le__ = __gt__ = __ge__ = __ne__ = _ask


class TracedTensor(Tensor):
    """A tensor in a function being traced: it has a shape and a dtype, and a value on each call."""

    __slots__ = ("_interpreter", "_value")

    def __init__(self, value: Value, trace: Trace, marks=None) -> None:
        super().__init__(Unknown(value.spec.shape, value.spec.dtype, trace), marks)
        self._value = value
        self._interpreter = trace

    def _spec(self) -> Spec:
        return self._value.spec

    def _unmarked(self) -> TracedTensor:
        return TracedTensor(self._value, self._interpreter)

    def _leaked(self) -> Exception:
        return TypeError(
            f"{self!r} is out of scope and cannot be used here: it was made while a tf.function "
            "was traced, and has no value outside of it. Return it from the function instead of "
            "storing it; use a tf.Variable for what must outlive the call."
        )

    def _ask(self, how: str) -> NoReturn:
        if not self._interpreter.active:
            raise self._leaked()
        self._interpreter.fail(how)

    def numpy(self):
        self._ask(".numpy() asks for the value of a tensor")

    def _values(self):
        self._ask("the value of a tensor is needed here")

    def _single(self, kind: str):
        how = "decides by the value of a tensor" if kind == "bool" else f"{kind}() of a tensor"
        self._ask(f"Python {how}" if kind == "bool" else how)

    def __array__(self, dtype=None, copy=None):
        self._ask("NumPy asks for the value of a tensor")

    def __format__(self, spec: str) -> str:
        return str(self)

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        self._ask("pickle asks for the value of a tensor")

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, in a tf.function>"

    def __str__(self) -> str:
        return f'Tensor("traced", shape={self.shape}, dtype={self.dtype.name})'


class Trace:
    """One run of a function that notes its ops: the interpreter of its tensors.

    With `outer`, it is the trace of a part of a function (a branch, the body of a loop) whose
    variables and random draws are those of the function; tensors from outside become inputs.
    """

    is_replica = False  # whether the part is the function of a replica (see replicas.py)

    def __init__(
        self,
        depth: int,
        outer: Trace | None = None,
        repeats: bool = False,
        may_repeat: bool = False,
    ) -> None:
        self.depth = depth
        self.outer = outer
        self._around = get_state()  # where the tapes are that see the part as a whole
        self._repeats = repeats  # whether a call runs the part any number of times
        self._may_repeat = may_repeat  # whether the loop could be written out instead
        self.active = True
        self.failure: Failure | None = None
        self.nodes: list[Node] = []
        self.inputs: list[Value] = []
        self._constants: dict[int, tuple[Tensor, Value]] = {}
        self._captured: dict[int, tuple[Tensor, Value]] = {}  # by id of the outer value
        self._current: dict[int, tuple[Any, Value]] = {}  # variables read or written
        self.variables: list[tuple[Any, Value]] = []  # those read, with the input that they are
        self.written: dict[int, Any] = {}
        self.feeds: list[tuple[Callable, Value]] = []  # inputs that are made anew for each call
        self._draws = 0  # random ops without a seed of their own so far
        self._rounds: Rounds | None = None  # the loop that is being written out here

    # --- ops -------------------------------------------------------------------------------------

    def process(self, prim: Primitive, inputs: tuple, params: dict):
        """Note an op. Called by bind."""
        innermost = get_state().trace
        if innermost is not None and innermost.depth > self.depth:
            return innermost.process(prim, inputs, params)
        values = tuple([self.value_of(x) for x in inputs])
        found = prim.shape(*[value.spec for value in values], **params)
        single = isinstance(found, Spec)
        outputs = tuple([Value(_plain(spec)) for spec in ((found,) if single else found)])
        self.nodes.append(Node(prim, values, params, outputs, here()))
        results = tuple([TracedTensor(value, self) for value in outputs])
        return results[0] if prim.outputs == 1 else results

    def note_done(self, prim: Primitive, inputs: tuple, params: dict, out) -> None:
        """Note an op that has run, because all its inputs have values."""
        values = tuple([self.value_of(x) for x in inputs])
        results = (out,) if prim.outputs == 1 else out
        outputs = tuple([Value(_plain(y._spec())) for y in results])
        self.nodes.append(Node(prim, values, params, outputs, None))
        for tensor, value in zip(results, outputs, strict=True):
            self._constants[id(tensor)] = (tensor, value)

    def effect(self, prim: Primitive, inputs: tuple, params: dict) -> None:
        """Note an op that has no results: something to be done on every call."""
        values = tuple([self.value_of(x) for x in inputs])
        self.nodes.append(Node(prim, values, params, (), here()))

    def value_of(self, x: Any) -> Value:
        """What a tensor is in this graph."""
        if type(x) is TracedTensor and x._interpreter is self:
            if not self.active:
                raise x._leaked()
            return x._value
        if type(x) is Tensor or x._interpreter.depth == 0:  # a value, here or on a device
            known = self._constants.get(id(x))
            if known is None:
                known = self._constants[id(x)] = (x, Value(x._spec(), x))
            return known[1]
        if self.outer is None:
            if type(x) is TracedTensor and not x._interpreter.active:
                raise x._leaked()
            self.fail("the function uses a tensor of the function or vmap around it")
        return self._capture(x)

    def _capture(self, x: Any) -> Value:
        key = id(x._value) if type(x) is TracedTensor else id(x)
        known = self._captured.get(key)
        if known is None:
            known = self._captured[key] = (x, self.input(x._spec())._value)
        return known[1]

    @property
    def captured(self) -> list[Tensor]:
        """The tensors from outside, in the order of the inputs that stand for them."""
        return [x for x, _ in self._captured.values()]

    # --- inputs ----------------------------------------------------------------------------------

    def input(self, spec: Spec) -> TracedTensor:
        """A new input of the graph."""
        value = Value(_plain(spec))
        self.inputs.append(value)
        return TracedTensor(value, self)

    def feed(self, make: Any, spec: Spec) -> TracedTensor:
        """An input that is not an argument: `make()` gives it for each call."""
        if self.outer is not None:
            if self._may_repeat:
                raise CannotRepeat
            if self._repeats:
                self.fail("random numbers are drawn in a loop, others each time round")
            if hasattr(make, "take"):  # only a branch that runs uses its numbers up
                from gradtape.engine.trace.effects import EFFECT

                self.effect(EFFECT, (), {"do": make.take})
                make = make.peek
            return TracedTensor(self._capture(self.outer.feed(make, spec)), self)
        tensor = self.input(spec)
        self.feeds.append((make, tensor._value))
        return tensor

    def sequence(self, seed, make: Callable) -> Any:
        """The random numbers of an op: a new sequence, or in a later round that of the first."""
        rounds = self._rounds
        if rounds is not None:
            return rounds.sequence(seed, make)
        self._draws += seed is None
        return make(seed, self._draws - 1 if seed is None else 0)

    # --- variables -------------------------------------------------------------------------------

    def read(self, variable, marks=None) -> Tensor:
        """The value that a variable has at this point of a call."""
        known = self._current.get(id(variable))
        if known is None:
            if self.outer is not None:
                with restored(self._around):
                    outside = variable._whole()
                value = self.value_of(outside)
            else:
                value = self.input(Spec(variable._data.shape, variable._data.dtype))._value
                self.variables.append((variable, value))
            known = self._current[id(variable)] = (variable, value)
        return TracedTensor(known[1], self, marks)

    def write(self, variable, tensor: Tensor) -> None:
        """Give a variable another value from this point of a call on."""
        self._current[id(variable)] = (variable, self.value_of(tensor))
        self.written[id(variable)] = variable

    def added(self, delta: Tensor) -> Tensor:
        """What is added to a variable where this is: in replicas, what all of them add."""
        return delta if self.outer is None else self.outer.added(delta)

    def current_value(self, variable) -> Value:
        return self.value_of(self.read(variable))

    def initial_value(self, tensor: Any) -> Tensor:
        """The value of a new variable now: what leads to it is computed at once."""
        if type(tensor) is not TracedTensor:
            return tensor
        from gradtape.engine.trace.initial import computed_now

        return computed_now(self, tensor)

    def with_gradient(self, results: list, inputs: list, grad_fn) -> list:
        """Note that results have a gradient of their own (see custom.py)."""
        from gradtape.engine.trace.custom import with_gradient

        return with_gradient(self, results, inputs, grad_fn)

    # --- the end ---------------------------------------------------------------------------------

    def fail(self, what: str) -> NoReturn:
        """End the trace: the function must run eagerly."""
        frame = user_frame(sys._getframe(1))
        trace = self
        while trace is not None:
            if trace.failure is None:
                trace.failure = Failure(what, frame.f_code.co_filename, frame.f_lineno)
            trace = trace.outer
        raise NeedsValue(f"{what} (inside a tf.function that is being traced)")

    def graph(self, outputs: tuple[Value, ...]) -> Graph:
        return Graph(tuple(self.inputs), self.nodes, outputs)


class Rounds:
    """The rounds of a loop that is written out: `with` it for each.

    The random ops of a body are the same ops in every round, with seeds of their own count.
    """

    def __init__(self) -> None:
        self._sequences: list = []
        self._next = self._draws = 0

    def __enter__(self) -> None:
        trace = get_state().trace
        self._trace = trace
        if trace is not None:
            self._before, trace._rounds = trace._rounds, self
            self._next = 0

    def __exit__(self, *exception) -> None:
        if self._trace is not None:
            self._trace._rounds = self._before

    def sequence(self, seed, make: Callable) -> Any:
        if self._next == len(self._sequences):
            self._draws += seed is None
            self._sequences.append(make(seed, self._draws - 1 if seed is None else 0))
        self._next += 1
        return self._sequences[self._next - 1]


def _plain(spec: Spec) -> Spec:
    """A spec whose sizes are Python's integers and whose dtype is NumPy's."""
    return Spec(tuple([int(n) for n in spec.shape]), np.dtype(spec.dtype))


@contextlib.contextmanager
def restored(state: State):
    """The block runs in a state that was there before."""
    before = get_state()
    set_state(state)
    try:
        yield
    finally:
        set_state(before)


class Noter:
    """Among the tapes of a trace, notes ops on tensors that have values, which run at once.

    A tape around a later call may watch such a tensor of the surroundings: then the ops count.
    """

    __slots__ = ("_trace", "key")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.key = object()  # of nothing: no value is known to it

    def record(self, prim: Primitive, inputs: tuple, params: dict, out) -> None:
        if all(map(has_value, inputs)) and prim.name != "custom_gradient":
            self._trace.note_done(prim, inputs, params, out)

    def end_path(self, kind: str, prim, inputs: tuple, out) -> None:
        """What has no derivative is just a constant."""

    def read_mark(self, variable, marks):
        return marks

    def leaves_engine(self, x, how: str) -> None:
        """A value that is known while tracing may be used in any way."""

    def write(self, variable, value, how: str, adds: bool = False) -> None:
        """No gradient flows through what is written."""


@contextlib.contextmanager
def traced_by(trace: Trace, tapes: tuple = ()):
    """The block's ops on traced tensors are noted by `trace`; of tapes, only these see them."""
    before = get_state()
    set_state(State((Noter(trace), *tapes), (), trace.depth, trace))
    try:
        yield trace
    finally:
        set_state(before)
