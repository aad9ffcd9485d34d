"""`tf.random.stateless_*`: numbers drawn with a seed of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.random.generator import (
    COUNTS,
    FLOATS,
    INTEGERS,
    WORDS,
    binomial_parameters,
    check_dtype,
    check_normal,
    check_range,
    check_stateless_algorithm,
    integer_bounds,
    samples_of,
    scale_and_shift,
    shape_argument,
)
from gradtape.api.random.parameters import (
    categorical_arguments,
    gamma_arguments,
    permute,
    poisson_rate,
    scaled_gamma,
    uniform_dtype,
)
from gradtape.core import dtypes
from gradtape.core.convert import to_tensor, to_tensor_hinted
from gradtape.core.errors import ShapeError, UnimplementedError
from gradtape.core.tensor import Tensor
from gradtape.ops.families import broadcast_shapes

if TYPE_CHECKING:
    from gradtape.core.typing import DTypeLike, TensorLike


def _stateless_numbers(op: str, kind: str, shape, dtype: np.dtype, seed, alg="auto_select"):
    sizes = shape_argument(op, shape)
    check_stateless_algorithm(alg)
    return ops.random_numbers(ops.seed_state(seed), kind, sizes, dtype)


@export("random.stateless_normal")
def stateless_normal(
    shape,
    seed,
    mean=0.0,
    stddev=1.0,
    dtype: DTypeLike = dtypes.float32,
    name=None,
    alg="auto_select",
) -> Tensor:
    """Return normal numbers that a seed of two integers decides."""
    dtype = check_normal("stateless_normal", mean, stddev, dtype)
    drawn = _stateless_numbers("stateless_normal", "normal", shape, dtype, seed, alg)
    return scale_and_shift(drawn, mean, stddev)


@export("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape,
    seed,
    mean=0.0,
    stddev=1.0,
    dtype: DTypeLike = dtypes.float32,
    name=None,
    alg="auto_select",
) -> Tensor:
    """Return normal numbers within two standard deviations, that a seed of two integers decides."""
    op = "stateless_truncated_normal"
    dtype = check_normal(op, mean, stddev, dtype)
    drawn = _stateless_numbers(op, "truncated_normal", shape, dtype, seed, alg)
    return scale_and_shift(drawn, mean, stddev)


@export("random.stateless_uniform")
def stateless_uniform(
    shape,
    seed,
    minval: TensorLike | None = 0,
    maxval=None,
    dtype: DTypeLike = dtypes.float32,
    name=None,
    alg="auto_select",
) -> Tensor:
    """Return numbers from minval to below maxval, that a seed of two integers decides.

    Integers have all their bits random where both bounds are None.
    """
    op, dtype = "stateless_uniform", uniform_dtype(dtype, (*FLOATS, *WORDS))
    if dtype.is_integer:
        check_range(dtype, minval, maxval)
        if minval is None:
            return _words(op, shape, seed, dtype, alg)
        if dtype not in INTEGERS:
            raise ValueError(
                f"Argument `dtype` got invalid value {dtype!r} when argument `minval` is not None. "
                "Please don't use unsigned integers in this case."
            )
        shape, bounds = shape_argument(op, shape), integer_bounds(op, minval, maxval, dtype)
        check_stateless_algorithm(alg)
        return ops.random_integers(ops.seed_state(seed), *bounds, shape, dtype.dtype)
    low, high = to_tensor(minval, dtype), to_tensor(1 if maxval is None else maxval, dtype)
    drawn = _stateless_numbers(op, "uniform", shape, dtype.dtype, seed, alg)
    return drawn * (high - low) + low


@export("random.stateless_categorical")
def stateless_categorical(
    logits, num_samples, seed, dtype: DTypeLike = dtypes.int64, name=None
) -> Tensor:
    """Return classes drawn with probabilities softmax(logits), as a seed decides."""
    op = "stateless_categorical"
    logits, samples, dtype = categorical_arguments(op, logits, num_samples, dtype)
    return ops.random_categorical(ops.seed_state(seed), logits, samples, dtype)


@export("random.stateless_gamma")
def stateless_gamma(
    shape, seed, alpha, beta=None, dtype: DTypeLike = dtypes.float32, name=None
) -> Tensor:
    """Return gamma numbers that a seed decides; `shape` is the whole shape, ending with alpha's."""
    op, shape = "stateless_gamma", shape_argument("stateless_gamma", shape)
    alpha, beta = gamma_arguments(op, alpha, beta, dtype)
    return scaled_gamma(
        ops.seed_state(seed), alpha, beta, samples_of(op, shape, alpha.shape), shape
    )


@export("random.stateless_poisson")
def stateless_poisson(shape, seed, lam, dtype: DTypeLike = dtypes.int32, name=None) -> Tensor:
    """Return numbers of events at mean rates `lam`, that a seed decides; `shape` ends with
    lam's."""
    op, shape = "stateless_poisson", shape_argument("stateless_poisson", shape)
    rate, dtype = poisson_rate(op, lam, dtypes.float32), check_dtype(op, dtype, COUNTS)
    samples = samples_of(op, shape, rate.shape)
    return ops.reshape(ops.random_poisson(ops.seed_state(seed), rate, samples, dtype), shape)


