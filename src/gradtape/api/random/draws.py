"""`tf.random`: numbers drawn with a global seed.

Equal seeds give TensorFlow's numbers. A stateful function draws anew on each call, and inside a
vmap for each example.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.random.generator import (
    COUNTS,
    FLOATS,
    INTEGERS,
    check_dtype,
    check_normal,
    integer_bounds,
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
from gradtape.core.convert import is_tensor_like, static_value, to_tensor
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import batches_drawing_apart
from gradtape.prng import seeds


@export("random.set_seed")
def set_seed(seed) -> None:
    """Set the global seed: from here on, stateful random functions give the same numbers again.

    None makes them irreproducible, as they are at first.
    """
    ops.SEEDS.set_seed(static_value(seed))


def op_seed(seed):
    value = static_value(seed)
    if value is not None and (np.ndim(value) or isinstance(value, (str, bytes))):
        # Libraries that try a pair as a seed know TensorFlow's answer by its first words.
        raise TypeError(
            f"Expected int for argument 'seed' not {seed!r}. Pairs of integers are seeds of "
            "tf.random.stateless_* functions."
        )
    return value


def _shape_dtype(shape) -> str:
    """Return the dtype of a shape argument.

    Calls with other ones draw from sequences of their own.
    """
    if isinstance(shape, (list, tuple)):
        parts = [part for part in shape if is_tensor_like(part)]
    else:
        parts = [shape]
    return "int64" if any(getattr(p, "dtype", None) == dtypes.int64 for p in parts) else "int32"


def _stateful_numbers(op: str, kind: str, shape, dtype: np.dtype, seed):
    sizes = shape_argument(op, shape)
    sequence = (op, dtype.name, _shape_dtype(shape))

    def draw(sizes: tuple[int, ...]) -> Tensor:
        blocks = seeds.output_blocks(math.prod(sizes))
        state = ops.stateful_state(sequence, op_seed(seed), blocks)
        return ops.random_numbers(state, kind, sizes, dtype)

    return _for_each_example(sizes, draw)


def _for_each_example(sizes: tuple[int, ...], draw: Callable[[tuple[int, ...]], Tensor]) -> Tensor:
    """Return `draw(sizes)`; inside of vmaps, the numbers of all examples in one draw."""
    batches = batches_drawing_apart()
    numbers = draw((*[batch.size for batch in batches], *sizes))
    for batch in batches:
        numbers = batch.wrap(numbers)
    return numbers


def _stateful_state(sequence: tuple, seed, blocks: int) -> Tensor:
    """Return the state for a call of an op; inside of vmaps, one for each example."""
    batches = batches_drawing_apart()
    if not batches:
        return ops.stateful_state(sequence, op_seed(seed), blocks)
    sizes = [batch.size for batch in batches]
    states = ops.stateful_state(sequence, op_seed(seed), blocks, calls=math.prod(sizes))
    return _for_each_example((3,), lambda whole: ops.reshape(states, whole))


@export("random.normal")
def normal(shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None) -> Tensor:
    """Return normal numbers; differentiable by mean and stddev."""
    dtype = check_normal("RandomStandardNormal", mean, stddev, dtype)
    drawn = _stateful_numbers("RandomStandardNormal", "normal", shape, dtype, seed)
    return scale_and_shift(drawn, mean, stddev)


@export("random.truncated_normal")
def truncated_normal(
    shape, mean=0.0, stddev=1.0, dtype=dtypes.float32, seed=None, name=None
) -> Tensor:
    """Return normal numbers within two standard deviations of their mean."""
    dtype = check_normal("TruncatedNormal", mean, stddev, dtype)
    drawn = _stateful_numbers("TruncatedNormal", "truncated_normal", shape, dtype, seed)
    return scale_and_shift(drawn, mean, stddev)


@export("random.uniform")
def uniform(shape, minval=0, maxval=None, dtype=dtypes.float32, seed=None, name=None) -> Tensor:
    """Return numbers from minval to below maxval (1 for floats); floats are differentiable by
    both."""
    dtype = uniform_dtype(dtype, (*FLOATS, *INTEGERS))
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    if dtype.is_integer:
        op, sizes = "RandomUniformInt", shape_argument("RandomUniformInt", shape)
        bounds = integer_bounds(op, minval, maxval, dtype)
        sequence = (op, dtype.name, _shape_dtype(shape))

        def draw(sizes: tuple[int, ...]) -> Tensor:
            blocks = seeds.output_blocks(math.prod(sizes))
            state = ops.stateful_state(sequence, op_seed(seed), blocks)
            return ops.random_integers(state, *bounds, sizes, dtype.dtype)

        return _for_each_example(sizes, draw)
    # Only the Python integers 0 and 1 leave out a step, and with it a rounding, as TensorFlow.
    from_zero = isinstance(minval, int) and minval == 0
    to_one = isinstance(maxval, int) and maxval == 1
    low, high = to_tensor(minval, dtype), to_tensor(maxval, dtype)
    drawn = _stateful_numbers("RandomUniform", "uniform", shape, dtype.dtype, seed)
    if from_zero:
        return drawn if to_one else drawn * high
    return drawn * (high - low) + low


@export("random.shuffle")
def shuffle(value, seed=None, name=None) -> Tensor:
    """Return the rows of a tensor in random order."""
    x = to_tensor(value)
    rows = x.shape[0] if x.ndim else 0
    sequence = ("RandomShuffle", x.dtype.name)
    state = _stateful_state(sequence, seed, seeds.shuffle_blocks(rows))
    return permute(x, state) if rows > 1 else ops.identity(x)


@export("random.categorical")
def categorical(logits, num_samples, dtype=None, seed=None, name=None) -> Tensor:
    """Return, for each row of logits, classes drawn with probabilities softmax(logits)."""
    logits, samples, dtype = categorical_arguments("Multinomial", logits, num_samples, dtype)
    blocks = seeds.categorical_blocks(logits.shape[0], samples)
    sequence = ("Multinomial", logits.dtype.name, dtype.name)
    state = _stateful_state(sequence, seed, blocks)
    return ops.random_categorical(state, logits, samples, dtype)


@export("random.gamma")
def gamma(shape, alpha, beta=None, dtype=dtypes.float32, seed=None, name=None) -> Tensor:
    """Return gamma numbers, [*shape, *alpha]; differentiable by the shape alpha and the rate beta.

    The derivative by alpha is that of the quantile function at a fixed probability.
    """
    shape = shape_argument("RandomGamma", shape)
    alpha, beta = gamma_arguments("RandomGamma", alpha, beta, dtype)
    samples, whole = math.prod(shape), (*shape, *alpha.shape)
    sequence = ("RandomGamma", alpha.dtype.name)
    state = _stateful_state(sequence, seed, seeds.output_blocks(math.prod(whole)))
    return scaled_gamma(state, alpha, beta, samples, whole)


@export("random.poisson")
def poisson(shape, lam, dtype=dtypes.float32, seed=None, name=None) -> Tensor:
    """Return numbers of events at mean rates `lam`, [*shape, *lam]."""
    op, shape = "RandomPoissonV2", shape_argument("RandomPoissonV2", shape)
    rate, dtype = poisson_rate(op, lam, dtypes.float64), check_dtype(op, dtype, COUNTS)
    whole = (*shape, *rate.shape)
    sequence = (op, rate.dtype.name, dtype.name)
    state = _stateful_state(sequence, seed, seeds.output_blocks(math.prod(whole)))
    return ops.reshape(ops.random_poisson(state, rate, math.prod(shape), dtype), whole)
