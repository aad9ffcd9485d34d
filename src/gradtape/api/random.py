"""`tf.random`: numbers drawn with a global seed (stateful) or with a seed of their own (stateless).

Equal seeds give TensorFlow's numbers. A stateful function draws anew on each call; inside a vmap it
runs once, so that all examples get the same numbers. For numbers of their own, give each example a
seed (`tf.random.split`) and map a stateless function over the seeds.
"""

from __future__ import annotations

import math
import numbers

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.random_generator import (
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
    shape_argument,
    shifted,
)
from gradtape.core import dtypes, seeds
from gradtape.core.convert import is_tensor_like, static_value, to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import DTypeError, ShapeError, UnimplementedError
from gradtape.ops.families import broadcast_shapes

# --- stateful ------------------------------------------------------------------------------------


@export("random.set_seed")
def set_seed(seed) -> None:
    """Set the global seed: from here on, stateful random functions give the same numbers again.

    None makes them irreproducible, as they are at first.
    """
    ops.SEEDS.set_seed(static_value(seed))


def _op_seed(seed):
    value = static_value(seed)
    if value is not None and (np.ndim(value) or isinstance(value, (str, bytes))):
        raise TypeError(f"seed must be an integer or None, got {seed!r}.")
    return value


def _shape_dtype(shape) -> str:
    """The dtype of a shape argument. Calls with other ones draw from sequences of their own."""
    if isinstance(shape, (list, tuple)):
        parts = [part for part in shape if is_tensor_like(part)]
    else:
        parts = [shape]
    return "int64" if any(getattr(p, "dtype", None) == dtypes.int64 for p in parts) else "int32"


def _stateful_numbers(op: str, kind: str, shape, dtype: np.dtype, seed):
    sizes = shape_argument(op, shape)
    sequence = (op, dtype.name, _shape_dtype(shape))
    blocks = seeds.output_blocks(math.prod(sizes))
    state = ops.stateful_state(sequence, _op_seed(seed), blocks)
    return ops.random_numbers(state, kind, sizes, dtype)


