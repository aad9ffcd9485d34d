"""Determinants, inverses and solutions of linear systems."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, lower_triangular, normal, positive, positive_definite, well_conditioned

case = CaseList()

for dtype in ("float32", "float64", "complex128"):
    matrix = well_conditioned(3, 3, dtype=dtype)
    batch = well_conditioned(2, 3, 3, dtype=dtype)
    right = normal(3, 2, dtype=dtype)
    # TensorFlow leaves a conjugate out of the gradient of complex determinants.
    wrt = "" if dtype == "complex128" else None
    case(f"det_{dtype}", call("linalg.det"), wrt=wrt, a=matrix)
    case(f"det_batched_{dtype}", call("linalg.det"), wrt=wrt, a=batch)
    case(f"inv_{dtype}", call("linalg.inv"), a=matrix)
    case(f"inv_batched_{dtype}", call("linalg.inv"), a=batch)
    case(f"inv_adjoint_{dtype}", call("linalg.inv", adjoint=True), a=matrix)
    case(f"solve_{dtype}", call("linalg.solve"), a=matrix, b=right)
    case(f"solve_adjoint_{dtype}", call("linalg.solve", adjoint=True), a=matrix, b=right)
    case(f"solve_batched_{dtype}", call("linalg.solve"), a=batch, b=normal(2, 3, 1, dtype=dtype))
    case(f"slogdet_{dtype}", lambda tf, a: _fixed_sign(tf, *tf.linalg.slogdet(a)), a=matrix)
    hermitian = positive_definite(3, 3, dtype=dtype)
    case(f"cholesky_{dtype}", call("linalg.cholesky"), a=hermitian)
    case(
        f"cholesky_batched_{dtype}",
        call("linalg.cholesky"),
        a=positive_definite(2, 3, 3, dtype=dtype),
    )
    case(f"logdet_{dtype}", call("linalg.logdet"), a=hermitian)
    triangle = lower_triangular(3, 3, dtype=dtype)
    for lower in (True, False):
        for adjoint in (True, False):
            label = f"{'lower' if lower else 'upper'}{'_adjoint' if adjoint else ''}_{dtype}"
            options = {"lower": lower, "adjoint": adjoint}
            case(
                f"triangular_solve_{label}",
                call("linalg.triangular_solve", **options),
                a=triangle,
                b=right,
            )
    case(f"cholesky_solve_{dtype}", call("linalg.cholesky_solve"), c=triangle, b=right)
    case(
        f"cholesky_solve_batched_{dtype}",
        call("linalg.cholesky_solve"),
        c=lower_triangular(2, 3, 3, dtype=dtype),
        b=normal(2, 3, 1, dtype=dtype),
    )
case("det_negative", call("linalg.det"), a=array([[0.0, 1.0], [2.0, 3.0]], "float64"))
case("det_one_by_one", call("linalg.det"), a=array([[2.5]]))
case(
    "det_of_product",
    lambda tf, a, b: tf.linalg.det(a @ b),
    a=well_conditioned(2, 2),
    b=well_conditioned(2, 2),
)
case("slogdet_batched", call("linalg.slogdet"), a=well_conditioned(2, 3, 3))
case("slogdet_negative", call("linalg.slogdet"), a=array([[0.0, 1.0], [2.0, 3.0]], "float64"))
case("logdet_batched", call("linalg.logdet"), a=positive_definite(2, 2, 2))
case(
    "triangular_solve_batched",
    call("linalg.triangular_solve"),
    a=lower_triangular(2, 3, 3),
    b=normal(2, 3, 2),
)
case(
    "triangular_solve_broadcast",
    call("linalg.triangular_solve"),
    a=lower_triangular(3, 3),
    b=normal(2, 3, 2),
)
case(
    "triangular_solve_full_matrix",
    call("linalg.triangular_solve"),
    a=well_conditioned(3, 3),
    b=normal(3, 1),
)
case(
    "cholesky_then_solve",
    lambda tf, a, b: tf.linalg.cholesky_solve(tf.linalg.cholesky(a), b),
    a=positive_definite(3, 3),
    b=normal(3, 1),
)
case(
    "quadratic_form",
    lambda tf, a, b: tf.reduce_sum(b * tf.linalg.solve(a, b)),
    a=well_conditioned(3, 3),
    b=normal(3, 1),
)
case(
    "gaussian_log_density",
    lambda tf, a, x: _log_density(tf, a, x),
    a=positive_definite(3, 3, dtype="float64"),
    x=normal(3, 1, dtype="float64"),
)


def _fixed_sign(tf, sign, log):
    """TensorFlow takes even a complex sign for a constant."""
    return tf.stop_gradient(sign), log


def _log_density(tf, a, x):
    factor = tf.linalg.cholesky(a)
    whitened = tf.linalg.triangular_solve(factor, x)
    log_determinant = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))
    return -0.5 * tf.reduce_sum(whitened**2) - log_determinant


SYSTEMS = {"tall": ((4, 2), (4, 3)), "wide": ((2, 4), (2, 1)), "batched": ((2, 4, 2), (2, 4, 1))}
for label, (left, right) in SYSTEMS.items():
    for regularizer in (0.0, 0.5):
        name = f"lstsq_{label}_{'regularized' if regularizer else 'plain'}"
        given = {"a": normal(*left, dtype="float64"), "b": normal(*right, dtype="float64")}
        case(name, call("linalg.lstsq", l2_regularizer=regularizer), **given)
case(
    "lstsq_slow",
    call("linalg.lstsq", fast=False),
    wrt="",
    a=normal(4, 2, dtype="float64"),
    b=normal(4, 1, dtype="float64"),
)
case(
    "lstsq_float32",
    call("linalg.lstsq"),
    a=array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]),
    b=normal(3, 1),
)

DIAGONALS = {"d": normal(3, 4, dtype="float64", scale=0.5), "b": normal(4, 2, dtype="float64")}
for form in ("compact", "sequence", "matrix"):
    case(
        f"tridiagonal_solve_{form}",
        lambda tf, u, d, w, b, f=form: tf.linalg.tridiagonal_solve(
            _diagonals(tf, f, u, d, w), b, diagonals_format=f
        ),
        u=normal(4, dtype="float64", scale=0.5),
        d=normal(4, dtype="float64", shift=5.0),
        w=normal(4, dtype="float64", scale=0.5),
        b=normal(4, 2, dtype="float64"),
    )
    case(
        f"tridiagonal_matmul_{form}",
        lambda tf, u, d, w, b, f=form: tf.linalg.tridiagonal_matmul(
            _diagonals(tf, f, u, d, w), b, diagonals_format=f
        ),
        u=normal(4, dtype="float64"),
        d=normal(4, dtype="float64"),
        w=normal(4, dtype="float64"),
        b=normal(4, 2, dtype="float64"),
    )


def _diagonals(tf, form, upper, main, lower):
    if form == "compact":
        return tf.stack([upper, main, lower])
    if form == "sequence":
        return [upper, main, lower]
    parts = tf.linalg.diag(upper[:-1], k=1), tf.linalg.diag(main), tf.linalg.diag(lower[1:], k=-1)
    return parts[0] + parts[1] + parts[2]


case(
    "tridiagonal_solve_vector",
    call("linalg.tridiagonal_solve"),
    d=array([[1.0, 1.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 2.0]], "float64"),
    b=normal(3, dtype="float64"),
)
case(
    "tridiagonal_solve_float32",
    call("linalg.tridiagonal_solve", partial_pivoting=False),
    d=array([[1.0, 1.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 2.0]]),
    b=normal(3, 1),
)
case(
    "tridiagonal_solve_batched",
    call("linalg.tridiagonal_solve"),
    d=array([[[1.0, 0.0], [4.0, 5.0], [0.0, 1.0]]] * 2, "float64"),
    b=normal(2, 2, 1, dtype="float64"),
)
for lower in (True, False):
    for adjoint in (True, False):
        label = f"{'lower' if lower else 'upper'}{'_adjoint' if adjoint else ''}"
        case(
            f"banded_triangular_solve_{label}",
            call("linalg.banded_triangular_solve", lower=lower, adjoint=adjoint),
            a=positive(2, 4, dtype="float64"),
            b=normal(4, 2, dtype="float64"),
        )
for rank in ((4, 3), (2, 3, 3), (3, 4)):
    label = "x".join(map(str, rank))
    case(f"pinv_{label}", call("linalg.pinv"), a=normal(*rank, dtype="float64"))
    case(f"matrix_rank_{label}", call("linalg.matrix_rank"), wrt="", a=normal(*rank))
case(
    "pinv_rank_one",
    call("linalg.pinv"),
    wrt="",
    a=array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], "float64"),
)
case(
    "matrix_rank_deficient",
    call("linalg.matrix_rank"),
    wrt="",
    a=array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], "float64"),
)
case(
    "matrix_rank_tolerance",
    call("linalg.matrix_rank", tol=0.5),
    wrt="",
    a=array([[1.0, 0.0], [0.0, 0.1]]),
)
