"""Sums of products over named axes: einsum and tensordot.

There is one primitive, the product of two tensors in which no axis belongs to one of them alone
unless it stays in the result. Its derivatives are products of the same kind. All other equations
are reduced to that form with reductions, diagonals and transpositions.
"""

from __future__ import annotations

import functools
import math
import re
import string
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, static_value, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.size import Size, is_open
from gradtape.core.tensor import Spec
from gradtape.ops.families import NUMBERS, check_dtype
from gradtape.ops.linalg import matmul_p
from gradtape.ops.reduce import normalize_axis

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import Params, Tensors

__all__ = ["einsum", "tensordot"]

# Labels of the axes that an ellipsis stands for, and of axes that vmap adds.
_SPARE = "".join(map(chr, range(0x100, 0x500)))


# --- the primitive -------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def _parts(equation: str) -> tuple[str, str, str]:
    left, result = equation.split("->")
    a, b = left.split(",")
    return a, b, result


@functools.lru_cache(maxsize=4096)
def _transposed(equation: str, which: int) -> dict[Any, Any]:
    """Return the parameters of the product that maps a cotangent to that of operand 0 or 1."""
    a, b, result = _parts(equation)
    return {"equation": f"{result},{b}->{a}" if which == 0 else f"{a},{result}->{b}"}


def _einsum_shape(x: Spec, y: Spec, equation: str) -> Spec:
    a, b, result = _parts(equation)
    sizes = dict(zip(a + b, (*x.shape, *y.shape), strict=True))
    return Spec(tuple(sizes[n] for n in result), x.dtype)


