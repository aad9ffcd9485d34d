"""Diagonals and bands of (stacks of) matrices: strided slices of the flattened matrix."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.convert import static_int, static_value, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.tensor import Tensor
from gradtape.ops.slicing import WHOLE

if TYPE_CHECKING:
    from gradtape.core.typing import TensorLike

__all__ = [
    "band_part",
    "matrix_diag",
    "matrix_diag_part",
    "matrix_set_diag",
    "tensor_diag",
    "tensor_diag_part",
]

# Whether diagonals above the main one, and those below, begin at the left of their rows.
_ALIGNMENTS = {
    "RIGHT_LEFT": (False, True),
    "LEFT_RIGHT": (True, False),
    "LEFT_LEFT": (True, True),
    "RIGHT_RIGHT": (False, False),
}


class _Band:
    """The diagonals `low` to `high` of matrices of a given size."""

    def __init__(self, op: str, k: tuple[int, int], rows: int, columns: int, align: str) -> None:
        self.low, self.high = k
        self.rows, self.columns = rows, columns
        known = tuple(_ALIGNMENTS)
        if align not in known:
            raise ShapeError(f"align must be one of {known}, got {align!r}. [Op:{op}]")
        self.left_above, self.left_below = _ALIGNMENTS[align]
        for name, d in (("lower", self.low), ("upper", self.high)):
            if not (-rows < d < columns or d == 0):
                raise ShapeError(
                    f"{name}_diag_index is out of bound: {d}. It must be between {-rows} and "
                    f"{columns} [Op:{op}]"
                )
        self.longest = self.length(min(max(0, self.low), self.high))

    @property
    def single(self) -> bool:
        return self.low == self.high

    def __iter__(self) -> Any:
        """Iterate over the diagonals from the highest to the lowest, as they are stored."""
        return iter(range(self.high, self.low - 1, -1))

    def length(self, d: int) -> int:
        return max(min(self.rows + min(0, d), self.columns - max(0, d)), 0)

    def gap(self, d: int) -> int:
        """Return the number of padding elements before diagonal d in its row."""
        left = (d >= 0 and self.left_above) or (d <= 0 and self.left_below)
        return 0 if left else self.longest - self.length(d)

    def positions(self, d: int, rank: int) -> tuple[Any, ...]:
        """Return the index of diagonal d in a stack (of `rank` axes) of flattened matrices."""
        start = d if d >= 0 else -d * self.columns
        step = self.columns + 1
        stop = start + max(self.length(d) - 1, 0) * step + bool(self.length(d))
        return (*(WHOLE,) * rank, (start, stop, step))


def _limits(op: str, k: Any) -> tuple[int, int]:
    """Return the lowest and the highest diagonal of an argument `k`."""
    if type(k) is int:
        return k, k
    k = np.atleast_1d(static_value(k))
    if k.ndim != 1 or k.size not in (1, 2) or k.dtype.kind not in "iu":
        raise ShapeError(f"k must be an integer or a pair of them, got {k.tolist()}. [Op:{op}]")
    low, high = int(k[0]), int(k[-1])
    if low > high:
        raise ShapeError(
            f"lower_diag_index must not be larger than upper_diag_index: {low} > {high} [Op:{op}]"
        )
    return low, high


def _matrices(op: str, x: TensorLike) -> tuple[Any, ...]:
    x = to_tensor(x)
    if len(x._data.shape) < 2:
        raise ShapeError(
            f"input must be at least 2-dim, received shape: {list(x._data.shape)} [Op:{op}]"
        )
    return x, tuple(x._data.shape[:-2]), x._data.shape[-2], x._data.shape[-1]


def matrix_diag_part(
    x: TensorLike, k: Any = 0, padding_value: float = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Return diagonal k of matrices, or a range of diagonals as rows padded to one length."""
    x, stack, rows, columns = _matrices("MatrixDiagPart", x)
    band = _Band("MatrixDiagPart", _limits("MatrixDiagPart", k), rows, columns, align)
    flat = ops.reshape(x, (*stack, rows * columns))
    parts = []
    for d in band:
        part = ops.take_slice(flat, band.positions(d, len(stack)))
        if band.single:
            return part
        gap = band.gap(d)
        rest = band.longest - band.length(d) - gap
        if gap or rest:
            part = ops.pad(
                part, [*[(0, 0)] * len(stack), (gap, rest)], constant_values=padding_value
            )
        parts.append(part)
    return ops.stack(parts, len(stack))


def _pieces(band: _Band, diagonal: Tensor, rank: int) -> Iterator[Any]:
    """Yield (d, the elements of diagonal d) from diagonals in the format of matrix_diag_part."""
    if band.single:
        yield band.low, diagonal
        return
    for i, d in enumerate(band):
        gap = band.gap(d)
        yield d, ops.take_slice(diagonal, (*(WHOLE,) * rank, i, (gap, gap + band.length(d), None)))


