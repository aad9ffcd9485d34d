"""`Variable`: a value that can be changed, and that tapes watch when it is read."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.backends.numpy import add_into, is_held_once, subtract_from
from gradtape.backends.numpy.updates import sgd_rows
from gradtape.core.convert import READERS, to_array
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import ShapeError
from gradtape.core.native import connect, settled
from gradtape.core.placement import placed
from gradtape.core.scope import (
    VariableAggregation,
    VariableSynchronization,
    announce,
    name_prefix,
    variable_kind,
)
from gradtape.core.shape import TensorShape
from gradtape.core.state import get_state, not_recording, only_outside_of_functions
from gradtape.core.tensor import Tensor, TensorLike, value_text
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.ops import operators

_serial = itertools.count()
_METHODS = {"added value": "assign_add", "subtracted value": "assign_sub"}
_RATES = {ops.tensor_scatter_nd_add: -1, ops.tensor_scatter_nd_sub: 1}  # of rows, as steps down


class Variable(TensorLike):
    """A tensor-valued state. It behaves as its value in every op.

    Its array is replaced on assignment, and written to only where nobody else holds it: values
    that a tape has kept stay true.
    """

    __slots__ = (
        "__weakref__", "_data", "_declared_shape", "_name", "_serial", "_snapshot", "_trainable",
        "constraint",
    )  # fmt: skip

    def __init__(
        self,
        initial_value=None,
        trainable=None,
        validate_shape=True,
        caching_device=None,
        name=None,
        variable_def=None,
        dtype=None,
        import_scope=None,
        constraint=None,
        synchronization=None,
        aggregation=None,
        shape=None,
        experimental_enable_variable_lifting=True,
    ) -> None:
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if callable(initial_value):
            initial_value = initial_value()
        wanted = None if dtype is None else as_dtype(dtype)
        with not_recording():
            if ops.is_tensor_like(initial_value):
                value = ops.to_tensor(initial_value)
                if wanted is not None and value.dtype is not wanted:
                    value = ops.to_tensor(value, wanted)
            else:
                value = ops.to_tensor(initial_value, wanted)
        trace = get_state().trace
        if trace is not None:
            value = trace.initial_value(value)
        value = self._settled(value)
        self._data = settled(value._data)
        self._name = name_prefix() + ("Variable" if name is None else str(name))
        self._trainable = True if trainable is None else bool(trainable)
        self._declared_shape = None if shape is None else TensorShape(shape)
        self._serial = next(_serial)
        self._snapshot: tuple | None = None
        self.constraint = constraint
        if self._declared_shape is not None:
            self._check_shape(value, "initial value")
        if get_state().tapes:
            self._tell_tapes(initial_value, "tf.Variable()")
        announce(self)

    def __new__(cls, *args, **kwargs):
        kind: Any = cls
        if cls is Variable:
            kind = variable_kind() or cls
        return super().__new__(kind)

    def _settled(self, value: Tensor) -> Tensor:
        """The first value, where the variable will be; the variable is of the kind for that."""
        value = placed(value, lasting=True)
        if type(value) is not Tensor and hasattr(value, "_variable_class"):
            self.__class__ = value._variable_class()  # type: ignore[attr-defined]
        return value

    _tensor_class = Tensor  # what the value is read as
    # Whether the array has a row for each replica (see gradtape.distribute), or ever can have.
    _is_stacked = _can_be_stacked = False

    # --- description ---------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return f"{self._name}:0"

    @property
    def trainable(self) -> bool:
        return self._trainable

    @property
    def shape(self) -> TensorShape:
        declared = self._declared_shape
        return TensorShape.known(self._data.shape) if declared is None else declared

    @property
    def initial_value(self):
        raise AttributeError("initial_value is not supported in eager mode.")

    @property
    def synchronization(self) -> VariableSynchronization:
        return VariableSynchronization.AUTO

    @property
    def aggregation(self) -> VariableAggregation:
        return VariableAggregation.NONE

    def set_shape(self, shape) -> None:
        self.shape.assert_is_compatible_with(shape)

    # --- reading -------------------------------------------------------------------------------

    def __tf_tensor__(self, dtype=None, name=None) -> Tensor:
        """The value now; to every tape that watches the variable, the variable itself."""
        if dtype is not None and dtype is not self.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Variable with dtype "
                f"{self.dtype.name}. Use tf.cast(v, tf.{dtype.name})."
            )
        state = get_state()
        snapshot = self._snapshot
        if snapshot is not None and snapshot[0] is state.token and snapshot[1]._data is self._data:
            return snapshot[1]
        marks = None
        if self.dtype.is_differentiable:
            for tape in state.tapes:
                marks = tape.read_mark(self, marks)
            for accumulator in state.accumulators:
                marks = accumulator.read_mark(self, marks)
        if state.trace is not None:
            return state.trace.read(self, marks)
        value = self._tensor_class(self._data, marks)
        self._snapshot = (state.token, value)
        return value

    def _whole(self) -> Tensor:
        """The value now, with all that the variable keeps."""
        return self.__tf_tensor__()

    def _assign_whole(self, value) -> None:
        """Replace all that the variable keeps."""
        self._assign(value, "assigned value")

    def _spread(self) -> None:
        """Keep a value for each replica from now on."""
        raise ValueError(
            f"strategy.run: the variable '{self.name}' was created outside of strategy.scope(), so "
            "that there is one of it, and the replicas assign different values to it. Create it "
            "inside `with strategy.scope():`, or assign what they agree on, by "
            "tf.distribute.get_replica_context().all_reduce."
        )

    def _now(self) -> Tensor:
        """The value now, as a tensor that no tape knows."""
        trace = get_state().trace
        return self._tensor_class(self._data) if trace is None else trace.read(self)

    # A function being traced may have written to the variable, and runs again with other values.

    def numpy(self):
        only_outside_of_functions(".numpy() asks for the value of a variable")
        return super().numpy()

    def __array__(self, dtype=None, copy=None):
        only_outside_of_functions("NumPy asks for the value of a variable")
        return super().__array__(dtype, copy)

    def _single(self, kind: str):
        only_outside_of_functions(f"Python asks for the {kind} value of a variable")
        return super()._single(kind)

    def _forget_snapshot(self) -> None:
        """A tape began to watch: the value must be read anew to carry its mark."""
        self._snapshot = None

    def read_value(self) -> Tensor:
        return ops.identity(self)

    value = read_value
    initialized_value = read_value

    def sparse_read(self, indices, name=None) -> Tensor:
        return ops.gather(self, indices)

    def gather_nd(self, indices, name=None) -> Tensor:
        return ops.gather_nd(self, indices)

    def is_initialized(self, name=None) -> Tensor:
        return ops.to_tensor(True)

    # --- writing -------------------------------------------------------------------------------

    def _tell_tapes(self, value, how: str, adds: bool = False) -> None:
        """Gradients do not flow through what is written: tapes note it, to explain it if asked."""
        value = as_variable(value)
        for tape in get_state().tapes:
            tape.write(self, value, how, adds)

    def _check_shape(self, value: Tensor, what: str) -> None:
        if not self.shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable "
                f"shape {self.shape}, and the {what} shape {value.shape} are incompatible."
            )

    def _assign(self, value, what: str):
        self._check_shape(value, what)
        trace = get_state().trace
        if trace is not None:
            trace.write(self, value)
            return self
        self._data = self._stored(value)
        self._snapshot = None
        return self

    def _is_held_once(self) -> bool:
        """Whether a program on several devices may write over the array: not on the host."""
        return False

    def _stored(self, value):
        """The array to keep for a value: on the host, here."""
        if type(value) is Tensor:
            return settled(value._data)
        if not hasattr(value, "_host_data"):
            raise value._leaked()
        return value._host_data()

    def _update(self, op, in_place, delta, what: str) -> None:
        """Add to or subtract from the value: into its array, where nobody else can see that."""
        if get_state().tapes:
            self._tell_tapes(delta, f".{_METHODS[what]}()", adds=True)
        with not_recording():
            delta = self._operand(delta)
            if delta._data.shape != self._data.shape:
                raise ShapeError(
                    f"Cannot update variable '{self.name}' of shape {self.shape} with a {what} "
                    f"of shape {delta.shape}: the shapes must be the same."
                )
            self._snapshot = None
            quick = type(delta) is Tensor and get_state().trace is None
            if quick and delta._data.dtype == self._data.dtype and is_held_once(self):
                in_place(self._data, delta._data)
            else:
                trace = get_state().trace
                delta = delta if trace is None else trace.added(delta)
                self._assign(op(self._now(), delta), what)

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Replace the value. No tape records it: gradients do not flow through assignment."""
        if get_state().tapes:
            self._tell_tapes(value, ".assign()")
        with not_recording():
            self._assign(self._operand(value), "assigned value")
        return self if read_value else None

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        """Add to the value."""
        self._update(ops.add, add_into, delta, "added value")
        return self if read_value else None

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        """Subtract from the value."""
        self._update(ops.subtract, subtract_from, delta, "subtracted value")
        return self if read_value else None

    def __iadd__(self, delta):
        raise RuntimeError(
            "Variable += value not supported. Use `variable.assign_add(value)` to modify the "
            "variable value and `variable = variable + value` to get a new Tensor object."
        )

    def __isub__(self, delta):
        raise RuntimeError(
            "Variable -= value not supported. Use `variable.assign_sub(value)` to modify the "
            "variable value and `variable = variable - value` to get a new Tensor object."
        )

    def _operand(self, value) -> Tensor:
        """A value to write, in the variable's dtype."""
        if type(value) is Tensor and value._data.dtype is self._data.dtype:
            return value
        if ops.is_tensor_like(value):
            return ops.to_tensor(ops.to_tensor(value), self.dtype)
        return Tensor(to_array(value, self._data.dtype))

    def _scatter(self, op, updates, name: str):
        """Apply a row update given as IndexedSlices."""
        if not isinstance(updates, IndexedSlices):
            raise TypeError(
                f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {updates!r}"
            )
        if get_state().tapes:
            self._tell_tapes(updates.values, "a scatter update", adds=True)
        with not_recording():
            values = self._operand(updates.values)
            if self._scatter_in_place(_RATES.get(op), values, updates.indices):
                return self
            indices = ops.expand_dims(updates.indices, -1)
            return self._assign(op(self._now(), indices, values), name)

    def _scatter_in_place(self, rate: int | None, values, indices) -> bool:
        """Subtract rows, times a rate, where nobody else holds the array; False if it was not."""
        quick = type(self) is Variable and type(values) is type(indices) is Tensor
        if rate is None or not quick or get_state().trace is not None:
            return False
        self._snapshot = None
        if self._data.dtype.kind != "f" or not is_held_once(self) or not self._data.ndim:
            return False
        value, places = self._data, indices._data
        if places.ndim != 1 or values._data.shape != (*places.shape, *value.shape[1:]):
            return False
        if places.size and not (places.min() >= 0 and places.max() < value.shape[0]):
            return False
        sgd_rows(value, settled(values._data), places, value.dtype.type(rate))
        return True

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        """Add rows."""
        return self._scatter(ops.tensor_scatter_nd_add, sparse_delta, "added value")

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        """Subtract rows."""
        return self._scatter(ops.tensor_scatter_nd_sub, sparse_delta, "subtracted value")

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Replace rows."""
        return self._scatter(ops.tensor_scatter_nd_update, sparse_delta, "assigned value")

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        """Raise rows to at least these values."""
        return self._scatter(ops.tensor_scatter_nd_max, sparse_delta, "assigned value")

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        """Lower rows to at most these values."""
        return self._scatter(ops.tensor_scatter_nd_min, sparse_delta, "assigned value")

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        """Multiply rows; a row named several times is multiplied by each."""
        return self._scatter_factors(sparse_delta, ops.multiply)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        """Divide rows; a row named several times is divided by each."""
        return self._scatter_factors(sparse_delta, ops.divide)

    def _scatter_factors(self, slices, combine):
        if not isinstance(slices, IndexedSlices):
            raise TypeError(
                f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {slices!r}"
            )
        with not_recording():
            ids, rows = slices.indices, self._data.shape[0]
            product = ops.unsorted_segment_prod(self._operand(slices.values), ids, rows)
            return self._assign(combine(self._now(), product), "assigned value")

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Replace rows within each batch: indices have the batch in front."""
        with not_recording():
            indices = sparse_delta.indices
            batch = tuple(indices.shape)
            grid = np.indices(batch, indices.dtype.as_numpy_dtype)[:-1]
            full = ops.stack([*grid, indices], -1)
            values = self._operand(sparse_delta.values)
            updated = ops.tensor_scatter_nd_update(self._now(), full, values)
            return self._assign(updated, "assigned value")

    def scatter_nd_add(self, indices, updates, name=None):
        """Add at indices, as `tf.tensor_scatter_nd_add`."""
        return self._scatter_nd(ops.tensor_scatter_nd_add, indices, updates)

    def scatter_nd_sub(self, indices, updates, name=None):
        """Subtract at indices, as `tf.tensor_scatter_nd_sub`."""
        return self._scatter_nd(ops.tensor_scatter_nd_sub, indices, updates)

    def scatter_nd_update(self, indices, updates, name=None):
        """Replace at indices, as `tf.tensor_scatter_nd_update`."""
        return self._scatter_nd(ops.tensor_scatter_nd_update, indices, updates)

    def _scatter_nd(self, op, indices, updates):
        if get_state().tapes:
            self._tell_tapes(updates, "a scatter update", adds=True)
        with not_recording():
            updated = op(self._now(), ops.to_tensor(indices), self._operand(updates))
            return self._assign(updated, "assigned value")

    def __getitem__(self, key) -> Tensor:
        value = ops.to_tensor(self)[key]
        value._origin = (self, key)
        return value

    def assign_slice(self, key, value):
        """Replace a part: what `v[key].assign(value)` does."""
        if get_state().tapes:
            self._tell_tapes(value, "[...].assign()", adds=True)
        with not_recording():
            updated = ops.strided_slice_update(self._now(), key, self._operand(value))
            return self._assign(updated, "assigned value")

    # --- identity ------------------------------------------------------------------------------

    def __hash__(self):
        raise TypeError(
            f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})"
        )

    def __iter__(self):
        return iter(ops.to_tensor(self))

    def __deepcopy__(self, memo):
        copy = Variable(
            self._tensor_class(self._data), self._trainable, name=self._name,
            constraint=self.constraint, shape=self._declared_shape,
        )  # fmt: skip
        memo[id(self)] = copy
        return copy

    def __reduce__(self):
        arguments = (self.numpy(), self._trainable, True, None, self._name)
        return Variable, arguments

    def __repr__(self) -> str:
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, "
            f"numpy={value_text(self._data, is_repr=True)}>"
        )

    __str__ = __repr__


operators.install(Variable)
READERS[Variable] = Variable.__tf_tensor__
connect(Variable=Variable, read=Variable.__tf_tensor__)


def as_variable(value):
    """The gradtape variable inside another library's (a Keras variable's `value`), else itself."""
    if isinstance(value, TensorLike):
        return value
    return getattr(value, "_gradtape_variable", value)