@export("random.normal")
def normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Normal numbers; differentiable by mean and stddev."""
    dtype = check_normal("RandomStandardNormal", mean, stddev, dtype)
    drawn = _stateful_numbers("RandomStandardNormal", "normal", shape, dtype, seed)
    return shifted(drawn, mean, stddev)


@export("random.truncated_normal")
def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None):
    """Normal numbers within two standard deviations of their mean."""
    dtype = check_normal("TruncatedNormal", mean, stddev, dtype)
    drawn = _stateful_numbers("TruncatedNormal", "truncated_normal", shape, dtype, seed)
    return shifted(drawn, mean, stddev)


def _uniform_dtype(dtype, allowed):
    dtype = as_dtype(dtype)
    if dtype not in allowed:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype!r}. Accepted dtypes are "
            f"{', '.join(d.name for d in allowed)}."
        )
    return dtype


@export("random.uniform")
def uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None):
    """Numbers from minval to below maxval (1 for floats); floats are differentiable by both."""
    dtype = _uniform_dtype(dtype, (*FLOATS, *INTEGERS))
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    if dtype.is_integer:
        op, sizes = "RandomUniformInt", shape_argument("RandomUniformInt", shape)
        bounds = integer_bounds(op, minval, maxval, dtype)
        sequence = (op, dtype.name, _shape_dtype(shape))
        blocks = seeds.output_blocks(math.prod(sizes))
        state = ops.stateful_state(sequence, _op_seed(seed), blocks)
        return ops.random_integers(state, *bounds, sizes, dtype.dtype)
    # Only the Python integers 0 and 1 leave out a step, and with it a rounding, as TensorFlow.
    from_zero = isinstance(minval, int) and minval == 0
    to_one = isinstance(maxval, int) and maxval == 1
    low, high = to_tensor(minval, dtype), to_tensor(maxval, dtype)
    drawn = _stateful_numbers("RandomUniform", "uniform", shape, dtype.dtype, seed)
    if from_zero:
        return drawn if to_one else drawn * high
    return drawn * (high - low) + low


def _permuted(value, state):
    # Along the second axis, so that the gradient of the rows is a dense tensor.
    rows = ops.random_permutation(state, value.shape[0])
    return ops.gather(ops.expand_dims(value, 0), rows, 1)[0]


@export("random.shuffle")
def shuffle(value, seed=None, name=None):
    """The rows of a tensor in random order."""
    x = to_tensor(value)
    rows = x.shape[0] if x.ndim else 0
    sequence = ("RandomShuffle", x.dtype.name)
    state = ops.stateful_state(sequence, _op_seed(seed), seeds.shuffle_blocks(rows))
    return _permuted(x, state) if rows > 1 else ops.identity(x)


def _categorical_arguments(op: str, logits, num_samples, dtype):
    logits = to_tensor(logits)
    dtype = dtypes.int64 if dtype is None else as_dtype(dtype)
    if dtype not in INTEGERS:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype!r}. Accepted dtypes are int32, int64."
        )
    if not logits.dtype.is_floating:
        raise DTypeError(
            f"{op}: logits must be floating, got a tensor of dtype {logits.dtype.name} and shape "
            f"{logits.shape}. Convert it with tf.cast. [Op:{op}]"
        )
    if logits.ndim != 2:
        raise ShapeError(
            f"{op}: logits should be a matrix, got shape {list(logits.shape)}. [Op:{op}]"
        )
    samples = np.asarray(static_value(num_samples))
    if samples.ndim:
        raise ShapeError(
            f"{op}: num_samples should be a scalar, got shape {list(samples.shape)}. [Op:{op}]"
        )
    if samples < 0:
        raise ShapeError(f"{op}: num_samples should be non-negative, got {samples}. [Op:{op}]")
    if not logits.shape[1]:
        raise ShapeError(f"{op}: num_classes should be positive, got 0. [Op:{op}]")
    return logits, int(samples), dtype.dtype


@export("random.categorical")
def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    """For each row of logits, class numbers drawn with probabilities softmax(logits)."""
    logits, samples, dtype = _categorical_arguments("Multinomial", logits, num_samples, dtype)
    blocks = seeds.categorical_blocks(logits.shape[0], samples)
    sequence = ("Multinomial", logits.dtype.name, dtype.name)
    state = ops.stateful_state(sequence, _op_seed(seed), blocks)
    return ops.random_categorical(state, logits, samples, dtype)


def _gamma_arguments(op: str, alpha, beta, dtype):
    dtype = as_dtype(dtype)
    alpha, beta = to_tensor(alpha, dtype), to_tensor(1 if beta is None else beta, dtype)
    check_dtype(op, dtype, (dtypes.float16, dtypes.float32, dtypes.float64))
    shape = broadcast_shapes(op, tuple(alpha.shape), tuple(beta.shape))
    return ops.broadcast_to(alpha, shape), beta


def _gamma(state, alpha, beta, samples: int, shape: tuple[int, ...]):
    drawn = ops.reshape(ops.random_gamma(state, alpha, samples), shape)
    smallest = float(np.finfo(drawn.dtype.as_numpy_dtype).tiny)
    return ops.maximum(smallest, drawn / beta)


@export("random.gamma")
def gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None):
    """Gamma numbers, [*shape, *alpha]; differentiable by the shape alpha and the rate beta.

    The derivative by alpha is that of the quantile function at a fixed probability.
    """
    shape = shape_argument("RandomGamma", shape)
    alpha, beta = _gamma_arguments("RandomGamma", alpha, beta, dtype)
    samples, whole = math.prod(shape), (*shape, *alpha.shape)
    sequence = ("RandomGamma", alpha.dtype.name)
    state = ops.stateful_state(sequence, _op_seed(seed), seeds.output_blocks(math.prod(whole)))
    return _gamma(state, alpha, beta, samples, whole)


def _poisson_rate(op: str, lam, scalar_dtype):
    # TensorFlow reads a lone Python number in another dtype than a list of them.
    is_number = isinstance(lam, (int, float)) and not isinstance(lam, np.generic)
    rate = to_tensor(lam, scalar_dtype if is_number else None)
    if rate.dtype not in COUNTS:
        raise DTypeError(
            f"{op}: lam must be float16, float32, float64, int32 or int64, got a tensor of dtype "
            f"{rate.dtype.name} and shape {rate.shape}. [Op:{op}]"
        )
    return rate


@export("random.poisson")
def poisson(shape, lam, dtype=dtypes.float32, seed=None, name=None):
    """Numbers of events at mean rates `lam`, [*shape, *lam]."""
    op, shape = "RandomPoissonV2", shape_argument("RandomPoissonV2", shape)
    rate, dtype = _poisson_rate(op, lam, dtypes.float64), check_dtype(op, dtype, COUNTS)
    whole = (*shape, *rate.shape)
    sequence = (op, rate.dtype.name, dtype.name)
    state = ops.stateful_state(sequence, _op_seed(seed), seeds.output_blocks(math.prod(whole)))
    return ops.reshape(ops.random_poisson(state, rate, math.prod(shape), dtype), whole)


# --- stateless -----------------------------------------------------------------------------------


def _stateless_numbers(op: str, kind: str, shape, dtype: np.dtype, seed, alg="auto_select"):
    sizes = shape_argument(op, shape)
    check_stateless_algorithm(alg)
    return ops.random_numbers(ops.seed_state(seed), kind, sizes, dtype)


@export("random.stateless_normal")
def stateless_normal(
    shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None, alg="auto_select"
):
    """Normal numbers that a seed of two integers decides."""
    dtype = check_normal("stateless_normal", mean, stddev, dtype)
    drawn = _stateless_numbers("stateless_normal", "normal", shape, dtype, seed, alg)
    return shifted(drawn, mean, stddev)


@export("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape, seed, mean=0.0, stddev=1.0, dtype=dtypes.float32, name=None, alg="auto_select"
):
    """Normal numbers within two standard deviations, that a seed of two integers decides."""
    op = "stateless_truncated_normal"
    dtype = check_normal(op, mean, stddev, dtype)
    drawn = _stateless_numbers(op, "truncated_normal", shape, dtype, seed, alg)
    return shifted(drawn, mean, stddev)


@export("random.stateless_uniform")
def stateless_uniform(
    shape, seed, minval=0, maxval=None, dtype=dtypes.float32, name=None, alg="auto_select"
):
    """Numbers from minval to below maxval, that a seed of two integers decides.

    Integers have all their bits random where both bounds are None.
    """
    op, dtype = "stateless_uniform", _uniform_dtype(dtype, (*FLOATS, *WORDS))
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
def stateless_categorical(logits, num_samples, seed, dtype=dtypes.int64, name=None):
    """Class numbers drawn with probabilities softmax(logits), that a seed decides."""
    op = "stateless_categorical"
    logits, samples, dtype = _categorical_arguments(op, logits, num_samples, dtype)
    return ops.random_categorical(ops.seed_state(seed), logits, samples, dtype)


@export("random.stateless_gamma")
def stateless_gamma(shape, seed, alpha, beta=None, dtype=dtypes.float32, name=None):
    """Gamma numbers that a seed decides; `shape` is the whole shape, ending with alpha's."""
    op, shape = "stateless_gamma", shape_argument("stateless_gamma", shape)
    alpha, beta = _gamma_arguments(op, alpha, beta, dtype)
    return _gamma(ops.seed_state(seed), alpha, beta, samples_of(op, shape, alpha.shape), shape)


