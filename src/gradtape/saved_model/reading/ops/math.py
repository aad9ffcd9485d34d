"""Ops of TensorFlow that reduce, multiply and decompose."""

from __future__ import annotations

from gradtape.api.export import lookup
from gradtape.core.dtypes import int64
from gradtape.saved_model.reading.table import op, rows

rows(
    Cholesky="linalg.cholesky",
    Cross="linalg.cross",
    FFT="signal.fft",
    FFT2D="signal.fft2d",
    FFT3D="signal.fft3d",
    IFFT="signal.ifft",
    IFFT2D="signal.ifft2d",
    IFFT3D="signal.ifft3d",
    IRFFT="signal.irfft",
    L2Loss="nn.l2_loss",
    MatrixDeterminant="linalg.det",
    MatrixExponential="linalg.expm",
    MatrixLogarithm="linalg.logm",
    MatrixSquareRoot="linalg.sqrtm",
    RFFT="signal.rfft",
)


def _reduction(public: str):
    def call(x, axis, *, keep_dims=False):
        return lookup(public)(x, axis, keep_dims)

    return call


for _name, _public in {
    "All": "reduce_all",
    "Any": "reduce_any",
    "EuclideanNorm": "math.reduce_euclidean_norm",
    "Max": "reduce_max",
    "Mean": "reduce_mean",
    "Min": "reduce_min",
    "Prod": "reduce_prod",
    "Sum": "reduce_sum",
}.items():
    op(_name)(_reduction(_public))


@op("ArgMax")
def argmax(x, axis, *, output_type=int64):
    return lookup("argmax")(x, int(axis), output_type)


@op("ArgMin")
def argmin(x, axis, *, output_type=int64):
    return lookup("argmin")(x, int(axis), output_type)


@op("Cumsum")
def cumsum(x, axis, *, exclusive=False, reverse=False):
    return lookup("cumsum")(x, int(axis), exclusive, reverse)


@op("Cumprod")
def cumprod(x, axis, *, exclusive=False, reverse=False):
    return lookup("math.cumprod")(x, int(axis), exclusive, reverse)


@op("CumulativeLogsumexp")
def cumulative_logsumexp(x, axis, *, exclusive=False, reverse=False):
    return lookup("math.cumulative_logsumexp")(x, int(axis), exclusive, reverse)


@op("MatMul", "SparseMatMul")
def matmul(a, b, *, transpose_a=False, transpose_b=False):
    return lookup("matmul")(a, b, transpose_a, transpose_b)


@op("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")
def batch_matmul(x, y, *, adj_x=False, adj_y=False):
    return lookup("matmul")(x, y, adjoint_a=adj_x, adjoint_b=adj_y)


@op("Einsum")
def einsum(*inputs, equation):
    return lookup("einsum")(equation.decode(), *inputs)


@op("MatrixInverse")
def inverse(x, *, adjoint=False):
    return lookup("linalg.inv")(x, adjoint)


@op("MatrixSolve")
def solve(matrix, rhs, *, adjoint=False):
    return lookup("linalg.solve")(matrix, rhs, adjoint)


@op("MatrixTriangularSolve")
def triangular_solve(matrix, rhs, *, lower=True, adjoint=False):
    return lookup("linalg.triangular_solve")(matrix, rhs, lower, adjoint)


@op("LogMatrixDeterminant", outputs="sign log_abs_determinant")
def slogdet(x):
    return lookup("linalg.slogdet")(x)


@op("Qr", outputs="q r")
def qr(x, *, full_matrices=False):
    return lookup("linalg.qr")(x, full_matrices)


@op("Svd", outputs="s u v")
def svd(x, *, compute_uv=True, full_matrices=False):
    made = lookup("linalg.svd")(x, full_matrices, compute_uv)
    return made if compute_uv else (made, x, x)


@op("SelfAdjointEigV2", outputs="e v")
def eigh(x, *, compute_v=True):
    return lookup("linalg.eigh")(x) if compute_v else (lookup("linalg.eigvalsh")(x), x)
