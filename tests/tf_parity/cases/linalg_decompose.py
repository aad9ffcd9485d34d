"""Decompositions and functions of matrices.

Singular vectors, eigenvectors and the factors of QR are defined up to signs or phases: these cases
return invariants of them, such as projections and reconstructions.
"""

from __future__ import annotations

import numpy as np

from ..case import CaseList, call
from ..inputs import array, normal, positive_definite, symmetric, well_conditioned

case = CaseList()


def weighted_projection(tf, vectors, weights):
    """The sum of the projections on each vector, weighted: the same for every choice of signs."""
    weights = tf.cast(weights, vectors.dtype)
    return tf.matmul(vectors * weights[..., None, :], vectors, adjoint_b=True)


def svd_parts(tf, a, **options):
    s, u, v = tf.linalg.svd(a, **options)
    count = s.shape[-1]
    weights = tf.range(1, count + 1, dtype=s.dtype)
    u, v = u[..., :count], v[..., :count]
    # The product of a left and a right vector does not depend on their common sign.
    mixed = tf.matmul(u * tf.cast(weights, u.dtype), v, adjoint_b=True)
    return s, weighted_projection(tf, u, weights), weighted_projection(tf, v, weights), mixed


def eigh_parts(tf, a):
    e, v = tf.linalg.eigh(a)
    return e, weighted_projection(tf, v, tf.range(1, e.shape[-1] + 1, dtype=tf.math.real(e).dtype))


def qr_parts(tf, a, **options):
    q, r = tf.linalg.qr(a, **options)
    phases = tf.math.sign(tf.linalg.diag_part(r))
    count = r.shape[-2] if r.shape[-2] < r.shape[-1] else r.shape[-1]
    q, r, phases = q[..., :count], r[..., :count, :], tf.stop_gradient(phases)
    return q * phases[..., None, :], tf.math.conj(phases)[..., :, None] * r


MATRICES = {"square": (3, 3), "tall": (4, 3), "wide": (3, 4), "batched": (2, 3, 2)}
for label, shape in MATRICES.items():
    for dtype in ("float32", "float64"):
        a = normal(*shape, dtype=dtype)
        rtol = 1e-4 if dtype == "float32" else 1e-9
        case(f"svd_values_{label}_{dtype}", call("linalg.svd", compute_uv=False), rtol=rtol, a=a)
        case(f"svd_{label}_{dtype}", lambda tf, a: svd_parts(tf, a), rtol=rtol, a=a)
case(
    "svd_full_square",
    lambda tf, a: svd_parts(tf, a, full_matrices=True),
    rtol=1e-9,
    a=normal(3, 3, dtype="float64"),
)
case(
    "svd_full_shapes",
    lambda tf, a: [list(p.shape) for p in tf.linalg.svd(a, full_matrices=True)],
    wrt="",
    a=normal(4, 2),
)
case(
    "svd_complex128",
    lambda tf, a: svd_parts(tf, a),
    wrt="",
    rtol=1e-9,
    a=normal(3, 2, dtype="complex128"),
)
case(
    "svd_values_complex128",
    call("linalg.svd", compute_uv=False),
    rtol=1e-9,
    a=normal(3, 2, dtype="complex128"),
)
case(
    "svd_reconstruction", lambda tf, a: _rebuilt(tf, a), rtol=1e-9, a=normal(3, 3, dtype="float64")
)
case(
    "nuclear_norm",
    lambda tf, a: tf.reduce_sum(tf.linalg.svd(a, compute_uv=False)),
    rtol=1e-9,
    a=normal(4, 3, dtype="float64"),
)


def _rebuilt(tf, a):
    s, u, v = tf.linalg.svd(a)
    return u @ tf.linalg.diag(tf.exp(-s)) @ tf.transpose(v)


for label, shape in {"square": (3, 3), "batched": (2, 3, 3)}.items():
    for dtype in ("float32", "float64", "complex128"):
        a = symmetric(*shape, dtype=dtype)
        rtol = 1e-4 if dtype == "float32" else 1e-9
        case(f"eigh_{label}_{dtype}", lambda tf, a: eigh_parts(tf, a), rtol=rtol, a=a)
        case(f"eigvalsh_{label}_{dtype}", call("linalg.eigvalsh"), rtol=rtol, a=a)
case(
    "eigh_reads_lower_triangle",
    call("linalg.eigvalsh"),
    rtol=1e-9,
    a=array([[2.0, 50.0], [1.0, 3.0]], "float64"),
)

for label, shape in {
    "square": (3, 3),
    "tall": (4, 3),
    "batched": (2, 4, 2),
    "wide": (2, 3),
}.items():
    for dtype in ("float32", "float64"):
        rtol = 1e-4 if dtype == "float32" else 1e-9
        # TensorFlow has the gradient of QR only for matrices that are not wide in some forms.
        case(
            f"qr_{label}_{dtype}",
            lambda tf, a: qr_parts(tf, a),
            rtol=rtol,
            a=normal(*shape, dtype=dtype),
        )
case(
    "qr_full",
    lambda tf, a: qr_parts(tf, a, full_matrices=True),
    wrt="",
    a=normal(3, 2, dtype="float64"),
)
case(
    "qr_full_shapes",
    lambda tf, a: [list(p.shape) for p in tf.linalg.qr(a, full_matrices=True)],
    wrt="",
    a=normal(4, 2),
)
case("qr_complex128", lambda tf, a: qr_parts(tf, a), rtol=1e-9, a=normal(3, 3, dtype="complex128"))

