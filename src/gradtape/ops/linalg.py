"""Products and decompositions of (stacks of) matrices."""

from __future__ import annotations

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import NUMBERS, broadcast_shapes, check_dtype


def _matmul_shape(x: Spec, y: Spec, transpose_a, transpose_b) -> Spec:
    a, b = list(x.shape), list(y.shape)
    if min(len(a), len(b)) < 2:
        raise ShapeError(
            f"MatMul: both operands must have rank 2 or more, got shapes {a} and {b}. For a "
            "matrix and a vector use tf.linalg.matvec. [Op:MatMul]"
        )
    if transpose_a:
        a[-2:] = a[:-3:-1]
    if transpose_b:
        b[-2:] = b[:-3:-1]
    if a[-1] != b[-2]:
        raise ShapeError(
            f"MatMul: Matrix size-incompatible: In[0]: {list(x.shape)}, In[1]: {list(y.shape)}"
            f"{' with transpose_a' * transpose_a}{' with transpose_b' * transpose_b}: the inner "
            f"sizes {a[-1]} and {b[-2]} differ. [Op:MatMul]"
        )
    stack = broadcast_shapes("BatchMatMulV2", tuple(a[:-2]), tuple(b[:-2]))
    return Spec((*stack, a[-2], b[-1]), x.dtype)


def _matmul_x(g, x_shape, y, transpose_a, transpose_b):
    y = ops.conj(y)
    if transpose_a:
        gx = matmul(y, g, transpose_b, True)
    else:
        gx = matmul(g, y, False, not transpose_b)
    return ops.sum_to_shape(gx, x_shape)


def _matmul_y(g, x, y_shape, transpose_a, transpose_b):
    x = ops.conj(x)
    if transpose_b:
        gy = matmul(g, x, True, transpose_a)
    else:
        gy = matmul(x, g, not transpose_a, False)
    return ops.sum_to_shape(gy, y_shape)


def _batch_matmul(prim, size, batched, inputs, params):
    x, y = inputs
    rank = max(len(x.shape) - batched[0], len(y.shape) - batched[1])
    aligned = tuple(
        ops.reshape(z, (size, *(1,) * (rank - len(z.shape) + 1), *z.shape[1:])) if b else z
        for z, b in zip(inputs, batched, strict=True)
    )
    return bind(prim, aligned, params)


matmul_p = primitive(
    "matmul", "x y", shape=_matmul_shape,
    vjp={"x": _matmul_x, "y": _matmul_y},
    jvp="multilinear",
    batch=_batch_matmul,
)  # fmt: skip


def matmul(x, y, transpose_a=False, transpose_b=False):
    """The product of matrices, over stacks of them that broadcast."""
    x, y = operands("MatMul", x, y)
    check_dtype("MatMul", NUMBERS, x)
    if x.ndim < 2 or y.ndim < 2:
        _matmul_shape(x._spec(), y._spec(), transpose_a, transpose_b)
    return bind(matmul_p, (x, y), {"transpose_a": transpose_a, "transpose_b": transpose_b})