def _batch_einsum(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    a, b, result = _parts(params["equation"])
    new = next(n for n in _SPARE if n not in params["equation"])
    a, b = new * batched[0] + a, new * batched[1] + b
    return bind(prim, inputs, {"equation": f"{a},{b}->{new}{result}"})


def _einsum_flops(inputs: Any, outputs: Any, params: Mapping[str, Any]) -> float:
    labels = params["equation"].partition("->")[0].replace(",", "")
    sizes = [n for spec in inputs for n in spec.shape]
    return 2.0 * math.prod(dict(zip(labels, sizes, strict=True)).values())


einsum_p = primitive(
    "einsum",
    "x y",
    shape=_einsum_shape,
    flops=_einsum_flops,
    vjp={
        "x": lambda g, y, equation: bind(einsum_p, (g, ops.conj(y)), _transposed(equation, 0)),
        "y": lambda g, x, equation: bind(einsum_p, (ops.conj(x), g), _transposed(equation, 1)),
    },
    jvp="multilinear",
    batch=_batch_einsum,
)


# --- equations -----------------------------------------------------------------------------------


def _split(equation: str) -> tuple[list[str], str]:
    """Return the labels of each operand and of the result, as written (ellipses as "...")."""
    if not isinstance(equation, str):
        raise TypeError(f"einsum: the equation must be a string, not {type(equation).__name__}.")
    text = equation.replace(" ", "")
    label = r"[A-Za-z]|\.\.\."
    match = re.fullmatch(rf"((?:{label}|,)*)(?:->((?:{label})*))?", text)
    if match is None or any(part.count("...") > 1 for part in re.split(",|->", text)):
        raise ValueError(
            f"Subscripts have incorrect format: {equation}. Write letters for the axes of each "
            "operand, with commas between operands, and those of the result after '->'."
        )
    operands = match[1].split(",")
    if match[2] is None:
        letters = match[1].replace(",", "").replace("...", "")
        result = "".join(sorted(n for n in set(letters) if letters.count(n) == 1))
        if "..." in match[1]:
            result = "..." + result
    else:
        result = match[2]
    for n in result.replace("...", ""):
        if result.count(n) > 1:
            raise ValueError(f"Output subscripts contain a label appearing more than once: {text}")
        if n not in match[1]:
            raise ValueError(
                f"Output subscripts contain the label {n} not present in the input subscripts: "
                f"{text}"
            )
    return operands, result


def _is_spread(size: Any, whole: Any) -> bool:
    """Return whether an axis of this size is repeated to another; open sizes are no 1."""
    if type(size) is int:
        return size == 1 and (type(whole) is Size or whole != 1)
    return size != whole


@functools.lru_cache(maxsize=1024)
def _named_axes(
    equation: str, shapes: tuple[Any, ...]
) -> tuple[tuple[str, ...], str, dict[str, int]]:
    """Return labels of all axes of the operands and of the result, and their sizes.

    Axes of an ellipsis get spare labels, counted from the last; where one of several operands has
    size 1 there, its label is " ": the axis is removed, and the product broadcasts along it.
    """
    written, result = _split(equation)
    if len(written) != len(shapes):
        raise ValueError(
            f'Got {len(shapes)} inputs for equation "{equation}", expecting {len(written)}'
        )
    sizes: dict[str, int] = {}
    named, broadcast = [], ""
    for i, (labels, shape) in enumerate(zip(written, shapes, strict=True)):
        extra = len(shape) - len(labels.replace("...", ""))
        if extra < 0 or (extra and "..." not in labels):
            least = " at least" if "..." in labels else ""
            raise ShapeError(
                f"Einsum: Expected input {i} to have rank{least} {len(shape) - extra} but got: "
                f"{len(shape)} (equation {equation}, shape {list(shape)}). [Op:Einsum]"
            )
        dots = "".join(reversed(_SPARE[:extra]))
        broadcast = max(broadcast, dots, key=len)
        labels = labels.replace("...", dots)
        for axis, (n, size) in enumerate(zip(labels, shape, strict=True)):
            known = sizes.setdefault(n, size)
            if n in dots and type(known) is int and known == 1:
                sizes[n] = size
            elif n in dots and type(size) is int and size == 1:
                continue
            elif known != size and n in dots and known == 1:
                sizes[n] = size
            elif known != size and not (n in dots and size == 1):
                raise ShapeError(
                    f"Einsum: Expected dimension {known} at axis {axis} of the input shaped "
                    f"{list(shape)} but got dimension {size} (label {n!r} of equation {equation}). "
                    "[Op:Einsum]"
                )
        named.append(labels)
    if broadcast and "..." not in result:
        raise ShapeError(
            f"Einsum: Output contains {len(broadcast)} broadcasting dimension(s) but no ellipsis "
            f"(...) was found in the output subscripts: {equation}. [Op:Einsum]"
        )
    labels = tuple(
        "".join(
            " " if n in broadcast and _is_spread(size, sizes[n]) else n
            for n, size in zip(names, shape, strict=True)
        )
        for names, shape in zip(named, shapes, strict=True)
    )
    return labels, result.replace("...", broadcast), sizes


def _axes_of(equation: str, shapes: tuple[Any, ...]) -> tuple[Any, ...]:
    return (_named_axes.__wrapped__ if is_open(shapes) else _named_axes)(equation, shapes)


@functools.lru_cache(maxsize=1024)
def _direct(equation: str, shapes: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Return the primitive and its parameters if two operands need no preparation, else None."""
    labels, result, _ = _axes_of(equation, shapes)
    if len(labels) != 2:
        return None
    a, b = labels
    for names, others in ((a, b), (b, a)):
        if " " in names or len(set(names)) < len(names):
            return None
        if any(n not in others and n not in result for n in names):
            return None
    return _as_matmul(a, b, result) or (einsum_p, {"equation": f"{a},{b}->{result}"})


def _as_matmul(a: str, b: str, result: str) -> tuple[Any, ...] | None:
    """Return matmul and its parameters if the product is one of (stacks of) matrices, else None."""
    if min(len(a), len(b), len(result)) < 2:
        return None
    stack, (m, n) = result[:-2], result[-2:]
    if b[:-2] not in ("", stack):
        return None
    for k in a[-2:]:
        if a in (stack + m + k, stack + k + m) and b[-2:] in (k + n, n + k) and k not in result:
            return matmul_p, {"transpose_a": a[-2] == k, "transpose_b": b[-1] == k}
    return None


# --- einsum --------------------------------------------------------------------------------------


def einsum(equation: str, *inputs: Tensor) -> Tensor:
    """Compute the sum of products that an equation such as "ij,jk->ik" describes."""
    if len(inputs) == 2:
        xs = operands("Einsum", *inputs)
    else:
        first = [to_tensor(x) for x in inputs[:1]]
        xs = (*first, *(operands("Einsum", first[0], x)[1] for x in inputs[1:]))
    shapes = tuple([x._data.shape for x in xs])
    # A cache would compare open sizes, and keep them.
    is_cached = not is_open(shapes)
    direct = (_direct if is_cached else _direct.__wrapped__)(equation, shapes)
    check_dtype("Einsum", NUMBERS, xs[0])
    if direct is not None:
        prim, params = direct
        return bind(prim, xs, params)
    labels, result, sizes = _axes_of(equation, shapes)
    terms = [_distinct(x, names) for x, names in zip(xs, labels, strict=True)]
    while len(terms) > 1:
        i, j = (
            (0, 1) if len(terms) == 2 else _cheapest([names for _, names in terms], result, sizes)
        )
        second, first = terms.pop(j), terms.pop(i)
        kept = set(result).union(*(names for _, names in terms))
        terms.append(_product(first, second, kept, None if terms else result))
    operand, names = terms[0]
    return _rearranged(operand, names, result)


def _distinct(x: Tensor, labels: str) -> tuple[Any, ...]:
    """Remove axes of size 1 that broadcast, and take the diagonal of axes with one label."""
    if " " in labels:
        shape = [n for n, label in zip(x._data.shape, labels, strict=True) if label != " "]
        x, labels = ops.reshape(x, shape), labels.replace(" ", "")
    while len(set(labels)) < len(labels):
        label = next(n for n in labels if labels.count(n) > 1)
        i, j = labels.index(label), labels.rindex(label)
        rest = [k for k in range(len(labels)) if k not in (i, j)]
        x = ops.matrix_diag_part(ops.transpose(x, [*rest, i, j]))
        labels = "".join(labels[k] for k in rest) + label
    return x, labels


def _cheapest(labels: list[str], result: str, sizes: dict[str, int]) -> tuple[int, int]:
    """Return the pair of operands with the smallest product; of equal ones, the cheapest."""

    def cost(pair: tuple[int, ...]) -> tuple[int, ...]:
        i, j = pair
        both = set(labels[i]) | set(labels[j])
        others = set(result).union(*(n for k, n in enumerate(labels) if k not in pair))
        return (
            math.prod(sizes[n] for n in both & others),
            math.prod(sizes[n] for n in both),
        )

    pairs = [(i, j) for j in range(len(labels)) for i in range(j)]
    return min(pairs, key=cost)


def _product(
    first: tuple[Any, ...], second: tuple[Any, ...], kept: set[str], result: str | None
) -> tuple[Any, ...]:
    """Multiply two terms and sum over the labels that are not kept."""
    (x, a), (y, b) = first, second
    x, a = _summed(x, a, kept | set(b))
    y, b = _summed(y, b, kept | set(a))
    if result is None:
        result = "".join(dict.fromkeys(n for n in a + b if n in kept))
    return bind(einsum_p, (x, y), {"equation": f"{a},{b}->{result}"}), result


def _summed(x: Tensor, labels: str, kept: Any) -> tuple[Any, ...]:
    """Sum x over the axes whose labels are not kept."""
    axes = [i for i, n in enumerate(labels) if n not in kept]
    if axes:
        x, labels = ops.reduce_sum(x, axes), "".join(n for n in labels if n in kept)
    return x, labels


def _rearranged(x: Tensor, labels: str, result: str) -> Tensor:
    x, labels = _summed(x, labels, result)
    return x if labels == result else ops.transpose(x, [labels.index(n) for n in result])


# --- tensordot -----------------------------------------------------------------------------------


def tensordot(x: Tensor, y: Tensor, axes: float | list[Any]) -> Tensor:
    """Contract some axes of x with as many of y; the free axes of x come first."""
    x, y = operands("MatMul", x, y)
    check_dtype("MatMul", NUMBERS, x)
    axes_x, axes_y = _contracted(axes, x._data.shape, y._data.shape)
    letters = string.ascii_letters + _SPARE
    a = letters[: len(x._data.shape)]
    b = list(letters[len(a) : len(a) + len(y._data.shape)])
    for i, j in zip(axes_x, axes_y, strict=True):
        b[j] = a[i]
    shared = {a[i] for i in axes_x}
    result = "".join(n for n in (*a, *b) if n not in shared)
    return bind(einsum_p, (x, y), {"equation": f"{a},{''.join(b)}->{result}"})


def _contracted(axes: Any, x: tuple[Any, ...], y: tuple[Any, ...]) -> tuple[list[int], list[int]]:
    """Return the axes to contract, checked, as non-negative ints."""
    axes = static_value(axes)
    if hasattr(axes, "tolist"):
        axes = axes.tolist()
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"tensordot: `axes` must be at least 0. Received: {axes}.")
        if axes > min(len(x), len(y)):
            raise ValueError(
                f"tensordot: `axes` must not be larger than the number of dimensions of the "
                f"tensors. Received {axes}, vs tensors of shapes {list(x)} and {list(y)}."
            )
        pairs = [list(range(len(x) - axes, len(x))), list(range(axes))]
    elif isinstance(axes, (list, tuple)):
        if len(axes) != 2:
            raise ValueError(
                f"tensordot: `axes` must be an integer or have length 2. Received {axes}."
            )
        pairs = [[part] if isinstance(part, int) else [*part] for part in axes]
    else:
        raise TypeError(f"tensordot: `axes` must be an integer or two lists, got {axes!r}.")
    if len(pairs[0]) != len(pairs[1]):
        raise ValueError(
            f"tensordot: Different number of contraction axes `a` and `b`, {len(pairs[0])} != "
            f"{len(pairs[1])}."
        )
    axes_x = [normalize_axis("tensordot", i, len(x)) for i in pairs[0]]
    axes_y = [normalize_axis("tensordot", i, len(y)) for i in pairs[1]]
    for given in (axes_x, axes_y):
        if len(set(given)) < len(given):
            raise ShapeError(f"tensordot: `axes` {axes} names an axis twice. [Op:MatMul]")
    for i, j in zip(axes_x, axes_y, strict=True):
        if x[i] != y[j]:
            raise ShapeError(
                f"tensordot: Matrix size-incompatible: axis {i} of a tensor of shape {list(x)} and "
                f"axis {j} of a tensor of shape {list(y)} have different sizes. [Op:MatMul]"
            )
    return axes_x, axes_y
