"""Diagonals, bands, and other structure of matrices."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, integers, normal

case = CaseList()

for dtype in ("float32", "float64", "complex64"):
    case(f"diag_{dtype}", call("linalg.diag"), x=normal(3, dtype=dtype))
    case(f"diag_part_{dtype}", call("linalg.diag_part"), x=normal(3, 3, dtype=dtype))
    case(
        f"set_diag_{dtype}",
        call("linalg.set_diag"),
        x=normal(3, 3, dtype=dtype),
        d=normal(3, dtype=dtype),
    )
    case(f"band_part_{dtype}", call("linalg.band_part", 1, 0), x=normal(3, 4, dtype=dtype))
case("diag_batched", call("linalg.diag"), x=normal(2, 3))
case("diag_above", call("linalg.diag", k=1), x=normal(3))
case("diag_below", call("linalg.diag", k=-2), x=normal(2, 2))
case("diag_rectangle", call("linalg.diag", num_rows=3, num_cols=5), x=normal(3))
case("diag_rectangle_shifted", call("linalg.diag", k=1, num_rows=3, num_cols=5), x=normal(3))
case("diag_padding", call("linalg.diag", padding_value=7), x=normal(3))
case("diag_int32", call("linalg.diag", padding_value=-1), x=integers(3))
for align in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"):
    name = align.lower()
    case(f"diag_band_{name}", call("linalg.diag", k=(-1, 1), align=align), x=normal(3, 4))
    case(f"diag_part_band_{name}", call("linalg.diag_part", k=(-1, 1), align=align), x=normal(4, 4))
    case(
        f"diag_part_wide_band_{name}",
        call("linalg.diag_part", k=(0, 2), align=align),
        x=normal(2, 3, 4),
    )
    case(
        f"set_diag_band_{name}",
        call("linalg.set_diag", k=(-1, 1), align=align),
        x=normal(4, 4),
        d=normal(3, 4),
    )
case("diag_part_wide", call("linalg.diag_part"), x=normal(2, 4))
case("diag_part_tall", call("linalg.diag_part"), x=normal(4, 2))
case("diag_part_batched", call("linalg.diag_part"), x=normal(2, 3, 3))
case("diag_part_above", call("linalg.diag_part", k=1), x=normal(3, 4))
case("diag_part_below", call("linalg.diag_part", k=-1), x=normal(3, 4))
case("diag_part_padding", call("linalg.diag_part", k=(-2, 1), padding_value=9.0), x=normal(3, 4))
case("set_diag_above", call("linalg.set_diag", k=1), x=normal(3, 4), d=normal(3))
case("set_diag_batched", call("linalg.set_diag"), x=normal(2, 3, 3), d=normal(2, 3))
case("set_diag_rectangle", call("linalg.set_diag"), x=normal(2, 4), d=normal(2))

BANDS = {
    "lower": (-1, 0),
    "upper": (0, -1),
    "diagonal": (0, 0),
    "tridiagonal": (1, 1),
    "all": (-1, -1),
    "uneven": (2, 1),
}
for label, (below, above) in BANDS.items():
    case(f"band_part_{label}", call("linalg.band_part", below, above), x=normal(4, 4))
case("band_part_batched", call("linalg.band_part", 0, 1), x=normal(2, 3, 2))
case("band_part_int32", call("linalg.band_part", -1, 0), x=integers(3, 3))
case("tensor_diag_vector", call("linalg.tensor_diag"), x=normal(3))
case("tensor_diag_matrix", call("linalg.tensor_diag"), x=normal(2, 3))
case("tensor_diag_part_matrix", call("linalg.tensor_diag_part"), x=normal(3, 3))
case("tensor_diag_part_rank_four", call("linalg.tensor_diag_part"), x=normal(2, 3, 2, 3))
case("trace_float64", call("linalg.trace"), x=normal(3, 3, dtype="float64"))
case("trace_complex", call("linalg.trace"), x=normal(3, 3, dtype="complex64"))
case("trace_int32", call("linalg.trace"), x=integers(3, 3))
case("trace_of_product", lambda tf, a, b: tf.linalg.trace(a @ b), a=normal(2, 3), b=normal(3, 2))
case("covariance_by_hand", lambda tf, x: _covariance(tf, x), x=normal(5, 3))
case(
    "kronecker_by_hand",
    lambda tf, a, b: tf.reshape(tf.einsum("ij,kl->ikjl", a, b), [4, 6]),
    a=normal(2, 2),
    b=normal(2, 3),
)
case("lower_triangle_from_vector", lambda tf, v: _filled(tf, v), v=normal(6))


def _covariance(tf, x):
    centered = x - tf.reduce_mean(x, axis=0)
    return tf.matmul(centered, centered, transpose_a=True) / 4.0


def _filled(tf, v):
    positions = [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]]
    return tf.scatter_nd(positions, v, [3, 3])


case(
    "householder",
    lambda tf, v, x: x - 2.0 * v * tf.reduce_sum(v * x) / tf.reduce_sum(v * v),
    v=normal(3),
    x=normal(3),
)
case(
    "rotation",
    lambda tf, t, x: tf.linalg.matvec(
        tf.stack([tf.stack([tf.cos(t), -tf.sin(t)]), tf.stack([tf.sin(t), tf.cos(t)])]), x
    ),
    t=array(0.3),
    x=normal(2),
)
