"""Vectors in blocks: arguments of the operators that are made of blocks."""

from __future__ import annotations

import functools

import numpy as np

from gradtape import ops


def is_blockwise(x) -> bool:
    """Return whether an argument is a list with a tensor for each block, rather than one tensor."""
    if not isinstance(x, (list, tuple)) or not x:
        return False
    return all(getattr(item, "shape", None) is not None for item in x)


def split_blocks(x, sizes: list[int], axis: int) -> list:
    """Return a tensor in blocks of these sizes along an axis."""
    return list(ops.split(x, tuple(sizes), axis))


class Blockwise:
    """Lets `matmul`, `matvec`, `solve` and `solvevec` take and give lists of blocks.

    Nothing stands above the diagonal, so that determinant and trace are those of its blocks.
    """

    def _block_sizes(self, which: str) -> list[int]:
        raise NotImplementedError

    def _diagonal(self) -> list:
        raise NotImplementedError

    def _determinant(self):
        return functools.reduce(ops.multiply, (o.determinant() for o in self._diagonal()))

    def _log_abs_determinant(self):
        return functools.reduce(ops.add, (o.log_abs_determinant() for o in self._diagonal()))

    def _trace(self):
        return functools.reduce(ops.add, (o.trace() for o in self._diagonal()))

    def _blocks(self, method, x, adjoint: bool, axis: int, given: str, result: str, **options):
        if not is_blockwise(x):
            return method(x, adjoint=adjoint, **options)
        if options.pop("adjoint_arg", False):
            x = [ops.adjoint(each) for each in x]
        if adjoint:
            given, result = result, given
        sizes = [each.shape[axis] for each in x]
        if sizes != self._block_sizes(given):
            raise ValueError(
                f"The blocks have sizes {sizes}, the operator's are {self._block_sizes(given)}."
            )
        joined = ops.concat(_with_one_batch([ops.to_tensor(each) for each in x], axis), axis)
        whole = method(joined, adjoint=adjoint, **options)
        return split_blocks(whole, self._block_sizes(result), axis)

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        """Return the product with a matrix, with its blocks, or with another operator."""
        whole = super().matmul  # pyright: ignore[reportAttributeAccessIssue] (mixed into LinearOperator)
        options = {"adjoint_arg": adjoint_arg, "name": name}
        return self._blocks(whole, x, adjoint, -2, "domain", "range", **options)

    def matvec(self, x, adjoint=False, name="matvec"):
        """Return the product with a vector, or with its blocks."""
        whole = super().matvec  # pyright: ignore[reportAttributeAccessIssue] (mixed into LinearOperator)
        return self._blocks(whole, x, adjoint, -1, "domain", "range", name=name)

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        """Return X with A X = rhs, for a matrix, its blocks, or another operator."""
        whole = super().solve  # pyright: ignore[reportAttributeAccessIssue] (mixed into LinearOperator)
        options = {"adjoint_arg": adjoint_arg, "name": name}
        return self._blocks(whole, rhs, adjoint, -2, "range", "domain", **options)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        """Return x with A x = rhs, for a vector, or its blocks."""
        whole = super().solvevec  # pyright: ignore[reportAttributeAccessIssue] (mixed into LinearOperator)
        return self._blocks(whole, rhs, adjoint, -1, "range", "domain", name=name)


def _with_one_batch(blocks: list, axis: int) -> list:
    """Broadcast blocks to the same sizes, but along the axis of the blocks."""
    others = [[n for i, n in enumerate(b.shape) if i != b.ndim + axis] for b in blocks]
    common = list(np.broadcast_shapes(*others))

    def shape(block) -> list:
        whole = [*common]
        whole.insert(len(common) + 1 + axis, block.shape[axis])
        return whole

    return [ops.broadcast_to(block, shape(block)) for block in blocks]
