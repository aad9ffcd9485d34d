"""Products of ragged stacks of matrices."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api.ragged.tensor import RaggedTensor


def matmul(a, b, transpose_a=False, transpose_b=False, **options) -> Any:
    """Return the products of two stacks of matrices of which the first has ragged numbers of rows.

    All matrices of a stack have the same number of columns, so that padding with rows of zeros
    and cutting these off again changes nothing.
    """
    if (
        not isinstance(a, RaggedTensor)
        or isinstance(b, RaggedTensor)
        or a.ragged_rank != 1
        or len(a.shape) != 3
        or transpose_a
        or any(options.values())
    ):
        raise ValueError(
            "tf.matmul takes a ragged tensor as its first argument if only the number of rows is "
            "ragged: [batch, (rows), columns], not transposed or adjoint. Use a.to_tensor()."
        )
    product = ops.matmul(a.to_tensor(), b, transpose_b=transpose_b)
    return RaggedTensor.from_tensor(product, lengths=a.row_lengths())
