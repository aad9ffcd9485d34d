"""`Variable`: a mutable value, which tapes watch when it is read."""

from __future__ import annotations

import abc
import functools
import inspect
import itertools
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from gradtape import ops
from gradtape.backends.numpy import is_small_part
from gradtape.core.convert import READERS
from gradtape.core.dtypes import as_dtype
from gradtape.core.native import connect
from gradtape.core.placement import placed
from gradtape.core.scope import (
    VariableAggregation,
    VariableSynchronization,
    announce,
    member_named,
    name_prefix,
    variable_creators,
    variable_kind,
)
from gradtape.core.shape import TensorShape
from gradtape.core.state import get_state, not_recording, only_outside_of_functions
from gradtape.core.tensor import Tensor, TensorBase, value_text
from gradtape.engine.foreign_names import INSTEAD, add_hints
from gradtape.engine.part_assignment import PartlyAssignable
from gradtape.engine.transaction import waiting_data
from gradtape.ops import operators

if TYPE_CHECKING:
    from gradtape.core.typing import Array, DTypeLike, TensorLike

_serial = itertools.count()


class _MadeByCreators(abc.ABCMeta):
    """Lets the functions of `tf.variable_creator_scope` make variables; not those of subclasses.

    As in TensorFlow, subclasses can have abstract bases.
    """

    # The checks of ABCMeta are slow, and are for classes that are registered as subclasses.
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    def __dir__(cls) -> list[str]:
        """Leave out the names that only raise an error: libraries get each that is listed."""
        return [name for name in super().__dir__() if name not in INSTEAD or hasattr(cls, name)]

    if not TYPE_CHECKING:  # to type checkers, a call makes a Variable, with the arguments it takes

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            creators = variable_creators()
            if not creators or cls is not Variable:
                return super().__call__(*args, **kwargs)
            make: Any = super().__call__
            for creator in creators:
                make = functools.partial(creator, make)
            options = inspect.signature(cls.__init__).bind(None, *args, **kwargs)
            options.apply_defaults()
            _, *names = options.arguments
            return make(**{name: options.arguments[name] for name in names})

        @property
        def __signature__(cls) -> inspect.Signature:
            """Return the arguments that a variable is made with: what `help` shows."""
            _, *parameters = inspect.signature(cls.__init__).parameters.values()
            return inspect.Signature(parameters)


