"""The Keras variable: a wrapper of a gradtape variable, which tapes watch."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar

import numpy as np
from keras.src.backend.common import KerasVariable, global_state

from gradtape.core.convert import READERS
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import TensorRef
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.engine import variable as engine
from gradtape.engine.transaction import exclusively
from gradtape.explain.display import value_html
from gradtape.graph.replicas import current_replica
from keras_gradtape.src import conversion, distribution_lib
from keras_gradtape.src.abstract import abstract, current_tracing
from keras_gradtape.src.symbolic.shape_tuple import ShapeTuple

# Set while a function runs that will be run again for its gradient: what it assigns to, with the
# value before. See `remat`.
assignments: ContextVar[dict | None] = ContextVar("keras_gradtape_assignments", default=None)


@filters_tracebacks
class Variable(KerasVariable):
    """A variable of Keras whose `value` is a tensor, known to tapes as the variable itself."""

    def __init_subclass__(cls, **options) -> None:
        super().__init_subclass__(**options)
        READERS[cls] = cls.__tf_tensor__

    def _initialize(self, value) -> None:
        if isinstance(value, engine.Variable):
            self._value = value
            return
        value = conversion.convert_to_tensor(value, self._dtype)
        distribution = global_state.get_global_attribute("distribution")
        if self._layout is None and distribution is not None:
            self._shape = self._validate_shape(value.shape)
            self._layout = distribution.get_variable_layout(self)
        if self._layout is not None:
            value = distribution_lib.distribute_tensor(value, self._layout)
        self._value = engine.Variable(
            value,
            self._trainable,
            name=self._name,
            synchronization=self._synchronization,
            aggregation=self._aggregation,
        )

    def _initialize_with_initializer(self, initializer) -> None:
        # At once, where a function is being traced: a variable has its value from the start.
        with lifted() if get_state().trace is not None else contextlib.nullcontext():
            self._initialize(initializer(self._shape, dtype=self._dtype))

    def _convert_to_tensor(self, value, dtype=None):
        # As on TensorFlow, a variable made of a tf.Variable is that one from then on.
        if isinstance(value, engine.Variable) and (
            dtype is None or conversion.standardize_dtype(dtype) == value.dtype.name
        ):
            return value
        return conversion.convert_to_tensor(value, dtype)

    def _direct_assign(self, value) -> None:
        log = assignments.get()
        if log is not None:
            log.setdefault(id(self), (self, self._value._now()))
        self._value.assign(value)

    # Keras reads, adds and assigns: one step for other threads. (Replicas agree on what they
    # assign, and wait for each other meanwhile: they take turns anyway.)

    def _in_one_step(self, method, value):
        if self._value is None or current_replica() is not None:
            return method(value)
        return exclusively((self._value,), method, value)

    def assign_add(self, value):
        return self._in_one_step(super().assign_add, value)

    def assign_sub(self, value):
        return self._in_one_step(super().assign_sub, value)

    @property
    def value(self):
        """The value now, as a tensor; in the dtype of the autocast scope, where there is one."""
        tracker = global_state.GLOBAL_STATE_TRACKER
        value = None
        scope = getattr(tracker, "stateless_scope", None)
        if scope is not None:
            value = scope.get_current_value(self)
            if value is None and current_tracing() is not None:
                value = abstract(self._shape, conversion.numpy_dtype(self._dtype))
        if value is None:
            if self._value is None:  # created in a stateless scope: only its shape matters yet
                value = self._initializer(self._shape, dtype=self._dtype)
            else:
                value = self._value.__tf_tensor__()
        if self._autocast:
            autocast = getattr(tracker, "autocast_scope", None)
            if autocast is not None and autocast.dtype is not None and self._is_float:
                return conversion.cast(value, autocast.dtype)
        return value

    @property
    def shape(self) -> ShapeTuple:
        """The shape, with the methods of TensorFlow's (`as_list`, `rank`)."""
        return ShapeTuple(self._shape)

    def _repr_html_(self) -> str | None:
        """Return what notebooks display."""
        if self._value is None:
            return None
        return value_html(self._value, f"Variable '{self.path}'")

    @property
    def handle(self) -> Variable:
        """What TensorFlow's ops take for a variable: here it is the variable itself."""
        return self

    @property
    def _shared_name(self) -> str:
        return self.path

    @property
    def _is_float(self) -> bool:
        return "float" in self._dtype

    @property
    def _gradtape_variable(self):
        """What tapes know this variable as."""
        return self._value

    @property
    def trainable(self) -> bool:
        """Whether training changes the variable, and tapes watch it by themselves."""
        return self._trainable

    @trainable.setter
    def trainable(self, value) -> None:
        self._trainable = bool(value)
        if self._value is not None:
            self._value._trainable = self._trainable
            self._value._forget_snapshot()

    def __tf_tensor__(self, dtype=None, name=None):
        value = self.value
        if dtype is not None and value.dtype is not dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Variable with dtype "
                f"{self.dtype}. Use tf.cast(v, tf.{dtype.name})."
            )
        return value

    def read_value(self):
        """Return the value, under the name that TensorFlow's variables use."""
        return self.value

    def numpy(self):
        return self.value.numpy()

    def ref(self) -> TensorRef:
        """Return a hashable handle on the variable, as `tf.Variable.ref`."""
        return TensorRef(self)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.value.__array__(dtype, copy is not False))

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self):
        return iter(self.value)


READERS[Variable] = Variable.__tf_tensor__
