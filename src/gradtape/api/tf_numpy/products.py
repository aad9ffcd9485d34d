"""Products of vectors, matrices and more, by NumPy's names."""

from __future__ import annotations

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.tf_numpy.promotion import asarray, export_made, numpy_name, promote
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def _product(name: str):
    compute = getattr(names, name)

    def function(a, b) -> Tensor:
        return compute(*promote(a, b))

    export_made(name, function, compute.__doc__)


for _name in ("dot", "inner", "outer", "vdot", "kron"):
    _product(_name)


@numpy_name("matmul")
def matmul(x1, x2) -> Tensor:
    """Return the matrix product over the last two axes; vectors are rows on the left, columns
    right."""
    try:
        return names.matmul(*promote(x1, x2))
    except InvalidArgumentError as error:
        raise ValueError(str(error)) from None


@numpy_name("tensordot")
def tensordot(a, b, axes=2) -> Tensor:
    """Return the sum of products over some axes of a and as many of b."""
    a, b = promote(a, b)
    return names.tensordot(a, b, axes)


@numpy_name("cross")
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None) -> Tensor:
    """Return the cross product of vectors in three dimensions; in two, its third component."""
    a, b = promote(a, b)
    return names.cross(a, b, axisa, axisb, axisc, axis)


@numpy_name("einsum")
def einsum(subscripts, *operands, **kwargs) -> Tensor:
    """Return the sum of products that an equation describes."""
    casting = kwargs.get("casting", "safe")
    if casting not in ("safe", "no"):
        raise ValueError(f"einsum: casting must be 'safe' or 'no', got {casting!r}.")
    if kwargs.get("optimize", False) not in (True, False, "greedy", "optimal"):
        raise ValueError(
            "einsum: optimize must be True, False, 'greedy' or 'optimal', got "
            f"{kwargs['optimize']!r}."
        )
    tensors = promote(*operands) if casting == "safe" else [asarray(x) for x in operands]
    return ops.einsum(subscripts, *tensors)