@export("random.stateless_poisson")
def stateless_poisson(shape, seed, lam, dtype=dtypes.int32, name=None):
    """Numbers of events at mean rates `lam`, that a seed decides; `shape` ends with lam's."""
    op, shape = "stateless_poisson", shape_argument("stateless_poisson", shape)
    rate, dtype = _poisson_rate(op, lam, dtypes.float32), check_dtype(op, dtype, COUNTS)
    samples = samples_of(op, shape, rate.shape)
    return ops.reshape(ops.random_poisson(ops.seed_state(seed), rate, samples, dtype), shape)


def _hinted(value, dtype):
    """A tensor as it is; numbers and arrays in `dtype` where that can hold them."""
    if is_tensor_like(value):
        return to_tensor(value)
    try:
        return to_tensor(value, dtype)
    except (TypeError, ValueError):
        return to_tensor(value)


@export("random.stateless_binomial")
def stateless_binomial(shape, seed, counts, probs, output_dtype=dtypes.int32, name=None):
    """Numbers of successes among `counts` trials, that a seed decides; `shape` is the whole one."""
    op, shape = "stateless_binomial", shape_argument("stateless_binomial", shape)
    probs = _hinted(probs, dtypes.float32)
    counts = _hinted(counts, probs.dtype)
    samples = samples_of(op, shape, binomial_parameters(op, counts, probs))
    dtype = check_dtype(op, output_dtype, COUNTS)
    drawn = ops.random_binomial(ops.seed_state(seed), counts, probs, samples, dtype)
    return ops.reshape(drawn, shape)


@export("random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
    shape, seed, means=0.0, stddevs=1.0, minvals=-2.0, maxvals=2.0, name=None
):
    """Normal numbers between bounds, that a seed decides; differentiable by all four parameters."""
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
    """Integers of all bits."""
    dtype = _uniform_dtype(dtype, WORDS)
    return _stateless_numbers(op, "integers", shape, dtype.dtype, seed, alg)


