"""Convolution with channels last: the layout that cuDNN's kernels for tensor cores take as it is.

x: [batch, *space, channels], w: [*window, channels / groups, features]. `padding` is a pair for
each spatial axis.
"""

from __future__ import annotations

import jax
from jax import lax

from gradtape.backends.xla.settings import precision


def conv(x, w, strides, padding, dilations, groups):
    space = "".join(chr(ord("a") + i) for i in range(x.ndim - 2))
    return lax.conv_general_dilated(
        x,
        w,
        strides,
        padding,
        rhs_dilation=dilations,
        feature_group_count=groups,
        dimension_numbers=(f"N{space}C", f"{space}IO", f"N{space}C"),
        precision=precision(x.dtype),
    )


def conv_input(g, w, shape, **params):
    """Compute the transpose of `conv` in x."""
    of = jax.ShapeDtypeStruct(shape, g.dtype)
    return jax.linear_transpose(lambda x: conv(x, w, **params), of)(g)[0]


def conv_filter(x, g, shape, **params):
    """Compute the transpose of `conv` in w."""
    of = jax.ShapeDtypeStruct(shape, g.dtype)
    return jax.linear_transpose(lambda w: conv(x, w, **params), of)(g)[0]


KERNELS = {"conv": conv, "conv_input": conv_input, "conv_filter": conv_filter}