def matrix_diag(
    diagonal: TensorLike,
    k: Any = 0,
    rows: int = -1,
    columns: int = -1,
    padding_value: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return matrices with these diagonals, and a padding value elsewhere."""
    op = "MatrixDiag"
    diagonal = to_tensor(diagonal)
    low, high = _limits(op, k)
    shape = tuple(diagonal._data.shape)
    if len(shape) < (1 if low == high else 2):
        raise ShapeError(
            f"diagonal must be at least 1-dim, received shape: {list(shape)} [Op:{op}]"
        )
    if low != high and shape[-2] != high - low + 1:
        raise ShapeError(
            "The number of diagonals provided in the input does not match the lower_diag_index and "
            f"upper_diag_index range: shape {list(shape)} for k = {(low, high)}. [Op:{op}]"
        )
    stack = shape[:-1] if low == high else shape[:-2]
    least_rows, least_columns = shape[-1] - min(high, 0), shape[-1] + max(low, 0)
    rows, columns = static_int(rows), static_int(columns)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows = least_rows if rows == -1 else rows
    columns = least_columns if columns == -1 else columns
    if rows < least_rows or columns < least_columns:
        what = "rows" if rows < least_rows else "columns"
        raise ShapeError(
            f"The number of {what} is too small: {rows} × {columns} for diagonals of shape "
            f"{list(shape)} and k = {(low, high)}. [Op:{op}]"
        )
    if rows != least_rows and columns != least_columns:
        raise ShapeError(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
            f"and diagonal: {rows} × {columns} for shape {list(shape)}. [Op:{op}]"
        )
    band = _Band(op, (low, high), rows, columns, align)
    whole = (*stack, rows * columns)
    plain = not ops.is_tensor_like(padding_value) and padding_value == 0
    if band.single and plain:
        flat = ops.put_slice(diagonal, whole, band.positions(low, len(stack)))
    else:
        value = ops.stop_gradient(ops.operands(op, diagonal, padding_value)[1])
        flat = ops.fill(whole, value)
        for d, piece in _pieces(band, diagonal, len(stack)):
            flat = ops.update_slice(flat, piece, band.positions(d, len(stack)))
    return ops.reshape(flat, (*stack, rows, columns))


def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Any = 0, align: str = "RIGHT_LEFT") -> Tensor:
    """Return matrices with some diagonals replaced."""
    op = "MatrixSetDiag"
    x, diagonal = ops.operands(op, x, diagonal)
    x, stack, rows, columns = _matrices(op, x)
    band = _Band(op, _limits(op, k), rows, columns, align)
    wanted = (*stack, *(() if band.single else (band.high - band.low + 1,)), band.longest)
    if tuple(diagonal._data.shape) != wanted:
        raise ShapeError(
            f"Either first dimensions of diagonal don't match input.shape[:-2], or "
            f"diagonal.shape[:-1] is not equal to the longests diagonal in range "
            f"[lower_diag_index:upper_diag_index]. Expected diagonal.shape: {list(wanted)}, got "
            f"{list(diagonal._data.shape)}. [Op:{op}]"
        )
    flat = ops.reshape(x, (*stack, rows * columns))
    for d, piece in _pieces(band, diagonal, len(stack)):
        flat = ops.update_slice(flat, piece, band.positions(d, len(stack)))
    return ops.reshape(flat, x._data.shape)


def band_part(x: Tensor, below: int, above: int) -> Tensor:
    """Set x to zero outside of a band of `below` and `above` diagonals around the main one."""
    x, _, rows, columns = _matrices("MatrixBandPart", x)
    below, above = static_int(below), static_int(above)
    if below > rows or above > columns:
        name, size, given = ("lower", rows, below) if below > rows else ("upper", columns, above)
        raise ShapeError(
            f"num_{name} must be negative or less or equal to number of "
            f"{'rows' if name == 'lower' else 'columns'} ({size}) got: {given} [Op:MatrixBandPart]"
        )
    offset = np.arange(columns) - np.arange(rows)[:, None]
    inside = np.ones((rows, columns), bool)
    if below >= 0:
        inside &= offset >= -below
    if above >= 0:
        inside &= offset <= above
    return ops.where(Tensor(inside), x, ops.zeros((), x.dtype))


def tensor_diag(diagonal: TensorLike) -> Tensor:
    """Return a tensor of twice the rank, zero but for `diagonal` where both index halves agree."""
    diagonal = to_tensor(diagonal)
    shape = tuple(diagonal._data.shape)
    if not shape:
        raise ShapeError("Input must be at least rank 1, got 0 [Op:Diag]")
    return ops.reshape(matrix_diag(ops.reshape(diagonal, (-1,))), (*shape, *shape))


def tensor_diag_part(x: TensorLike) -> Tensor:
    """Return the elements of a tensor where both halves of its indices agree."""
    x = to_tensor(x)
    shape = tuple(x._data.shape)
    half = len(shape) // 2
    if len(shape) % 2 or not shape:
        raise ShapeError(
            f"The rank of the tensor should be even and positive, got shape {list(shape)} "
            "[Op:DiagPart]"
        )
    for i in range(half):
        if shape[i] != shape[i + half]:
            raise ShapeError(
                f"Invalid shape {list(shape)}: dimensions {i} and {i + half} do not match. "
                "[Op:DiagPart]"
            )
    size = math.prod(shape[:half])
    return ops.reshape(matrix_diag_part(ops.reshape(x, (size, size))), shape[:half])