@export("random.split", "random.experimental.stateless_split")
def split(seed, num=2, alg="auto_select"):
    """`num` new seeds from one, as the rows of a tensor [num, 2]."""
    seed = to_tensor(seed)
    return _words("split", [num, 2], seed, seed.dtype, alg)


@export("random.fold_in", "random.experimental.stateless_fold_in")
def fold_in(seed, data, alg="auto_select"):
    """A new seed from one and an integer (a step number, say)."""
    data = to_tensor(data)
    return ops.stack([_words("fold_in", [], seed, data.dtype, alg), data])


@export("random.experimental.stateless_shuffle")
def stateless_shuffle(value, seed, alg="auto_select", name=None):
    """The rows of a tensor in an order that a seed decides."""
    x = to_tensor(value)
    check_stateless_algorithm(alg)
    state = ops.seed_state(seed)
    return _permuted(x, state) if x.ndim and x.shape[0] > 1 else ops.identity(x)


@export("random_index_shuffle")
def random_index_shuffle(index, seed, max_index, rounds=4, name=None):
    """Where a permutation of 0 … max_index, given by a seed of three integers, sends an index.

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
def index_shuffle(index, seed, max_index):
    """Where a permutation of 0 … max_index, given by a seed of two integers, sends an index."""
    seed = to_tensor(seed)
    if seed.ndim != 1:
        raise ShapeError(f"index_shuffle: seed must have shape [2], not {list(seed.shape)}")
    # TensorFlow makes the third word of the seed a constant.
    third = to_tensor(np.array([498247692], seed.dtype.as_numpy_dtype))
    return random_index_shuffle(index, ops.concat([third, seed], 0), max_index)


# --- dropout -------------------------------------------------------------------------------------


def _noise_shape(x, noise_shape):
    if noise_shape is None:
        return tuple(x.shape)
    if isinstance(noise_shape, (list, tuple)) and len(noise_shape) == x.ndim:
        pairs = zip(noise_shape, x.shape, strict=True)
        return [own if given is None else given for given, own in pairs]
    return noise_shape


def _is_number(value) -> bool:
    return isinstance(value, numbers.Real)


def _dropout(x, rate, noise_shape, draw, skip):
    is_number = _is_number(rate)
    if is_number and not 0 <= rate < 1:
        raise ValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
        )
    x = to_tensor(x)
    if not x.dtype.is_floating:
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
            f"x_dtype={x.dtype!r}"
        )
    if is_number and rate == 0:
        skip(x)
        return x
    if is_number:
        scaled = x * float(1 / (1 - rate))
        rate = to_tensor(float(rate), x.dtype)
    elif is_tensor_like(rate):
        rate = to_tensor(rate)
        if rate.ndim:
            raise ValueError(f"`rate` must be a scalar tensor: Shape {rate.shape} must have rank 0")
        if rate.dtype is not x.dtype:
            raise ValueError(
                "`x.dtype` must be compatible with `rate.dtype`. Received: "
                f"x.dtype={x.dtype!r} and rate.dtype={rate.dtype!r}"
            )
        scaled = x / (1 - rate)
    else:
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    noise = draw(shape=_noise_shape(x, noise_shape), dtype=x.dtype)
    return ops.where(ops.greater_equal(noise, rate), scaled, 0)


@export("nn.dropout")
def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """x with elements set to 0, each with probability `rate`, and the others scaled up.

    Where `noise_shape` has a 1 (and x has not), elements are kept or dropped together.
    """

    def draw(shape, dtype):
        return uniform(shape, dtype=dtype, seed=seed)

    def skip(x):
        # A rate of 0 still takes its turn in the sequence of seeds.
        ops.stateful_state(("RandomUniform", x.dtype.name, "int32"), _op_seed(seed), 0)

    return _dropout(x, rate, noise_shape, draw, skip)


@export("nn.experimental.stateless_dropout")
def stateless_dropout(x, rate, seed, rng_alg=None, noise_shape=None, name=None):
    """Dropout that a seed of two integers decides."""

    def draw(shape, dtype):
        return stateless_uniform(shape, seed, dtype=dtype, alg=rng_alg or "auto_select")

    return _dropout(x, rate, noise_shape, draw, lambda x: None)


@export("nn.experimental.general_dropout")
def general_dropout(x, rate, uniform_sampler, noise_shape=None, name=None):
    """Dropout by the numbers that `uniform_sampler(shape=…, dtype=…)` draws from [0, 1)."""
    return _dropout(x, rate, noise_shape, uniform_sampler, lambda x: None)
