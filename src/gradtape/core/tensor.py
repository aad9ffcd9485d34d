"""`Tensor`: an immutable value with a shape and a dtype. ops/operators adds the operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape.core.dtypes import BY_NUMPY, DType, from_numpy
from gradtape.core.native import extension, stored
from gradtape.core.shape import TensorShape
from gradtape.core.state import get_state


class Spec:
    """What is known of a tensor without its values: the argument and result of shape rules."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"{from_numpy(self.dtype).name}{list(self.shape)}"

    def __eq__(self, other) -> bool:
        return isinstance(other, Spec) and (self.shape, self.dtype) == (other.shape, other.dtype)

    __hash__ = None  # type: ignore[assignment]


class TensorRef:
    """A hashable handle on a tensor or variable, by identity: `tensor.ref()`."""

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped) -> None:
        self._wrapped = wrapped

    def deref(self):
        return self._wrapped

    def __eq__(self, other) -> bool:
        return isinstance(other, TensorRef) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


@stored("Operators")
class TensorLike:
    """What tensors and variables share besides operators: description and conversion."""

    __slots__ = ()

    if TYPE_CHECKING:  # the operators, which gradtape.ops.operators installs

        def _binary(self, other) -> Any: ...
        def _unary(self) -> Any: ...

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
        __eq__ = __ne__ = _binary  # type: ignore[assignment]
        __neg__ = __abs__ = __invert__ = _unary
        __getitem__ = _binary

    # Above ndarray's, so that `array + tensor` asks the tensor.
    __array_priority__ = 100
    _data: Any

    @property
    def shape(self) -> TensorShape:
        return TensorShape.known(self._data.shape)

    @property
    def dtype(self) -> DType:
        return BY_NUMPY[self._data.dtype]

    @property
    def ndim(self) -> int:
        return len(self._spec().shape)

    @property
    def device(self) -> str:
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def get_shape(self) -> TensorShape:
        return self.shape

    def _spec(self) -> Spec:
        return Spec(self._data.shape, self._data.dtype)

    def numpy(self):
        """The value as a NumPy array (a copy), or as a NumPy scalar where the rank is 0."""
        if get_state().tapes:
            self._leaves(".numpy()")
        return self._values()

    def _values(self):
        data = self._data
        return data.copy() if data.ndim else data[()]

    def _leaves(self, how: str) -> None:
        """Tell the tapes that the value goes where they cannot follow it."""
        for tape in get_state().tapes:
            tape.leaves_engine(self, how)

    def ref(self) -> TensorRef:
        return TensorRef(self)

    experimental_ref = ref

    def __array__(self, dtype=None, copy=None):
        if get_state().tapes:
            self._leaves("a NumPy function")
        array = np.asarray(self._data)
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        if copy:
            return array.copy()
        # Tensors are values: what NumPy is shown without a copy, it may not change.
        array = array.view()
        array.flags.writeable = False
        return array

    def __dlpack__(self, **options):
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self):
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
        if value.dtype.kind not in "iu":
            raise TypeError(
                f"only integer scalar tensors can be converted to an index, got {self.dtype}"
            )
        return int(value)

    def __round__(self, digits=None):
        return round(float(self), digits)

    def _single(self, kind: str) -> Any:
        if kind != "bool" and get_state().tapes:  # a truth value only decides which ops run
            self._leaves(f"{kind}()")
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
        return np.asarray(data).reshape(-1)[0] if data.ndim else np.asarray(data)[()]

    def __copy__(self):
        return self


@stored("TensorStorage")
class Tensor(TensorLike):
    """An immutable n-dimensional value.

    `_data` is the backend's array: for rank 0 often a NumPy scalar, whose arithmetic is several
    times cheaper than that of a 0-d array. `_marks` is how tapes and accumulators know the
    tensor: a chain of (key, slot or tangent, next mark), nearly always None or one long.
    """

    # `_origin` is set only on a part of a variable: (variable, key), for `v[key].assign(value)`.
    # Programs hang attributes of their own on tensors (Keras does: masks, logits), in `__dict__`.
    __slots__ = ("__dict__", "__weakref__", "_data", "_marks", "_origin")

    def __init__(self, data, marks=None) -> None:
        self._data = data
        self._marks = marks

    @property
    def name(self):
        raise AttributeError("Tensor.name is meaningless when eager execution is enabled.")

    @property
    def op(self):
        raise AttributeError("Tensor.op is meaningless when eager execution is enabled.")

    @property
    def graph(self):
        raise AttributeError("Tensor.graph is meaningless when eager execution is enabled.")

    @property
    def is_tensor_like(self) -> bool:
        return True

    @property
    def nbytes(self) -> int:
        return self._data.nbytes

    def set_shape(self, shape) -> None:
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Tensor's shape {self.shape} is not compatible with supplied shape "
                             f"{TensorShape(shape)}.")  # fmt: skip

    def eval(self, feed_dict=None, session=None):
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled; use .numpy()"
        )

    def cpu(self) -> Tensor:
        return self

    @property
    def assign(self):
        """`v[key].assign(value)`: only a part of a variable, just read, can be assigned to."""
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

    def __iter__(self):
        if self.shape.rank == 0:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return (self[i] for i in range(len(self)))

    def __format__(self, spec: str) -> str:
        return format(self._values(), spec)

    def __setitem__(self, key, value):
        raise TypeError(
            "'Tensor' object does not support item assignment: tensors are values. Use "
            "tf.tensor_scatter_nd_update(x, indices, updates), or a tf.Variable and "
            "v[...].assign(value)."
        )

    def __hash__(self):
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __deepcopy__(self, memo):
        return Tensor(self._data)

    def __reduce__(self):
        return _restore, (self._values(),)

    def __repr__(self) -> str:
        return (
            f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, "
            f"numpy={value_text(self._data, is_repr=True)}>"
        )

    def __str__(self) -> str:
        text = value_text(self._data, is_repr=False)
        return f"tf.Tensor({text}, shape={self.shape}, dtype={self.dtype.name})"


def has_value(x: Tensor) -> bool:
    """Whether a tensor is a value, on the host or a device, and not one of a vmap or a trace."""
    return type(x) is Tensor or hasattr(x, "_host_data")


def _restore(array) -> Tensor:
    return Tensor(array)


if extension is not None:
    extension.use_tensor(Tensor, Spec)


def value_text(data, *, is_repr: bool) -> str:
    """The values as TensorFlow prints them inside a tensor's repr or str."""
    array = np.asarray(data)
    if array.ndim == 0:
        # The repr of a single number is that of the Python number, with all its digits.
        return repr(array.item()) if is_repr or array.dtype == object else str(array[()])
    text = repr(array) if is_repr else str(array)
    return "\n" + text if "\n" in text else text
