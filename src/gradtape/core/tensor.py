"""`Tensor`: an immutable value with a shape and a dtype. ops/operators adds the operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from gradtape.core.default_graph import DefaultGraph, graph_being_traced
from gradtape.core.dtypes import BY_NUMPY, DType, from_numpy
from gradtape.core.native import extension, materialize, native_storage
from gradtape.core.shape import TensorShape
from gradtape.core.state import get_state
from gradtape.core.user_memory import copy_or_scalar, read_only, writable_copy

if TYPE_CHECKING:
    from gradtape.core.typing import Array, NumpyDType, TensorLike


class Spec:
    """Shape and dtype of a tensor: what shape rules take and return."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        # NumPy would make an object array of it, and compute with that.
        raise TypeError(
            f"A tensor of shape {self.shape} has no single value here: inside vmap it stands for "
            "all examples. Keep to tensor ops (tf.where for a choice), or use tf.map_fn, which "
            "runs the examples one by one."
        )

    def __repr__(self) -> str:
        return f"{from_numpy(self.dtype).name}{list(self.shape)}"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Spec)
            and self.dtype == other.dtype
            and len(self.shape) == len(other.shape)
            and self.shape == other.shape
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType] (how Python spells unhashable)


class TensorRef:
    """A hashable reference to a tensor or variable, compared by identity: `tensor.ref()`."""

    __slots__ = ("__weakref__", "_wrapped")

    def __init__(self, wrapped: TensorLike) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorRef) and self._wrapped is other._wrapped

    def __lt__(self, other: TensorRef) -> bool:
        if not isinstance(other, TensorRef):
            return NotImplemented
        return id(self._wrapped) < id(other._wrapped)

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


