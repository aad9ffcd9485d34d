"""Matrix products, einsum and tensordot."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import Input, array, integers, normal

case = CaseList()

FLAGS = {
    "plain": ((2, 3), (3, 4), {}),
    "transpose_a": ((3, 2), (3, 4), {"transpose_a": True}),
    "transpose_b": ((2, 3), (4, 3), {"transpose_b": True}),
    "transpose_both": ((3, 2), (4, 3), {"transpose_a": True, "transpose_b": True}),
    "batched": ((2, 2, 3), (2, 3, 2), {}),
    "batched_transpose_b": ((2, 2, 3), (2, 4, 3), {"transpose_b": True}),
    "batched_transpose_a": ((2, 3, 2), (2, 3, 2), {"transpose_a": True}),
    "broadcast_b": ((2, 2, 3), (3, 2), {}),
    "broadcast_a": ((2, 3), (4, 3, 1), {}),
    "broadcast_both": ((2, 1, 2, 3), (3, 3, 2), {}),
    "adjoint_a": ((3, 2), (3, 2), {"adjoint_a": True}),
    "adjoint_b": ((2, 3), (2, 3), {"adjoint_b": True}),
    "outer": ((3, 1), (1, 4), {}),
    "inner": ((1, 3), (3, 1), {}),
}
for label, (left, right, options) in FLAGS.items():
    case(f"matmul_{label}", call("matmul", **options), a=normal(*left), b=normal(*right))
    case(
        f"matmul_{label}_float64",
        call("linalg.matmul", **options),
        a=normal(*left, dtype="float64"),
        b=normal(*right, dtype="float64"),
    )
    if "batched" not in label:
        case(
            f"matmul_{label}_complex64",
            call("matmul", **options),
            a=normal(*left, dtype="complex64"),
            b=normal(*right, dtype="complex64"),
        )
for dtype in ("float16", "bfloat16"):
    case(
        f"matmul_{dtype}", call("matmul"), a=normal(2, 3, dtype=dtype), b=normal(3, 2, dtype=dtype)
    )
for dtype in ("int32", "int64"):
    case(
        f"matmul_{dtype}",
        call("matmul"),
        a=integers(2, 3, dtype=dtype),
        b=integers(3, 2, dtype=dtype),
    )
case(
    "matmul_int8_to_int32",
    lambda tf, a, b: tf.matmul(a, b, output_type=tf.int32),
    a=integers(2, 3, dtype="int8", low=-50, high=50),
    b=integers(3, 2, dtype="int8", low=-50, high=50),
)
case("matmul_with_list", lambda tf, a: tf.matmul(a, [[1.0], [2.0], [3.0]]), a=normal(2, 3))
case(
    "matmul_chain",
    lambda tf, a, b, c: tf.matmul(tf.matmul(a, b), c),
    a=normal(2, 3),
    b=normal(3, 2),
    c=normal(2, 2),
)
case("matmul_shared", lambda tf, a: tf.matmul(a, a, transpose_b=True), a=normal(2, 3))

case("matvec", call("linalg.matvec"), a=normal(2, 3), b=normal(3))
case("matvec_transpose", call("linalg.matvec", transpose_a=True), a=normal(3, 2), b=normal(3))
case(
    "matvec_adjoint",
    call("linalg.matvec", adjoint_a=True),
    a=normal(3, 2, dtype="complex64"),
    b=normal(3, dtype="complex64"),
)
case("matvec_batched", call("linalg.matvec"), a=normal(2, 2, 3), b=normal(2, 3))
case("matvec_broadcast", call("linalg.matvec"), a=normal(2, 3), b=normal(4, 3))
case("cross", call("linalg.cross"), a=normal(2, 3), b=normal(2, 3))
case(
    "cross_vector", call("linalg.cross"), a=normal(3, dtype="float64"), b=normal(3, dtype="float64")
)

AXES = {
    "one": ((2, 3), (3, 4), 1),
    "two": ((2, 3, 4), (3, 4, 2), 2),
    "zero": ((2,), (3,), 0),
    "pairs": ((2, 3, 4), (4, 5, 2), [[0, 2], [2, 0]]),
    "single_pair": ((2, 3), (4, 2), [[0], [1]]),
    "integers": ((2, 3), (4, 3), [1, 1]),
    "dot": ((3,), (3,), 1),
    "negative": ((2, 3), (4, 3), [[-1], [-1]]),
}
for label, (left, right, axes) in AXES.items():
    case(f"tensordot_{label}", call("tensordot", axes=axes), a=normal(*left), b=normal(*right))
case(
    "tensordot_float64",
    call("linalg.tensordot", axes=1),
    a=normal(2, 3, dtype="float64"),
    b=normal(3, 2, dtype="float64"),
)
case("tensordot_int32", call("tensordot", axes=1), a=integers(2, 3), b=integers(3, 2))
case(
    "tensordot_tensor_axes",
    lambda tf, a, b, x: tf.tensordot(a, b, x),
    a=normal(2, 3),
    b=normal(3, 2),
    x=array([[1], [0]], "int32"),
)

EQUATIONS = {
    "ij,jk->ik": ((2, 3), (3, 4)),
    "ij,jk": ((2, 3), (3, 4)),
    "ij,kj->ik": ((2, 3), (4, 3)),
    "ij,ij->": ((2, 3), (2, 3)),
    "i,i->": ((3,), (3,)),
    "i,j->ij": ((2,), (3,)),
    "i,j": ((2,), (3,)),
    "ij,j->i": ((2, 3), (3,)),
    "ij,j->ij": ((2, 3), (3,)),
    "ij,i->ji": ((2, 3), (2,)),
    "bij,bjk->bik": ((2, 2, 3), (2, 3, 2)),
    "bij,bkj->bik": ((2, 2, 3), (2, 4, 3)),
    "bij,jk->bik": ((2, 2, 3), (3, 2)),
    "bhid,bhjd->bhij": ((1, 2, 3, 2), (1, 2, 2, 2)),
    "bhij,bhjd->bihd": ((1, 2, 3, 2), (1, 2, 2, 2)),
    "ijk,ilk->jl": ((2, 2, 3), (2, 3, 3)),
    "ijk,jil->kl": ((2, 3, 2), (3, 2, 4)),
    "abcd,dcba->": ((1, 2, 2, 1), (1, 2, 2, 1)),
    "ij->ji": ((2, 3),),
    "ij->": ((2, 3),),
    "ij->i": ((2, 3),),
    "ij->j": ((2, 3),),
    "ijk->kij": ((2, 3, 2),),
    "ba": ((2, 3),),
    "ij": ((2, 3),),
    "ii->": ((3, 3),),
    "ii->i": ((3, 3),),
    "ii": ((3, 3),),
    "iij->j": ((3, 3, 2),),
    "iji->ij": ((2, 3, 2),),
    "i->": ((4,),),
    "...ij,...jk->...ik": ((2, 2, 3), (2, 3, 2)),
    "...ij,jk->...ik": ((2, 1, 2, 3), (3, 2)),
    "ij,...jk->...ik": ((2, 3), (2, 3, 2)),
    "...i,...i->...": ((2, 3), (2, 3)),
    "i...,i...->...": ((3, 2), (3, 2)),
    "...->...": ((2, 3),),
    "...i->i...": ((2, 2, 3),),
    "b...,b->...": ((2, 3), (2,)),
    ",ij->ij": ((), (2, 3)),
    "ij,jk,kl->il": ((2, 3), (3, 2), (2, 4)),
    "i,j,k->ijk": ((2,), (3,), (2,)),
    "bi,bij,bj->b": ((2, 3), (2, 3, 3), (2, 3)),
    "ij,ij,ij->i": ((2, 3), (2, 3), (2, 3)),
    "i,ij,jk,k->": ((2,), (2, 3), (3, 2), (2,)),
    "ab,bc,cd,de->ae": ((1, 2), (2, 3), (3, 2), (2, 1)),
    "a b, b c -> a c": ((2, 3), (3, 2)),
    "iI,Ij->ij": ((2, 3), (3, 2)),
}
for equation, shapes in EQUATIONS.items():
    given: dict[str, Input] = {
        name: normal(*shape) for name, shape in zip("abcd", shapes, strict=False)
    }
    case(f"einsum {equation}", lambda tf, e=equation, **t: tf.einsum(e, *t.values()), **given)
for equation in ("ij,jk->ik", "bij,bjk->bik", "ii->i", "i,j->ij", "ij,jk,kl->il"):
    for dtype in ("float64", "complex128"):
        given = {
            name: normal(*shape, dtype=dtype)
            for name, shape in zip("abcd", EQUATIONS[equation], strict=False)
        }
        case(
            f"einsum {equation} {dtype}",
            lambda tf, e=equation, **t: tf.linalg.einsum(e, *t.values()),
            **given,
        )
case(
    "einsum int32",
    lambda tf, a, b: tf.einsum("ij,jk->ik", a, b),
    a=integers(2, 3),
    b=integers(3, 2),
)
case("einsum same operand", lambda tf, a: tf.einsum("ij,kj->ik", a, a), a=normal(2, 3))
case(
    "einsum optimize",
    lambda tf, a, b, c: tf.einsum("ij,jk,kl->il", a, b, c, optimize="optimal"),
    a=normal(2, 3),
    b=normal(3, 2),
    c=normal(2, 2),
)
case(
    "einsum broadcast ones",
    lambda tf, a, b: tf.einsum("...ij,...jk->...ik", a, b),
    a=normal(2, 1, 2, 3),
    b=normal(1, 3, 3, 2),
)
