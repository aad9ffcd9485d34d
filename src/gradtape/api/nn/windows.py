"""Layouts, strides and paddings of convolution and pooling, in all their forms."""

from __future__ import annotations

from gradtape import ops
from gradtape.core.convert import static_ints, static_value

LAYOUTS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def is_channels_first(data_format, rank: int, op: str) -> bool:
    if data_format is None:
        return False
    last, first = LAYOUTS[rank]
    if data_format == last:
        return False
    if data_format == first:
        return True
    raise ValueError(f"{op}: data_format must be {last!r} or {first!r}. Received: {data_format!r}")


def to_last(x):
    return ops.moveaxis(x, 1, -1)


def to_first(x):
    return ops.moveaxis(x, -1, 1)


def per_axis(value, rank: int, channels_first: bool, what: str, op: str) -> tuple[int, ...]:
    """Return strides (or dilations) of the spatial axes, from one number, one for each, or all
    axes."""
    value = static_value(value)
    if value is None:
        return (1,) * rank
    sizes = static_ints(value)
    if not all(1 <= n < 2**31 for n in sizes):
        raise ops.InvalidArgumentError(
            f"{op}: {what} must be positive 32-bit integers. Received: {sizes}"
        )
    if len(sizes) == 1:
        return tuple(sizes * rank)
    if len(sizes) == rank:
        return tuple(sizes)
    if len(sizes) == rank + 2:
        outer = [sizes[0], sizes[1] if channels_first else sizes[-1]]
        if outer != [1, 1]:
            raise ops.InvalidArgumentError(
                f"{op}: {what} in the batch and channel dimensions must be 1. Received: {sizes}"
            )
        return tuple(sizes[2:] if channels_first else sizes[1:-1])
    raise ValueError(
        f"{op}: `{what}` should be of length 1, {rank} or {rank + 2}. Received: {what}={sizes} of "
        f"length {len(sizes)}"
    )


def explicit_pads(
    padding, space, window, strides, dilations, channels_first: bool, op: str
) -> tuple:
    """Return SAME, VALID or explicit padding as a pair of counts for each spatial axis."""
    rank = len(space)
    if isinstance(padding, str):
        kind = padding.upper()
        if kind == "VALID":
            return ((0, 0),) * rank
        if kind == "SAME":
            pairs = []
            for n, k, s, d in zip(space, window, strides, dilations, strict=True):
                total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
                pairs.append((total // 2, total - total // 2))
            return tuple(pairs)
        raise ops.ShapeError(
            f"{op}: padding must be 'VALID', 'SAME' or explicit. Received: {padding!r}"
        )
    pairs = [tuple(static_ints(pair)) for pair in static_value(padding)]
    if len(pairs) == rank + 2:
        pairs = pairs[2:] if channels_first else pairs[1:-1]
    if len(pairs) != rank or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            f"{op}: explicit padding is a list of [before, after] for every axis of the input. "
            f"Received: {padding}"
        )
    if not all(0 <= n < 2**31 for pair in pairs for n in pair):
        raise ops.InvalidArgumentError(
            f"{op}: all elements of explicit padding must be nonnegative 32-bit integers. "
            f"Received: {[list(pair) for pair in pairs]}"
        )
    return tuple(pairs)