class Variable(PartlyAssignable, metaclass=_MadeByCreators):
    """A mutable tensor. It converts to its value in every op.

    Its array is replaced on assignment, and written to in place only if there is no other reference
    to it: values that a tape has kept stay valid.
    """

    # Programs set attributes of their own on variables, in `__dict__`; none of ours is there.
    __slots__ = (
        "__dict__",
        "__weakref__",
        "_aggregation",
        "_data",
        "_declared_shape",
        "_name",
        "_serial",
        "_snapshot",
        "_synchronization",
        "_trainable",
        "_writer",
        "constraint",
    )

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: DTypeLike | None = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        if initial_value is None:
            _raise_without_value(type(self))
        self._synchronization = member_named(VariableSynchronization, synchronization, "AUTO")
        self._aggregation = member_named(VariableAggregation, aggregation, "NONE")
        if trainable is None:
            trainable = self._synchronization is not VariableSynchronization.ON_READ
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
        if value._is_batched:
            raise ValueError(
                "tf.Variable: the initial value stands for all examples of a vmap, and a variable "
                "has one value. Create it outside of the mapped function, or use tf.map_fn."
            )
        trace = get_state().trace
        if trace is not None:
            value = trace.initial_value(value)
        value = self._place_initial_value(value)
        self._data = value._computed_data()
        self._name = name_prefix() + ("Variable" if name is None else str(name))
        self._trainable = bool(trainable)
        self._declared_shape = None if shape is None else TensorShape(shape)
        self._serial = next(_serial)
        self._snapshot: tuple[Any, ...] | None = None
        self.constraint = constraint
        if self._declared_shape is not None:
            self._check_shape(value, "initial value")
        if get_state().tapes:
            self._notify_tapes(initial_value, "tf.Variable()")
        announce(self)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "value" in vars(cls) and "__tf_tensor__" not in vars(cls):
            # A subclass's own value is what it converts to, as in TensorFlow: its limits, say, or
            # what it computes of other variables.
            if not cls._has_own_value:
                cls._stored = cls.__tf_tensor__
            cls.__tf_tensor__ = _own_value
            cls._has_own_value = True

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        kind: Any = cls
        if cls is Variable:
            kind = variable_kind() or cls
        return super().__new__(kind)

    def _place_initial_value(self, value: Tensor) -> Tensor:
        """Move the initial value to the variable's device, and set the variable's class for it."""
        value = placed(value, lasting=True)
        kind = value._variable_class()
        if kind is not None:
            self.__class__ = kind
        return value

    _tensor_class = Tensor  # what the value is read as
    # Whether the array has a row for each replica (see gradtape.distribute), or ever can have.
    _is_stacked = _can_be_stacked = False
    _recorded_data: Any  # what has the shape of the values that are read: tapes note it

    # --- description ---------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Return the name, with ":0" behind it."""
        return f"{self._name}:0"

    @property
    def trainable(self) -> bool:
        """Return whether tapes watch the variable by themselves."""
        return self._trainable

    @property
    def shape(self) -> TensorShape:
        """Return the shape: that of the value, or the one declared."""
        declared = self._declared_shape
        return TensorShape.known(self._data.shape) if declared is None else declared

    @property
    def initial_value(self) -> NoReturn:
        """Raise: there is none outside of graphs."""
        raise AttributeError("initial_value is not supported in eager mode.")

    @property
    def initializer(self) -> None:
        """Return None, as TensorFlow does outside of graphs: variables are made with a value."""
        return None

    @property
    def synchronization(self) -> VariableSynchronization:
        """Return how replicas keep the variable."""
        return self._synchronization

    @property
    def aggregation(self) -> VariableAggregation:
        """Return how updates of several replicas are combined."""
        return self._aggregation

    def set_shape(self, shape: Any) -> None:
        """Check that the shape is compatible with another one."""
        self.shape.assert_is_compatible_with(shape)

    # --- reading -------------------------------------------------------------------------------

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """Return the current value, with the variable's mark for every tape that watches it."""
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

    _stored = __tf_tensor__  # what a subclass with a `value` of its own starts from
    _has_own_value = False

    def _full_value(self) -> Tensor:
        """Return the current value, including all copies of a distributed variable."""
        return self.__tf_tensor__()

    def _array_for_full_value(self, value: Tensor) -> Any:
        """Return the array to store for a value of the form that `_full_value` returns."""
        self._check_shape(value, "assigned value")
        return self._array_for(value)

    def _spread(self) -> None:
        """Store a value for each replica from now on."""
        raise ValueError(
            f"strategy.run: the variable '{self.name}' was created outside of strategy.scope(), so "
            "that there is one of it, and the replicas assign different values to it. Create it "
            "inside `with strategy.scope():`, or assign what they agree on, by "
            "tf.distribute.get_replica_context().all_reduce."
        )

    def _now(self) -> Tensor:
        """Return the current value, as a tensor that no tape knows."""
        trace = get_state().trace
        return self._tensor_class(self._data) if trace is None else trace.read(self)

    # A function being traced may have written to the variable, and runs again with other values.

    def numpy(self) -> Array:
        """Return the value as a NumPy array."""
        only_outside_of_functions(".numpy() asks for the value of a variable")
        return super().numpy()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        only_outside_of_functions("NumPy asks for the value of a variable")
        # A copy unless `copy` is False: the value may change, as that of TensorFlow's variables.
        return super().__array__(dtype, copy is not False)

    def _single(self, kind: str) -> np.generic:
        only_outside_of_functions(f"Python asks for the {kind} value of a variable")
        return super()._single(kind)

    def _forget_snapshot(self) -> None:
        """Clear the cached value when a tape starts watching: the next read must have its mark."""
        self._snapshot = None

    def read_value(self) -> Tensor:
        """Return the current value as a tensor."""
        return ops.identity(self._stored() if self._has_own_value else self)

    value = read_value
    initialized_value = read_value

    def sparse_read(self, indices: list[int], name: str | None = None) -> Tensor:
        """Return the rows of the value at indices."""
        return ops.gather(self, indices)

    def gather_nd(self, indices: Any, name: str | None = None) -> Tensor:
        """Return the slices of the value at indices [..., axes]."""
        return ops.gather_nd(self, indices)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Return True, as a tensor: variables are made with a value."""
        return ops.to_tensor(True)

    def __getitem__(self, key: TensorLike) -> Tensor:
        value = ops.to_tensor(self)[key]
        part = value._data
        whole = part.base if type(part) is np.ndarray else None
        if type(whole) is np.ndarray and is_small_part(part.nbytes, whole.nbytes):
            value._data = part.copy()
        value._origin = (self, key)
        return value

    # --- writing: see the bases ------------------------------------------------------------------

    def _notify_tapes(self, value: Any, how: str, adds: bool = False) -> None:
        """Notify the tapes of a write: no gradient flows through it."""
        value = as_variable(value)
        for tape in get_state().tapes:
            tape.write(self, value, how, adds)

    # --- identity ------------------------------------------------------------------------------

    def __hash__(self) -> NoReturn:
        raise TypeError(
            f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})"
        )

    def __iter__(self) -> Any:
        return iter(ops.to_tensor(self))

    def __deepcopy__(self, memo: Any) -> Any:
        copy = self._remade(Variable, self._tensor_class(self._data))
        memo[id(self)] = copy
        return copy

    def _remade(self, kind: type[Variable], value: Any) -> Variable:
        """Return a variable of a class and a value, and with all else as this one has it."""
        return kind(
            value,
            self._trainable,
            name=self._name,
            constraint=self.constraint,
            synchronization=self._synchronization,
            aggregation=self._aggregation,
            shape=self._declared_shape,
        )

    def __reduce__(self) -> Any:
        kept = (self._synchronization, self._aggregation)
        arguments = (self.numpy(), self._trainable, True, None, self._name, None, None, None, None)
        return Variable, arguments + kept

    def _repr_html_(self) -> str | None:
        """Return what notebooks display."""
        from gradtape.explain.display import value_html

        return value_html(self, f"tf.Variable '{self.name}'")

    def __repr__(self) -> str:
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, "
            f"numpy={value_text(self._readable(), is_repr=True)}>"
        )

    __str__ = __repr__


operators.install(Variable)
add_hints(Tensor, Variable)
READERS[Variable] = Variable.__tf_tensor__
connect(Variable=Variable, read=Variable.__tf_tensor__)
Variable._data = waiting_data(Variable)
Variable._recorded_data = Variable._data


def _own_value(self: Variable, dtype: Any = None, name: str | None = None) -> Tensor:
    """Convert a variable of a subclass that says itself what its value is."""
    return ops.to_tensor(self.value(), dtype)


def _raise_without_value(kind: type[Variable]) -> NoReturn:
    if kind.__module__.partition(".")[0] == "gradtape":
        raise ValueError("initial_value must be specified.")
    # What TensorFlow raises: a class that computes its value catches it.
    raise NotImplementedError(
        f"{kind.__name__}: a subclass of tf.Variable that is made without initial_value has no "
        "value of its own. Call super().__init__ with one, or define value(), dtype and shape."
    )


def as_variable(value: TensorLike | None) -> Any:
    """Return the gradtape variable inside another library's (such as Keras's), else the value."""
    if isinstance(value, TensorBase):
        return value
    return getattr(value, "_gradtape_variable", value)
