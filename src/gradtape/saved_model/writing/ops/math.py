"""How reductions, products, decompositions and transforms are written."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref
from gradtape.saved_model.writing.lowering import RULES, expansion, rule
from gradtape.saved_model.writing.sizes import NodePair

_INT = np.dtype(np.int32)
_REDUCTIONS = {
    "reduce_sum": "Sum:output",
    "reduce_mean": "Mean:output",
    "reduce_prod": "Prod:output",
    "reduce_max": "Max:output",
    "reduce_min": "Min:output",
    "reduce_euclidean_norm": "EuclideanNorm:output",
    "reduce_any": "Any:output",
    "reduce_all": "All:output",
}


def _reduce(kind: str, b: Builder, node: NodePair, x: Ref) -> Ref:
    axes = b.axes(node, x)
    extra = {"T": None} if kind[:3] in ("Any", "All") else {}
    return b.op(kind, x, axes, Tidx=_INT, keep_dims=bool(node.keepdims), **extra)


for _name, _kind in _REDUCTIONS.items():
    RULES[_name] = lambda b, node, x, kind=_kind: _reduce(kind, b, node, x)


@expansion("reduce_logsumexp")
def logsumexp(x, axis, keepdims):
    top = ops.stop_gradient(ops.reduce_max(x, axis, True))
    top = ops.where(ops.is_finite(top), top, ops.zeros_like(top))
    sums = ops.log(ops.reduce_sum(ops.exp(x - top), axis, keepdims))
    return sums + (top if keepdims else ops.reshape(top, sums.shape))


@expansion("moments")
def moments(x, axis, keepdims):
    mean = ops.reduce_mean(x, axis, True)
    apart = x - ops.stop_gradient(mean)
    variance = ops.reduce_mean(apart * apart, axis, keepdims)
    return mean if keepdims else ops.reshape(mean, variance.shape), variance


@rule("argmax", "argmin")
def arg_extreme(b: Builder, node: NodePair, x: Ref) -> Ref:
    kind = "ArgMax:output" if node.name == "argmax" else "ArgMin:output"
    dtype = node.output.dtype
    return b.op(kind, x, b.ints(node.axis), dtype=dtype, Tidx=_INT, output_type=dtype)


@rule("cumsum", "cumprod", "cumulative_logsumexp")
def cumulative(b: Builder, node: NodePair, x: Ref) -> Ref:
    kinds = {
        "cumsum": "Cumsum:out",
        "cumprod": "Cumprod:out",
        "cumulative_logsumexp": "CumulativeLogsumexp:out",
    }
    return b.op(
        kinds[node.name],
        x,
        b.ints(node.axis),
        Tidx=_INT,
        exclusive=bool(node.exclusive),
        reverse=bool(node.reverse),
    )


@rule("matmul")
def matmul(b: Builder, node: NodePair, x: Ref, y: Ref) -> Ref:
    flips = bool(node.transpose_a), bool(node.transpose_b)
    if node.inputs[0].rank == node.inputs[1].rank == 2:
        return b.op("MatMul:product", x, y, transpose_a=flips[0], transpose_b=flips[1])
    if x.dtype.kind == "c":  # BatchMatMul takes conjugates, too
        x, y = (
            b.op("Conj:output", ref) if flip else ref
            for ref, flip in zip((x, y), flips, strict=True)
        )
    return b.op("BatchMatMulV2:output", x, y, adj_x=flips[0], adj_y=flips[1])


@rule("einsum")
def einsum(b: Builder, node: NodePair, *xs: Ref) -> Ref:
    return b.op("Einsum:output", *xs, N=len(xs), equation=node.equation)


_ALGEBRA = {
    "cholesky": "Cholesky:output",
    "det": "MatrixDeterminant:output",
    "expm": "MatrixExponential:output",
    "logm": "MatrixLogarithm:output",
    "sqrtm": "MatrixSquareRoot:output",
    "cross": "Cross:product",
}
for _name, _kind in _ALGEBRA.items():
    RULES[_name] = lambda b, node, *inputs, kind=_kind: b.op(kind, *inputs)


@rule("inv")
def inverse(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("MatrixInverse:output", x, adjoint=bool(node.adjoint))


@rule("solve")
def solve(b: Builder, node: NodePair, a: Ref, y: Ref) -> Ref:
    return b.op("MatrixSolve:output", a, y, adjoint=bool(node.adjoint))


@rule("triangular_solve")
def triangular_solve(b: Builder, node: NodePair, a: Ref, y: Ref) -> Ref:
    return b.op(
        "MatrixTriangularSolve:output", a, y, lower=bool(node.lower), adjoint=bool(node.adjoint)
    )


@rule("slogdet")
def slogdet(b: Builder, node: NodePair, x: Ref) -> list[Ref]:
    kinds = [each.dtype for each in node.outputs]
    return b.nodes_of("LogMatrixDeterminant:sign,log_abs_determinant", x, dtypes=kinds, T=x.dtype)


@rule("qr")
def qr(b: Builder, node: NodePair, x: Ref) -> list[Ref]:
    full = bool(node.full_matrices)
    return b.nodes_of("Qr:q,r", x, dtypes=[x.dtype] * 2, T=x.dtype, full_matrices=full)


@rule("eigh")
def eigh(b: Builder, node: NodePair, x: Ref) -> list[Ref]:
    kinds = [each.dtype for each in node.outputs]
    return b.nodes_of("SelfAdjointEigV2:e,v", x, dtypes=kinds, T=x.dtype, compute_v=True)


# --- Fourier transforms --------------------------------------------------------------------------


def _transform(node: NodePair, kind: str) -> str:
    axes, rank = tuple(node.axis), node.inputs[0].rank
    count = len(axes)
    if axes != tuple(range(rank - count, rank)) or count > 3:
        raise CannotWrite(f"a Fourier transform over the axes {list(axes)} of {rank}")
    return f"{kind}{'' if count == 1 else f'{count}D'}:output"


@rule("fft")
def fft(b: Builder, node: NodePair, x: Ref) -> Ref:
    kind = _transform(node, "IFFT" if node.inverse else "FFT")
    return b.op(kind, x, T=None, Tcomplex=x.dtype)


@rule("rfft")
def rfft(b: Builder, node: NodePair, x: Ref) -> Ref:
    kind, made = _transform(node, "RFFT"), node.output.dtype
    lengths = b.sizes([node.inputs[0].shape[axis] for axis in node.axis])
    return b.op(kind, x, lengths, dtype=made, T=None, Treal=x.dtype, Tcomplex=made)


@rule("irfft")
def irfft(b: Builder, node: NodePair, x: Ref) -> Ref:
    kind, made = _transform(node, "IRFFT"), node.output.dtype
    lengths = b.sizes([node.output.shape[axis] for axis in node.axis])
    return b.op(kind, x, lengths, dtype=made, T=None, Treal=made, Tcomplex=x.dtype)
