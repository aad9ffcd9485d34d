"""`tensorflow.python.ops.linalg.sparse` and `gen_sparse_ops`: sparse matrices by other names.

A matrix, or a stack of them, is kept as a `tf.SparseTensor`. A product is computed with dense
matrices, and its entries are taken from that: values and gradients are TensorFlow's, the memory is
that of the dense matrix.
"""

from __future__ import annotations

import gradtape
from gradtape import ops
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor

__all__ = ["CSRSparseMatrix", "matmul", "sparse_reorder"]

_tf = vars(gradtape)


class CSRSparseMatrix:
    """A sparse matrix, or a stack of them, made of a sparse or a dense tensor."""

    def __init__(self, value, indices=None, name=None) -> None:
        if not isinstance(value, _tf["SparseTensor"]):
            dense = ops.to_tensor(value)
            value = _tf["sparse"].from_dense(dense)
            if indices is not None:
                kept = _tf["gather_nd"](dense, indices)
                value = _tf["SparseTensor"](indices, kept, dense.shape)
        self._entries = value

    @property
    def shape(self) -> TensorShape:
        """Return the shape of the dense tensor."""
        return self._entries.shape

    @property
    def dtype(self):
        """Return the dtype of the entries."""
        return self._entries.dtype

    def to_sparse_tensor(self):
        """Return the entries as a tf.SparseTensor."""
        return self._entries

    def to_dense(self) -> Tensor:
        """Return the matrix as a dense tensor."""
        return _tf["sparse"].to_dense(_tf["sparse"].reorder(self._entries))


def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    name=None,
):
    """Return the product of two matrices; it is sparse if both are."""
    dense = [x.to_dense() if isinstance(x, CSRSparseMatrix) else ops.to_tensor(x) for x in (a, b)]
    product = _tf["linalg"].matmul(
        *dense,
        transpose_a=transpose_a,
        transpose_b=transpose_b,
        adjoint_a=adjoint_a,
        adjoint_b=adjoint_b,
    )
    are_sparse = isinstance(a, CSRSparseMatrix) and isinstance(b, CSRSparseMatrix)
    return CSRSparseMatrix(product) if are_sparse else product


def sparse_reorder(input_indices, input_values, input_shape, name=None) -> tuple[Tensor, Tensor]:
    """Return the indices and values of a sparse tensor in the order of its rows."""
    entries = _tf["SparseTensor"](input_indices, input_values, input_shape)
    ordered = _tf["sparse"].reorder(entries)
    return ordered.indices, ordered.values