@export("random.stateless_binomial")
def stateless_binomial(
    shape, seed, counts, probs, output_dtype: DTypeLike = dtypes.int32, name=None
) -> Tensor:
    """Return numbers of successes among `counts` trials, that a seed decides; `shape` is the whole
    one."""
    op, shape = "stateless_binomial", shape_argument("stateless_binomial", shape)
    probs = to_tensor_hinted(probs, dtypes.float32)
    counts = to_tensor_hinted(counts, probs.dtype)
    samples = samples_of(op, shape, binomial_parameters(op, counts, probs))
    dtype = check_dtype(op, output_dtype, COUNTS)
    drawn = ops.random_binomial(ops.seed_state(seed), counts, probs, samples, dtype)
    return ops.reshape(drawn, shape)


@export("random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
    shape, seed, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, name=None
) -> Tensor:
    """Return normal numbers between bounds, that a seed decides; differentiable by all four
    parameters."""
    op = "stateless_parameterized_truncated_normal"
    shape = shape_argument(op, shape)
    parameters = [to_tensor(p) for p in (means, stddevs, minvals, maxvals)]
    check_dtype(op, parameters[0].dtype, (dtypes.float16, dtypes.float32, dtypes.float64))
    for other in parameters[1:]:
        ops.operands(op, parameters[0], other)
    common = broadcast_shapes(op, *[tuple(p.shape) for p in parameters])
    mean, stddev, low, high = [ops.broadcast_to(p, common) for p in parameters]
    samples = samples_of(op, shape, common)
    drawn = ops.random_bounded_normal(ops.seed_state(seed), mean, stddev, low, high, samples)
    return ops.reshape(drawn, shape)


def _words(op: str, shape, seed, dtype, alg):
    """Return integers of all bits."""
    dtype = uniform_dtype(dtype, WORDS)
    return _stateless_numbers(op, "integers", shape, dtype.dtype, seed, alg)


@export("random.split", "random.experimental.stateless_split")
def split(seed, num=2, alg="auto_select") -> Tensor:
    """Return `num` new seeds from one, as the rows of a tensor [num, 2]."""
    seed = to_tensor(seed)
    return _words("split", [num, 2], seed, seed.dtype, alg)


@export("random.fold_in", "random.experimental.stateless_fold_in")
def fold_in(seed, data, alg="auto_select") -> Tensor:
    """Return a new seed from one and an integer (a step number, say)."""
    data = to_tensor(data)
    return ops.stack([_words("fold_in", [], seed, data.dtype, alg), data])


@export("random.experimental.stateless_shuffle")
def stateless_shuffle(value, seed, alg="auto_select", name=None) -> Tensor:
    """Return the rows of a tensor in an order that a seed decides."""
    x = to_tensor(value)
    check_stateless_algorithm(alg)
    state = ops.seed_state(seed)
    return permute(x, state) if x.ndim and x.shape[0] > 1 else ops.identity(x)


@export("random_index_shuffle")
def random_index_shuffle(index, seed, max_index, rounds=4, name=None) -> Tensor:
    """Return where a permutation of 0 … max_index, given by a seed of three integers, sends an
    index.

    The permutation is never made as a whole. A seed may be given for each index.
    """
    op, index = "RandomIndexShuffle", to_tensor(index)
    check_dtype(op, index.dtype, WORDS)
    seed, max_index = to_tensor(seed), ops.operands(op, index, max_index)[1]
    check_dtype(op, seed.dtype, WORDS)
    if rounds != 4:
        raise UnimplementedError(f"{op}: only rounds=4 is available here, got {rounds}. [Op:{op}]")
    if index.ndim > 1 or max_index.ndim > 1:
        raise ShapeError(
            f"{op}: index and max_index must be scalars or vectors, got shapes {index.shape} and "
            f"{max_index.shape}. [Op:{op}]"
        )
    if seed.ndim not in (1, 2) or seed.shape[-1] != 3:
        raise ShapeError(
            f"{op}: Seed must be a vector of size [3] or a matrix with a row of 3 for each index, "
            f"but got {list(seed.shape)}. [Op:{op}]"
        )
    return ops.index_shuffle(index, seed, max_index)


@export("random.experimental.index_shuffle")
def index_shuffle(index, seed, max_index) -> Tensor:
    """Return where a permutation of 0 … max_index, given by a seed of two integers, sends an
    index."""
    seed = to_tensor(seed)
    if seed.ndim != 1:
        raise ShapeError(f"index_shuffle: seed must have shape [2], not {list(seed.shape)}")
    # TensorFlow makes the third word of the seed a constant.
    third = to_tensor(np.array([498247692], seed.dtype.as_numpy_dtype))
    return random_index_shuffle(index, ops.concat([third, seed], 0), max_index)
