"""`TracedTensor`: a tensor in a function being traced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from gradtape.core.errors import InaccessibleTensorError
from gradtape.core.size import Size
from gradtape.core.state import get_state
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.graph import Value
from gradtape.graph.obstacles import VALUE_IS_NEEDED, Obstacle, asked_for

if TYPE_CHECKING:
    from gradtape.graph.tracing import Trace


# Of a tensor from which sizes, axes or the like are read: more of them are data.
_MAX_SIZES = 16


class AbstractArray(Spec):
    """The payload of a traced tensor: shape and dtype only. Reading its values ends the trace."""

    __slots__ = ("trace",)

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype, trace: Trace) -> None:
        super().__init__(shape, dtype)
        self.trace = trace

    def _fail(self, *args, **kwargs) -> NoReturn:
        self.trace.fail(VALUE_IS_NEEDED)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and not name.startswith("__array"):
            raise AttributeError(name)
        self._fail()

    def __eq__(self, other) -> bool:
        return super().__eq__(other) if isinstance(other, Spec) else self._fail()

    __hash__ = None
    __array__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = _fail
    __len__ = __iter__ = __getitem__ = __lt__ = __le__ = __gt__ = __ge__ = __ne__ = _fail


class _NoValue(TypeError, AttributeError):
    """A tensor of a function that has been traced has no value, and as in TensorFlow no `numpy`."""


class TracedTensor(SymbolicTensor):
    """A tensor in a function being traced: its value is known only at run time."""

    __slots__ = ("_value",)

    _interpreter: Trace

    def __init__(self, value: Value, trace: Trace, marks=None) -> None:
        super().__init__(AbstractArray(value.spec.shape, value.spec.dtype, trace), trace, marks)
        self._value = value

    def _spec(self) -> Spec:
        return self._value.spec

    def _unmarked(self) -> TracedTensor:
        return TracedTensor(self._value, self._interpreter)

    def _leaked(self) -> Exception:
        trace = self._interpreter
        text = (
            f"{self!r} is out of scope and cannot be used here: it was made{trace.origin(self)} "
            "while a tf.function was traced, and has no value outside of it. Return it from the "
            "function instead of storing it; use a tf.Variable for what must outlive the call."
        )
        if trace.failure is not None:
            text += (
                f" That trace ended early, at {trace.failure}; since then the function runs "
                "eagerly. Forget what it has stored, and either take tf.function off, or take "
                "what needs the value out of the function."
            )
        is_part = trace.outer is not None and get_state().trace is not None
        return InaccessibleTensorError(text) if is_part else _NoValue(text)

    def _fail(self, reason: str, kind: Obstacle = Obstacle.VALUE) -> NoReturn:
        trace: Trace = self._interpreter
        if not trace.active:
            raise self._leaked()
        trace.fail(asked_for(reason), kind)

    def _offset(self) -> tuple[Any, int]:
        from gradtape.graph.offsets import offset_of

        return offset_of(self)

    def _sizes(self, asks: bool = False) -> Any:
        known = self._interpreter.known_sizes(self._value)
        is_few = self.dtype.is_integer and self.shape.num_elements() <= _MAX_SIZES
        return self._interpreter.ask_sizes(self) if known is None and asks and is_few else known

    def __iter__(self):
        sizes = self._value.spec.shape
        if sizes and type(sizes[0]) is Size and sizes[0].open.is_found(sizes[0]):
            # A loop of the graph is traced once; Python's would be for each length that occurs.
            what = "Python iterates over a tensor whose length is known only at run time"
            self._interpreter.fail(what, Obstacle.BRANCH)
        return super().__iter__()

    def computed_from_sizes(self) -> Any:
        """Return the value of this call as an array, if it is known from sizes; None otherwise."""
        if self._interpreter.open is None:
            return None
        from gradtape.graph.known_sizes import compute_now

        return compute_now(self._interpreter, self._value)

    def _known(self, reason: str) -> Any:
        """Return the value of this call, if it is computed from sizes alone; else end the trace."""
        known = self.computed_from_sizes()
        return self._fail(reason) if known is None else known

    def numpy(self):
        return self._known(".numpy() asks for the value of a tensor")

    def _values(self):
        return self._known(VALUE_IS_NEEDED)

    _host_data = _values

    def _single(self, kind: str):
        if kind == "bool":  # the branch can become an op
            self._fail(Obstacle.BRANCH.value, Obstacle.BRANCH)
        return Tensor(self._known(f"{kind}() of a tensor"))._single(kind)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._known("NumPy asks for the value of a tensor"), dtype)

    def __format__(self, spec: str) -> str:
        return str(self)

    def __reduce__(self):
        self._fail("pickle asks for the value of a tensor")

    @property
    def name(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] (others have none)
        """The name in the graph: of an argument, or of the op that computes the tensor."""
        return _name_of(self._interpreter, self._value)

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __str__(self) -> str:
        return f'Tensor("{self.name}", shape={self.shape}, dtype={self.dtype.name})'


def _name_of(trace: Trace, value: Value) -> str:
    """Return the name of a value as programs print it: an argument's is TensorFlow's, others are
    those of the op, and say which of its results it is."""
    for index, each in enumerate(trace.inputs):
        if each is value:
            return f"{_input_name(trace, index)}:0"
    node = trace.producer(value)
    if node is None:
        return "Const:0"
    count = 0  # of earlier ops of the kind
    for each in trace.nodes:
        if each is node:
            break
        count += each.prim.name == node.prim.name
    output = next(i for i, each in enumerate(node.outputs) if each is value)
    return f"{node.prim.name}{f'_{count}' if count else ''}:{output}"


def _input_name(trace: Trace, index: int) -> str:
    if index < len(trace.argument_names):
        return trace.argument_names[index]
    is_read = any(value is trace.inputs[index] for _, value in trace.variables)
    return "ReadVariableOp" if is_read else "placeholder"


def observed_around(trace: Any, x: Tensor) -> bool:
    """Return whether a branch or loop body has to take a tensor as an input, not a constant."""
    while trace is not None:
        state = trace._enclosing_state
        if any(tape.slot_of(x) is not None for tape in state.tapes):
            return True
        if any(accumulator.tangent(x) is not None for accumulator in state.accumulators):
            return True
        trace = trace.outer
    return False
