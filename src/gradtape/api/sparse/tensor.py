"""`SparseTensor`: a tensor that is zero but for a few values, stored with their indices; and its
spec."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.specs import DenseSpec
from gradtape.core.brief import brief
from gradtape.core.composites import APPLIERS, arguments_of
from gradtape.core.dtypes import float32, int64
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor


class SparseTensorValue(NamedTuple):
    """The three parts of a sparse tensor as plain arrays: what TensorFlow 1 gave for one."""

    indices: object
    values: object
    dense_shape: object


def _check_sizes(what: str, a: int, b: int) -> None:
    if a != b:
        raise ValueError(f"Dimensions {a} and {b} are not compatible: SparseTensor needs {what}.")


# What TensorFlow applies to the values of a sparse tensor; other functions need a dense one.
_ON_VALUES = frozenset(
    "abs negative asinh sin tan atan asin atanh sign square sqrt erf tanh bessel_i0e bessel_i1e"
    " identity stop_gradient".split()
)


@export("SparseTensor", "sparse.SparseTensor")
class SparseTensor:
    """A tensor of shape `dense_shape` that is zero but for `values[i]` at `indices[i]`.

    The indices should be in row-major order, as most functions of `tf.sparse` expect them;
    `tf.sparse.reorder` puts them so. Derivatives flow through `values`.
    """

    def __init__(self, indices, values, dense_shape) -> None:
        self._indices = _integers(indices)
        self._values = ops.to_tensor(values)
        self._dense_shape = _integers(dense_shape)
        self._indices.shape.assert_has_rank(2)
        self._values.shape.assert_has_rank(1)
        self._dense_shape.shape.assert_has_rank(1)
        count, rank = self._indices.shape
        _check_sizes("one value for each row of indices", count, self._values.shape[0])
        _check_sizes("one size for each column of indices", rank, self._dense_shape.shape[0])
        self._shape = TensorShape(
            [None if n < 0 else n for n in self._dense_shape._host_data().tolist()]
        )

    @classmethod
    def from_value(cls, sparse_tensor_value) -> SparseTensor:
        """Return a sparse tensor of another one, or of its three parts."""
        if not isinstance(sparse_tensor_value, (SparseTensor, SparseTensorValue)):
            raise TypeError(
                f"Argument sparse_tensor_value={sparse_tensor_value} is neither a SparseTensor nor "
                "SparseTensorValue."
            )
        return cls(*_parts(sparse_tensor_value))

    @property
    def indices(self) -> Tensor:
        """Return the indices of the values, [count, rank]."""
        return self._indices

    @property
    def values(self) -> Tensor:
        """Return the values that are not zero."""
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        """Return the shape, as a tensor."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """Return the shape, a `tf.TensorShape`."""
        return self._shape

    @property
    def dtype(self):
        """Return the type of the values."""
        return self._values.dtype

    @property
    def op(self):
        return self._values.op

    @property
    def graph(self):
        return self._values.graph

    def get_shape(self) -> TensorShape:
        """Return the shape."""
        return self._shape

    def set_shape(self, shape) -> None:
        """Set the static shape; raise an error if it contradicts the known one."""
        self._shape = self._shape.merge_with(shape)

    def with_values(self, new_values) -> SparseTensor:
        """Return other values at the same indices."""
        return SparseTensor(self._indices, new_values, self._dense_shape)

    def consumers(self) -> list:
        """Return an empty list."""
        return []

    def eval(self, feed_dict=None, session=None) -> NoReturn:
        return self._values.eval(feed_dict, session)

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self._shape, self.dtype)

    def _component_tensors(self) -> tuple[Tensor, Tensor, Tensor]:
        return self._indices, self._values, self._dense_shape

    def _with_components(self, components) -> SparseTensor:
        return SparseTensor(*components)

    def _static_parts(self) -> None:
        """Return None: a graph cannot have one as argument or result, it needs the indices."""

    def _differentiable_component(self) -> None:
        """Return None: as in TensorFlow, a gradient names the values."""

    def _with_differentiable_component(self, component) -> SparseTensor:
        return self.with_values(component)

    def _numpy(self) -> np.ndarray:
        dense = np.zeros(self._dense_shape._host_data(), self.dtype.as_numpy_dtype)
        dense[tuple(self._indices._host_data().T)] = self._values._host_data()
        return dense

    def _not_dense(self) -> ValueError:
        return ValueError(
            f"Attempt to convert a value ({brief(self)}) with an unsupported type ({type(self)}) "
            "to a "
            "Tensor. Use a function of tf.sparse, or make it dense with tf.sparse.to_dense."
        )

    def __tf_tensor__(self, dtype=None, name=None):
        raise self._not_dense()

    def __mul__(self, dense) -> SparseTensor:
        return self.with_values(self._values * self._opposite("SparseDenseCwiseMul", dense))

    def __truediv__(self, dense) -> SparseTensor:
        return self.with_values(self._values / self._opposite("SparseDenseCwiseDiv", dense))

    __div__ = __truediv__

    def _opposite(self, op: str, dense):
        """Return the elements of a dense tensor (broadcast to this shape) at the indices of the
        values."""
        if isinstance(dense, SparseTensor):
            raise dense._not_dense()
        dense = ops.to_tensor(dense, None if ops.is_tensor_like(dense) else self.dtype)
        shape, sizes = tuple(self._dense_shape._host_data().tolist()), tuple(dense.shape)
        missing = len(shape) - len(sizes)
        fits = missing >= 0 and all(
            n in (1, m) for n, m in zip(sizes, shape[missing:], strict=True)
        )
        if not fits:
            raise ops.ShapeError(
                f"{op} broadcasts dense to sparse only; got incompatible shapes: "
                f"{list(shape)} vs. {list(sizes)} [Op:{op}]"
            )
        # Along axes of size 1 every index reads the one element there is.
        indices = self._indices._host_data()[:, missing:] * (np.array(sizes, np.int64) != 1)
        flat = np.zeros(len(indices), np.int64)
        for axis, size in enumerate(sizes):
            flat = flat * size + indices[:, axis]
        return take_values(ops.reshape(dense, (-1,)), flat)

    def __repr__(self) -> str:
        return (
            f"SparseTensor(indices={self._indices!s}, values={self._values!s}, "
            f"dense_shape={self._dense_shape!s})"
        )


def _apply(op: str, function, args: tuple, kwargs: dict) -> Any:
    """Return a function of each value, if it is one of those that sparse tensors are made for."""
    first = next(iter((*args, *kwargs.values())))
    if isinstance(first, SparseTensor) and op == "math.bincount":
        from gradtape.api.sparse.math import dense_bincount

        return dense_bincount(*args, **kwargs)
    if not isinstance(first, SparseTensor) or op not in _ON_VALUES:
        sparse = (x for x in arguments_of(args, kwargs) if isinstance(x, SparseTensor))
        raise next(sparse)._not_dense()
    return first.with_values(function(first.values))


APPLIERS[SparseTensor] = _apply


def _integers(value) -> Tensor:
    """Return an int64 tensor; an array of another integer dtype is converted, a tensor of one
    refused."""
    if isinstance(value, (list, tuple)) and not any(ops.is_tensor_like(v) for v in value):
        array = np.array(value)
        if array.size == 0:
            return Tensor(array.astype(np.int64).reshape(array.shape))
    return ops.to_tensor(value, int64)


def _parts(value) -> tuple:
    return value.indices, value.values, value.dense_shape


def as_sparse(value, name: str = "sp_input") -> SparseTensor:
    """Check an argument that must be a sparse tensor, and return it."""
    if isinstance(value, SparseTensor):
        return value
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    raise TypeError(
        f"Input must be a SparseTensor: {name} is {brief(value)}. Make one with "
        "tf.sparse.from_dense."
    )


def take_values(values, indices):
    """Return the elements of a vector at indices in an array; the gradient is dense.

    (That of `gather` would be `IndexedSlices`, which TensorFlow gives nowhere here.)
    """
    indices = Tensor(np.asarray(indices, np.int64))
    if values.dtype.is_floating or values.dtype.is_complex:
        return ops.segment_rows(values, indices)
    return ops.gather(values, indices)


@export("SparseTensorSpec")
class SparseTensorSpec(DenseSpec):
    """The shape (sizes may be None) and dtype of a sparse tensor."""

    def __init__(self, shape=None, dtype=float32) -> None:
        super().__init__(shape, dtype)

    @property
    def value_type(self) -> type:
        return SparseTensor

    def _batch(self, size: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(TensorShape([size]).concatenate(self.shape), self.dtype)

    def _unbatch(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape[1:], self.dtype)

    @classmethod
    def from_value(cls, value) -> SparseTensorSpec:
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        if isinstance(value, SparseTensorValue):
            return SparseTensor.from_value(value)._type_spec
        raise TypeError(f"Expected SparseTensor or SparseTensorValue. Received: {brief(value)}")
