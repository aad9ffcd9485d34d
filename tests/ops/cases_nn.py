"""Convolution, pooling, softmax and the cross-entropies."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.engine.functional import jvp, vjp
from tests.ops.harness import Case, random

SAME = ((1, 1), (1, 1))
NONE = ((0, 0), (0, 0))


def _conv(strides=(1, 1), padding=NONE, dilations=(1, 1), groups=1):
    return lambda x, w: ops.conv(x, w, strides, padding, dilations, groups)


def _pool(x):
    return ops.max_pool(x, (2, 2), (2, 2), NONE, (1, 1))


def _sums(x):
    return ops.window_sum(x, (3, 2), (2, 1), SAME, (1, 1))


def _losses(x):
    return ops.sparse_softmax_cross_entropy(np.array([1, 0, 3]), x)


def _normalize(x, scale, offset):
    return ops.layer_normalize(x, scale, offset, 0.1)


def _moments(axes, keepdims=False):
    return lambda x: ops.moments(x, axes, keepdims)


def _rescale_grad(x, mean, factor, scale, g):
    return vjp(ops.rescale, x, mean, factor, scale, ops.zeros_like(scale))[1](g)


def _gelu_tanh(x):
    return ops.gelu(x, approximate=True)


def _pulled(function):
    """The reverse rule of a function, as a function: the primitives that only rules bind."""
    return lambda x, g: vjp(function, x)[1](g)[0]


X = random(2, 5, 6, 4)
PROBABILITIES = np.full((3, 4), 0.25)

CASES = [
    Case("conv", _conv(), [X, random(3, 2, 4, 3)]),
    Case("conv same", _conv(padding=SAME), [X, random(3, 3, 4, 2)]),
    Case("conv strided", _conv((2, 1), ((0, 1), (1, 1))), [X, random(3, 3, 4, 2)]),
    Case("conv dilated", _conv(dilations=(2, 2), padding=SAME), [X, random(2, 2, 4, 2)]),
    Case("conv grouped", _conv(groups=2, padding=SAME), [X, random(3, 3, 2, 6)]),
    Case("conv depthwise", _conv(groups=4, padding=SAME), [X, random(3, 3, 1, 8)]),
    Case("conv depthwise strided", _conv((2, 2), groups=4), [X, random(2, 2, 1, 4)]),
    Case("conv pointwise", _conv(), [X, random(1, 1, 4, 3)]),
    Case("conv pointwise strided", _conv((2, 2)), [X, random(1, 1, 4, 3)]),
    Case(
        "conv 1d",
        lambda x, w: ops.conv(x, w, (2,), ((1, 1),), (1,)),
        [random(2, 7, 3), random(3, 3, 2)],
    ),
    Case(
        "conv 3d",
        lambda x, w: ops.conv(x, w, (1, 1, 2), ((0, 1),) * 3, (1, 1, 1)),
        [random(1, 3, 4, 4, 2), random(2, 2, 2, 2, 2)],
    ),
    Case(
        "conv transposed",
        lambda g, w: ops.conv_input(g, w, (2, 6, 7, 3), (2, 2), SAME, (1, 1)),
        [random(2, 3, 4, 2), random(3, 3, 3, 2)],
    ),
    Case(
        "conv filter",
        lambda x, g: ops.conv_filter(x, g, (3, 3, 4, 2), (1, 1), SAME, (1, 1)),
        [X, random(2, 5, 6, 2)],
    ),
    Case("max_pool", lambda x: ops.max_pool(x, (2, 2), (2, 2), NONE, (1, 1)), [X]),
    Case("max_pool padded", lambda x: ops.max_pool(x, (3, 3), (1, 2), SAME, (1, 1)), [X]),
    Case(
        "max_pool_argmax",
        lambda x: ops.max_pool_argmax(
            x, ops.max_pool(x, (2, 2), (2, 2), NONE, (1, 1)), (2, 2), (2, 2), NONE, (1, 1)
        ),
        [X],
        order=0,
    ),
    Case("max_pool_spread", _pulled(_pool), [X, random(2, 2, 3, 4)]),
    Case("max_pool_pick", lambda x, t: jvp(_pool, [x], [t])[1], [X, random(2, 5, 6, 4, seed=1)]),
    Case("window_spread", _pulled(_sums), [X, random(2, 3, 7, 4)]),
    Case("sparse_softmax_cross_entropy_grad", _pulled(_losses), [3 * random(3, 4), random(3)]),
    Case("window_sum", lambda x: ops.window_sum(x, (3, 2), (2, 1), SAME, (1, 1)), [X]),
    Case("window_sum dilated", lambda x: ops.window_sum(x, (2, 2), (1, 1), NONE, (2, 2)), [X]),
    Case("gelu", ops.gelu, [3 * random(3, 4)]),
    Case("gelu_grad", _pulled(ops.gelu), [2 * random(3, 4), random(3, 4, seed=1)]),
    Case("gelu_tanh", _gelu_tanh, [3 * random(3, 4)]),
    Case("gelu_tanh_grad", _pulled(_gelu_tanh), [2 * random(3, 4), random(3, 4, seed=1)]),
    Case("layer_normalize", _normalize, [2 * random(3, 5), random(5, seed=1), random(5, seed=2)]),
    Case(
        "layer_normalize deep",
        _normalize,
        [2 * random(2, 3, 4), random(4, seed=1), random(4, seed=2)],
    ),
    Case(
        "layer_normalize_grad",
        lambda x, s, g: vjp(_normalize, x, s, ops.zeros_like(s))[1](g),
        [2 * random(3, 4), random(4, seed=1), random(3, 4, seed=2)],
    ),
    Case("moments", _moments((1,), True), [2 * random(3, 5)]),
    Case("moments of channels", _moments((0, 1)), [2 * random(2, 3, 4)]),
    Case("moments between", _moments((0, 2)), [2 * random(2, 3, 4)]),
    Case("moments of all", _moments(None), [2 * random(2, 3)]),
    Case(
        "rescale by rows",
        ops.rescale,
        [
            2 * random(3, 5),
            random(3, 1),
            random(3, 1, seed=1),
            random(5, seed=2),
            random(5, seed=3),
        ],
    ),
    Case(
        "rescale by channels",
        ops.rescale,
        [2 * random(2, 3, 4), *(random(4, seed=s) for s in range(4))],
    ),
    Case(
        "rescale by planes",
        ops.rescale,
        [2 * random(2, 3, 4), *(random(3, 1, seed=s) for s in range(4))],
    ),
    Case(
        "rescale without scale",
        lambda x, m, f: ops.rescale(x, m, f, None, m),
        [2 * random(2, 3), random(2, 1), random(2, 1, seed=1)],
    ),
    Case(
        "rescale_grad",
        _rescale_grad,
        [
            2 * random(3, 4),
            random(3, 1),
            random(3, 1, seed=1),
            random(4, seed=2),
            random(3, 4, seed=3),
        ],
    ),
    Case("softmax", ops.softmax, [3 * random(3, 4)]),
    Case("softmax_grad", _pulled(ops.softmax), [3 * random(3, 4), random(3, 4, seed=1)]),
    Case("softmax first axis", lambda x: ops.softmax(x, 0), [3 * random(3, 4)]),
    Case("log_softmax", ops.log_softmax, [3 * random(3, 4)]),
    Case(
        "softmax_cross_entropy",
        lambda x: ops.softmax_cross_entropy(ops.cast(PROBABILITIES, x.dtype), x),
        [3 * random(3, 4)],
    ),
    Case(
        "softmax_cross_entropy of labels",
        lambda p, x: ops.softmax_cross_entropy(ops.softmax(p), x),
        [random(3, 4), 3 * random(3, 4, seed=1)],
    ),
    Case(
        "sparse_softmax_cross_entropy",
        ops.sparse_softmax_cross_entropy,
        [np.array([1, 0, 3]), 3 * random(3, 4)],
    ),
]