case(
    "eig_real_spectrum",
    lambda tf, a: _eig_parts(tf, a),
    rtol=1e-8,
    a=array([[1.0, 2.0, 0.5], [0.0, 3.0, 1.0], [0.0, 0.0, 6.0]], "float64"),
)
case(
    "eig_complex_spectrum",
    lambda tf, a: _eig_parts(tf, a),
    rtol=1e-8,
    a=array([[0.0, -2.0], [1.0, 1.0]], "float64"),
)
case(
    "eig_complex_matrix",
    lambda tf, a: _eig_parts(tf, a),
    rtol=1e-8,
    a=normal(3, 3, dtype="complex128"),
)
case(
    "eigvals_top_level",
    lambda tf, a: _symmetric_functions(tf, tf.eigvals(a)),
    rtol=1e-8,
    a=normal(3, 3, dtype="float64"),
)
case(
    "eigvals",
    lambda tf, a: _symmetric_functions(tf, tf.linalg.eigvals(a)),
    rtol=1e-8,
    a=normal(2, 3, 3, dtype="complex128"),
)


def _symmetric_functions(tf, e):
    """Functions of eigenvalues that do not depend on their order."""
    return tf.reduce_sum(e, -1), tf.reduce_sum(e * e, -1), tf.reduce_sum(tf.exp(e), -1)


def _eig_parts(tf, a):
    e, v = tf.linalg.eig(a)
    # A function of the matrix, independent of order and length of the eigenvectors.
    scaled = v * tf.exp(0.3 * e)[None, :]
    return (*_symmetric_functions(tf, e), scaled @ tf.linalg.inv(v))


for dtype in ("float32", "float64"):
    a = well_conditioned(3, 3, dtype=dtype)
    # TensorFlow has no gradient of the factors themselves.
    case(f"lu_{dtype}", call("linalg.lu"), wrt="", a=a)
    case(f"lu_batched_{dtype}", call("linalg.lu"), wrt="", a=well_conditioned(2, 3, 3, dtype=dtype))
    case(
        f"lu_solve_{dtype}",
        lambda tf, a, b: tf.linalg.lu_solve(*tf.linalg.lu(a), b),
        reference=call("linalg.solve"),
        a=a,
        b=normal(3, 2, dtype=dtype),
    )
    case(
        f"lu_matrix_inverse_{dtype}",
        lambda tf, a: tf.linalg.lu_matrix_inverse(*tf.linalg.lu(a)),
        reference=call("linalg.inv"),
        a=a,
    )
    case(
        f"lu_reconstruct_{dtype}",
        lambda tf, a: tf.linalg.lu_reconstruct(*tf.linalg.lu(a)),
        reference=call("identity"),
        a=a,
    )
case(
    "lu_pivoting",
    call("linalg.lu"),
    wrt="",
    a=array([[0.0, 2.0, 1.0], [4.0, 1.0, 0.0], [2.0, 3.0, 5.0]], "float64"),
)
case("lu_complex128", call("linalg.lu"), wrt="", a=well_conditioned(3, 3, dtype="complex128"))
case(
    "lu_index_type",
    lambda tf, a: tf.linalg.lu(a, output_idx_type=tf.int64),
    wrt="",
    a=well_conditioned(2, 2),
)

for dtype in ("float32", "float64", "complex128"):
    rtol = 1e-4 if dtype == "float32" else None
    case(f"expm_{dtype}", call("linalg.expm"), rtol=rtol, a=normal(3, 3, dtype=dtype))
    # TensorFlow leaves a conjugate out of the gradient of complex roots.
    wrt = "" if dtype == "complex128" else None
    matrix = positive_definite(3, 3, dtype=dtype)
    case(f"sqrtm_{dtype}", call("linalg.sqrtm"), wrt=wrt, rtol=rtol, a=matrix)
case("expm_batched", call("linalg.expm"), rtol=1e-4, a=normal(2, 2, 2))
case("expm_large", call("linalg.expm"), a=normal(3, 3, dtype="float64", scale=3.0))
case("expm_zero", call("linalg.expm"), a=array([[0.0, 0.0], [0.0, 0.0]], "float64"))
case("expm_nilpotent", call("linalg.expm"), a=array([[0.0, 1.0], [0.0, 0.0]], "float64"))
case("matrix_square_root", call("matrix_square_root"), a=positive_definite(2, 2, dtype="float64"))
case("logm", call("linalg.logm"), wrt="", a=positive_definite(3, 3, dtype="complex128"))
case(
    "logm_of_expm",
    lambda tf, a: tf.linalg.logm(tf.linalg.expm(a)),
    wrt="",
    a=normal(2, 2, dtype="complex128"),
)
case(
    "eigh_tridiagonal",
    call("linalg.eigh_tridiagonal"),
    wrt="",
    a=normal(4, dtype="float64"),
    b=normal(3, dtype="float64"),
)
case(
    "eigh_tridiagonal_select",
    call("linalg.eigh_tridiagonal", select="i", select_range=(0, 1)),
    wrt="",
    a=normal(4, dtype="float64"),
    b=normal(3, dtype="float64"),
)
case("eigh_tridiagonal_of_one_row", lambda tf: tf.linalg.eigh_tridiagonal([2.0], np.ones(0, "f")))
case(
    "eigh_tridiagonal_from_an_eigenvalue_on",
    lambda tf: tf.linalg.eigh_tridiagonal(
        np.array([1.0, 2.0, 4.0]), np.zeros(2), select="v", select_range=np.array([2.0, 9.0])
    ),
)