@native_storage("Operators")
class TensorBase:
    """Methods that tensors and variables share besides operators: description and conversion."""

    __slots__ = ()

    if TYPE_CHECKING:  # the operators, which gradtape.ops.operators installs

        def _binary(self: Any, other: Any) -> Tensor: ...
        def _unary(self: Any) -> Tensor: ...

        __add__ = __radd__ = _binary
        __sub__ = __rsub__ = _binary
        __mul__ = __rmul__ = _binary
        __truediv__ = __rtruediv__ = _binary
        __floordiv__ = __rfloordiv__ = _binary
        __mod__ = __rmod__ = _binary
        __pow__ = __rpow__ = _binary
        __matmul__ = __rmatmul__ = _binary
        __and__ = __rand__ = _binary
        __or__ = __ror__ = _binary
        __xor__ = __rxor__ = _binary
        __lt__ = __le__ = __gt__ = __ge__ = _binary

        def __eq__(self, other: Any) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride] (elementwise, as NumPy's)
        def __ne__(self, other: Any) -> Tensor: ...  # pyright: ignore[reportIncompatibleMethodOverride] (likewise)
        def __hash__(self) -> int: ...

        __neg__ = __abs__ = __invert__ = _unary
        __getitem__ = _binary

    # Higher than ndarray's, so that `array + tensor` calls the tensor's operator.
    __array_priority__ = 100
    _data: Any

    @property
    def shape(self) -> TensorShape:
        """Return the shape, a `tf.TensorShape`."""
        return TensorShape.known(self._data.shape)

    @property
    def dtype(self) -> DType:
        """Return the type of the elements, such as `tf.float32`."""
        try:
            return BY_NUMPY[self._data.dtype]
        except KeyError:
            kind = type(self).__name__
            raise TypeError(
                f"{kind}() is not for programs, and got {type(self._data)}: use "
                "tf.convert_to_tensor or tf.constant."
            ) from None

    @property
    def ndim(self) -> int:
        """Return the number of axes."""
        return len(self._spec().shape)

    @property
    def device(self) -> str:
        """Return the name of the device that holds the values."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def get_shape(self) -> TensorShape:
        """Return the shape."""
        return self.shape

    def _spec(self) -> Spec:
        return Spec(self._data.shape, self._data.dtype)

    def numpy(self) -> Array:
        """Return the value as a NumPy array (a copy), or as a NumPy scalar if the rank is 0."""
        if get_state().tapes:
            self._notify_exit(".numpy()")
        return self._values()

    def _values(self) -> Array:
        return copy_or_scalar(self._data)

    def _readable(self) -> Any:
        """Return an array (or scalar) to read the value from, which must not be written to."""
        return self._data

    def _sizes(self, asks: bool = False) -> Any:
        """Return the open sizes (core/size) that it is computed of, or `asks` for; or None."""
        return None

    def _notify_exit(self, how: str) -> None:
        """Notify the tapes that the value is passed on to code that they cannot see."""
        for tape in get_state().tapes:
            tape.leaves_engine(self, how)

    def ref(self) -> TensorRef:
        """Return a hashable reference to this very object."""
        return TensorRef(self)

    experimental_ref = ref

    def __array__(self, dtype: NumpyDType | None = None, copy: bool | None = None) -> Array:
        if get_state().tapes:
            self._notify_exit("a NumPy function")
        data = self._readable()
        if dtype is not None and data.dtype != dtype:
            return np.asarray(data).astype(dtype)
        return writable_copy(data) if copy else read_only(data)

    def __dlpack__(self, **options: Any) -> Any:
        if get_state().tapes:
            self._notify_exit("DLPack")
        return writable_copy(self._data).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, ...]:
        return np.asarray(self._data).__dlpack_device__()

    def __len__(self) -> int:
        shape = self.shape
        if not shape.rank:
            raise TypeError("Scalar tensor has no `len()`")
        return shape[0]

    def __bool__(self) -> bool:
        return bool(self._single("bool"))

    def __int__(self) -> int:
        return int(self._single("int"))

    def __float__(self) -> float:
        return float(self._single("float"))

    def __complex__(self) -> complex:
        return complex(self._single("complex"))

    def __index__(self) -> int:
        value = self._single("index")
        if self._data.dtype.kind not in "iu":
            raise TypeError(
                f"only integer scalar tensors can be converted to an index, got {self.dtype}"
            )
        return int(value)

    def __round__(self, digits: Any = None) -> Any:
        return round(float(self), digits)

    def _single(self, kind: str) -> Any:
        if kind != "bool" and get_state().tapes:  # a truth value only decides which ops run
            self._notify_exit(f"{kind}()")
        data = self._data
        if data.size == 0 and kind == "bool":
            return False
        if data.size != 1:
            if kind == "bool":
                raise ValueError(
                    "The truth value of an array with more than one element is ambiguous. Use "
                    "tf.reduce_any(x) or tf.reduce_all(x)."
                )
            raise TypeError(
                f"only length-1 tensors can be converted to a Python {kind}; this one has shape "
                f"{self.shape}"
            )
        value = np.asarray(self._readable())
        return value.reshape(-1)[0] if value.ndim else value[()]

    def __copy__(self) -> Self:
        return self


# The payloads on the host: for the fast check of a constructor that every op calls.
_ON_HOST = frozenset({np.ndarray, *[dtype.type for dtype in BY_NUMPY]})


def _check_payload(data: Any) -> None:
    """Raise an error if a program has called `Tensor(data)`, with a tensor or something else."""
    if isinstance(data, TensorBase) or not hasattr(data, "dtype"):
        raise TypeError(
            f"Tensor() is not for programs, and got {type(data)}: use tf.convert_to_tensor or "
            "tf.constant."
        )


@native_storage("TensorStorage")
class Tensor(TensorBase):
    """An immutable n-dimensional value: what ops take and return."""

    # `_data` is the backend's array: for rank 0 often a NumPy scalar, whose arithmetic is several
    # times cheaper than that of a 0-d array. `_marks` identifies the tensor to tapes and
    # accumulators: a linked list of (key, slot or tangent, next mark), nearly always None or of one
    # mark.
    # `_origin` is set only on a slice of a variable: (variable, key), for `v[key].assign(value)`.
    # Programs set attributes of their own on tensors (Keras does: masks, logits), in `__dict__`.
    __slots__ = ("__dict__", "__weakref__", "_data", "_marks", "_origin")

    def __init__(self, data: Any, marks: tuple[Any, ...] | None = None) -> None:
        if type(data) not in _ON_HOST and type(self) is Tensor:
            _check_payload(data)
        self._data = data
        self._marks = marks

    # --- what other classes of tensors answer in their own way ---------------------------------

    _has_value = True  # False for a symbolic tensor: in a vmap, in a trace
    _is_batched = False  # whether it is one example of a vmap
    _is_on_device = False  # whether the value is a JAX array

    def _host_data(self) -> Any:
        """Return the value as a NumPy array (or scalar), which must not be written to."""
        return materialize(self._data)

    def _computed_data(self) -> Any:
        """Return the payload, computed if it was deferred; it stays on its device."""
        return materialize(self._data)

    def _unmarked(self) -> Tensor:
        """Return the same value as a new tensor, which no tape knows."""
        return Tensor(self._data)

    def _variable_class(self) -> type | None:
        """Return the class for a variable with this value; None for `Variable` itself."""
        return None

    def _filled(self, number: Any) -> Tensor | None:
        """Return a tensor of this shape filled with a number, on its device; None on the host."""
        return None

    def _local_rows(self) -> list[Tensor] | None:
        """Return the rows on this process's devices, each as a tensor; None on the host."""
        return None

    # --- as TensorFlow has them ----------------------------------------------------------------

    @property
    def name(self) -> NoReturn:
        """Raise: tensors with values have no name."""
        raise AttributeError("Tensor.name is meaningless when eager execution is enabled.")

    @property
    def op(self) -> NoReturn:
        """Raise: tensors with values belong to no graph."""
        raise AttributeError("Tensor.op is meaningless when eager execution is enabled.")

    @property
    def graph(self) -> DefaultGraph:
        """Return what stands for the graph of the function being traced; raise outside of one."""
        graph = graph_being_traced()
        if graph is None:
            raise AttributeError("Tensor.graph is meaningless when eager execution is enabled.")
        return graph

    @property
    def is_tensor_like(self) -> bool:
        """Return True."""
        return True

    @property
    def nbytes(self) -> int:
        """Return the number of bytes of the values."""
        return self._data.nbytes

    def set_shape(self, shape: tuple[int | None, ...]) -> None:
        """Check that the shape is compatible with another one."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape "
                f"{TensorShape(shape)}."
            )

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        """Raise: there are no sessions; use `numpy()`."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled; use .numpy()"
        )

    def cpu(self) -> Tensor:
        """Return the tensor in the memory of the host."""
        return self

    @property
    def assign(self) -> Callable[..., Any]:
        """Return the function behind `v[key].assign(value)`; only a slice of a variable has one."""
        origin = getattr(self, "_origin", None)
        if origin is None:
            raise AttributeError(
                "'Tensor' object has no attribute 'assign': tensors are values. Only a variable, "
                "or a part of one as in v[1:3].assign(value), can be assigned to."
            )
        variable, key = origin
        return lambda value, use_locking=False, name=None, read_value=True: variable.assign_slice(
            key, value
        )

    def __iter__(self) -> Iterator[Tensor]:
        if self.shape.rank == 0:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(self)))

    def __format__(self, spec: str) -> str:
        return format(self._values(), spec)

    def __setitem__(self, key: int, value: float) -> NoReturn:
        raise TypeError(
            "'Tensor' object does not support item assignment: tensors are values. Use "
            "tf.tensor_scatter_nd_update(x, indices, updates), or a tf.Variable and "
            "v[...].assign(value)."
        )

    def _memory_view(self) -> memoryview:
        """Return a read-only view of the memory, for the buffer protocol of the extension.

        Without the extension there is no buffer protocol: NumPy asks for a buffer first and
        suppresses what is raised meanwhile, KeyboardInterrupt too.
        """
        array: Any = self.__array__()
        return memoryview(array)

    def __hash__(self) -> NoReturn:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __deepcopy__(self, memo: dict[str, Any]) -> Tensor:
        return Tensor(self._data)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._values(),)

    def _repr_html_(self) -> str | None:
        """Return what notebooks display."""
        from gradtape.explain.display import value_html

        return value_html(self, "tf.Tensor")

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, "
            f"numpy={value_text(self._readable(), is_repr=True)}>"
        )

    def __str__(self) -> str:
        text = value_text(self._readable(), is_repr=False)
        return f"tf.Tensor({text}, shape={self.shape}, dtype={self.dtype.name})"


def _restore(array: Any) -> Tensor:
    return Tensor(array)


if extension is not None:
    extension.use_tensor(Tensor, Spec)


def value_text(data: Any, *, is_repr: bool) -> str:
    """Return the values as TensorFlow prints them inside a tensor's repr or str."""
    array = np.asarray(data)
    if array.ndim == 0:
        # The repr of a scalar is that of the Python number, with all its digits.
        return repr(array.item()) if is_repr or array.dtype == object else str(array[()])
    text = repr(array) if is_repr else str(array)
    return "\n" + text if "\n" in text else text
