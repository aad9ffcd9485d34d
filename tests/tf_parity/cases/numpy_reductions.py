"""`tf.experimental.numpy`: sums over axes, and products of vectors and matrices."""

from __future__ import annotations

import math

from ..case import CaseList, numpy, with_numpy_methods
from ..inputs import array, booleans, distinct, integers, normal, positive

case = CaseList()


AXES = {
    "all": {},
    "axis": {"axis": 1},
    "axes": {"axis": (0, 2)},
    "kept": {"axis": -1, "keepdims": True},
}
for name in "sum prod mean std var max min amax amin ptp all any".split():
    for label, options in AXES.items():
        case(f"{name}_{label}", numpy(name, **options), x=distinct(2, 3, 4))
for name in "sum prod mean max min amax amin ptp all any count_nonzero".split():
    for dtype in ("int32", "int64", "int8", "uint8"):
        if name == "mean":
            continue
        case(f"{name}_{dtype}", numpy(name, axis=0), x=integers(3, 2, low=0, high=3, dtype=dtype))
for name in "sum prod max min amax amin all any count_nonzero".split():
    case(f"{name}_bool", numpy(name), x=booleans(3, 2))
for name in "mean std var average nanmean".split():
    case(
        f"{name}_of_integers",
        numpy(name),
        x=integers(5),
        reference=with_numpy_methods(numpy(name)),
    )
for name in "sum prod mean var".split():
    case(f"{name}_dtype", numpy(name, dtype="float64"), x=normal(3, 2))
case("sum_as_bool", numpy("sum", dtype=bool), wrt="", x=array([0.0, 2.0]))
case("sum_of_list", lambda tf: tf.experimental.numpy.sum([[1, 2], [3, 4]], axis=0))
case("count_nonzero", numpy("count_nonzero"), wrt="", x=array([0.0, 1.0, -2.0, 0.0]))
case("count_nonzero_axis", numpy("count_nonzero", 1), x=integers(3, 4, high=2))
case("var_ddof", numpy("var", ddof=1, dtype="float32"), x=normal(5))
case("var_ddof_axis", numpy("var", axis=0, ddof=1, dtype="float32"), x=normal(4, 2))
case("average", numpy("average"), x=normal(2, 3))
case("average_axis", numpy("average", 0), x=normal(2, 3))
case(
    "average_weights",
    lambda tf, x, w: tf.experimental.numpy.average(x, weights=w),
    x=normal(2, 3),
    w=positive(2, 3),
)
case(
    "average_weights_axis",
    lambda tf, x, w: tf.experimental.numpy.average(x, 1, w),
    x=normal(2, 3),
    w=positive(3),
)
case(
    "average_returned",
    lambda tf, x, w: tf.experimental.numpy.average(x, 1, w, True),
    x=normal(2, 3),
    w=positive(2, 3),
)
case("average_unweighted_returned", numpy("average", 0, returned=True), x=normal(2, 3))
WITH_NAN = array([[1.0, math.nan, 3.0], [2.0, 0.5, math.nan]])
for name in "nansum nanprod nanmean".split():
    case(name, numpy(name), x=WITH_NAN)
    case(f"{name}_axis", numpy(name, axis=1, keepdims=True), x=WITH_NAN)
    case(f"{name}_without", numpy(name, axis=0), x=normal(2, 3))

# --- products

for name in "dot inner matmul".split():
    case(f"{name}_vectors", numpy(name), x=normal(3), y=normal(3))
    case(f"{name}_matrices", numpy(name), x=normal(3, 3), y=normal(3, 3))
    case(f"{name}_matrix_vector", numpy(name), x=normal(2, 3), y=normal(3))
case("dot_vector_matrix", numpy("dot"), x=normal(3), y=normal(3, 2))
case("dot_stacks", numpy("dot"), x=normal(2, 3), y=normal(2, 3, 2))
case("dot_numbers", numpy("dot"), x=normal(), y=normal(2))
case("inner_stacks", numpy("inner"), x=normal(2, 3), y=normal(4, 3))
case("matmul_vector_matrix", numpy("matmul"), x=normal(3), y=normal(3, 2))
case("matmul_stacks", numpy("matmul"), x=normal(2, 2, 3), y=normal(3, 2))
case("matmul_promotes", numpy("matmul"), wrt="x", x=normal(2, 2), y=integers(2, 2))
case("vdot", numpy("vdot"), x=normal(2, 3), y=normal(2, 3))
case(
    "vdot_complex",
    numpy("vdot"),
    wrt="",
    x=normal(3, dtype="complex64"),
    y=normal(3, dtype="complex64"),
)
case("outer", numpy("outer"), x=normal(2, 2), y=normal(3))
case("kron", numpy("kron"), x=normal(2, 2), y=normal(2, 3))
case("kron_ranks", numpy("kron"), x=normal(2), y=normal(2, 3))
case("tensordot", numpy("tensordot"), x=normal(2, 3, 2), y=normal(3, 2, 4))
case("tensordot_axes", numpy("tensordot", [[0], [1]]), x=normal(2, 3), y=normal(4, 2))
case("cross", numpy("cross"), x=normal(2, 3), y=normal(3))
case("cross_plane", numpy("cross"), x=normal(2, 2), y=normal(2, 2))
case("cross_mixed", numpy("cross"), x=normal(2), y=normal(3))
case("cross_axis", numpy("cross", axis=0), x=normal(3, 2), y=normal(3, 2))
case(
    "einsum",
    lambda tf, x, y: tf.experimental.numpy.einsum("ij,jk->ik", x, y),
    x=normal(2, 3),
    y=normal(3, 2),
)
case(
    "einsum_promotes",
    lambda tf, x, y: tf.experimental.numpy.einsum("i,i->", x, y),
    x=normal(3),
    y=integers(3),
)
case(
    "einsum_optimal",
    lambda tf, x, y, z: tf.experimental.numpy.einsum("ij,jk,k", x, y, z, optimize="optimal"),
    x=normal(2, 3),
    y=normal(3, 2),
    z=normal(2),
)
