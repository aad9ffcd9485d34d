"""Random numbers, as functions of a generator's state, which is determined by seeds.

A *state* is an int64 tensor of three: both halves of Philox's counter, and the key. It is data,
so that a mapped function can draw with a different seed for each example.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import to_tensor
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.core.placement import placed
from gradtape.core.primitive import ByLoop, NoDerivative, primitive
from gradtape.core.size import Size, is_open
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import broadcast_shapes
from gradtape.prng.seeds import (
    KeyCounter,
    OpSequence,
    StatefulSeeds,
    noted,
)

if TYPE_CHECKING:
    from gradtape.core.typing import NumpyDType, TensorLike

__all__ = [
    "SEEDS",
    "index_shuffle",
    "random_binomial",
    "random_bounded_normal",
    "random_candidates",
    "random_categorical",
    "random_gamma",
    "random_integers",
    "random_numbers",
    "random_permutation",
    "random_poisson",
    "seed_state",
    "state_of",
    "stateful_state",
]

SEEDS = StatefulSeeds()  # the one global seed of the process, and what was drawn from it

_NO_SEED = NoDerivative("a seed is an integer, which has no derivative")
_DRAWN = "random numbers of a fixed distribution do not depend on anything continuous"
_COUNTED = "the result is a count, which changes only in jumps"
_EACH_SEED = ByLoop("every example has a random sequence of its own")
_INT64 = np.dtype(np.int64)


# --- states --------------------------------------------------------------------------------------


def state_of(key_counter: KeyCounter) -> Tensor:
    """Return the state with this key and counter."""
    key, counter = key_counter
    words = [counter & 0xFFFFFFFFFFFFFFFF, counter >> 64, key]
    return placed(Tensor(np.array(words, np.uint64).view(np.int64)))


def stateful_state(op: Hashable, seed: Any, blocks: int, calls: int | None = None) -> Tensor:
    """Return the state for a call of a stateful op, which reserves that many blocks.

    `calls`: of so many calls, stacked.
    """
    trace = get_state().trace
    if trace is not None:
        return noted(lambda: _traced_state(trace, seed, blocks, calls))
    if calls is None:
        return state_of(SEEDS.draw(op, seed, blocks))
    return ops.stack([state_of(SEEDS.draw(op, seed, blocks)) for _ in range(calls)])


def _traced_state(trace: Any, seed: Any, blocks: int, calls: int | None) -> Any:
    """Return the state as an input of the function being traced: every call draws a new one."""
    draw = Draw(trace.sequence(seed, SEEDS.sequence), blocks)
    if calls is None:
        return trace.feed(draw, Spec((3,), _INT64))
    return trace.feed(Draws(draw, calls), Spec((calls, 3), _INT64))


class Draw:
    """The states that a random op in a function draws, one for each call."""

    __slots__ = ("_blocks", "_sequence")

    def __init__(self, sequence: OpSequence, blocks: int) -> None:
        self._sequence = sequence
        self._blocks = blocks

    def __call__(self) -> Tensor:
        return state_of(self._sequence.draw(int(self._blocks)))

    def peek(self) -> Tensor:
        """Return the next state without advancing."""
        return state_of(self._sequence.draw(0))

    def take(self) -> None:
        self._sequence.draw(int(self._blocks))

    def at(self, sizes: tuple[int, ...]) -> Draw:
        """Return the same draws for given open sizes (core/size)."""
        blocks = self._blocks
        return Draw(self._sequence, blocks.at(sizes)) if isinstance(blocks, Size) else self

    def anew(self) -> Draw:
        """Return the draws of another op with the same seeds."""
        return Draw(self._sequence.anew(), self._blocks)


class Draws(Draw):
    """The states that a random op draws in all iterations of a loop, stacked."""

    __slots__ = ("_draw", "_length")

    def __init__(self, draw: Draw, length: int) -> None:
        super().__init__(draw._sequence, draw._blocks)
        self._draw = draw
        self._length = length

    def __call__(self) -> Tensor:
        return ops.stack([self._draw() for _ in range(self._length)])

    def at(self, sizes: tuple[int, ...]) -> Draws:
        return Draws(self._draw.at(sizes), self._length)

    def anew(self) -> Draws:
        return Draws(self._draw.anew(), self._length)


def _seed_state_shape(seed: Spec) -> Spec:
    if seed.shape != (2,):
        raise ShapeError(f"seed must have shape [2], not {list(seed.shape)}")
    return Spec((3,), _INT64)


seed_state_p = primitive(
    "seed_state",
    "seed",
    shape=_seed_state_shape,
    no_derivative="a seed is an integer, which has no derivative",
    batch=_EACH_SEED,
)


def seed_state(seed: TensorLike) -> Tensor:
    """Return the state for a seed of two integers."""
    seed = to_tensor(seed)
    if seed._data.dtype not in (np.int32, np.int64):
        raise DTypeError(
            f"seed must be two integers of dtype int32 or int64, got a tensor of dtype "
            f"{seed.dtype.name} and shape {seed.shape}."
        )
    _seed_state_shape(seed._spec())
    return bind(seed_state_p, (seed,))


# --- numbers without parameters ------------------------------------------------------------------

random_numbers_p = primitive(
    "random_numbers",
    "state",
    shape=lambda state, kind, shape, dtype: Spec(shape, dtype),
    no_derivative=_DRAWN,
    batch=_EACH_SEED,
)


def random_numbers(state: Tensor, kind: str, shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """Draw numbers: uniform in [0, 1), normal, truncated_normal, or integers (of random bits)."""
    if is_open(shape) and state._has_value:
        trace: Any = get_state().trace
        state = trace.lift(state)
    return bind(random_numbers_p, (state,), {"kind": kind, "shape": shape, "dtype": dtype})


random_integers_p = primitive(
    "random_integers",
    "state low high",
    shape=lambda state, low, high, shape, dtype: Spec(shape, dtype),
    no_derivative=_DRAWN,
    batch=_EACH_SEED,
)


def random_integers(
    state: Tensor, low: Tensor, high: Tensor, shape: tuple[int, ...], dtype: np.dtype
) -> Tensor:
    """Draw integers in [low, high), two scalars."""
    return bind(random_integers_p, (state, low, high), {"shape": shape, "dtype": dtype})


random_permutation_p = primitive(
    "random_permutation",
    "state",
    shape=lambda state, count: Spec((count,), _INT64),
    no_derivative=_DRAWN,
    batch=_EACH_SEED,
)


def random_permutation(state: Tensor, count: int) -> Tensor:
    """Return the integers below `count` in random order."""
    return bind(random_permutation_p, (state,), {"count": count})


# --- distributions with parameters ---------------------------------------------------------------
#
# Results have shape [samples, *parameters]. Where the inverse of the distribution function is
# smooth in a parameter, so is the sample, seen as that inverse at a fixed probability: this is the
# derivative that TensorFlow defines, although the sample was drawn in another way.


def _of_samples(parameter: Spec, samples: int, dtype: NumpyDType) -> Spec:
    return Spec((samples, *parameter.shape), dtype)


random_categorical_p = primitive(
    "random_categorical",
    "state logits",
    shape=lambda state, logits, samples, dtype: Spec((logits.shape[0], samples), dtype),
    no_derivative="the result is a class number, which changes only in jumps",
    batch=_EACH_SEED,
)


def random_categorical(state: Tensor, logits: Tensor, samples: int, dtype: np.dtype) -> Tensor:
    """Draw class indices for each row of logits, with probabilities softmax(logits)."""
    return bind(random_categorical_p, (state, logits), {"samples": samples, "dtype": dtype})


random_poisson_p = primitive(
    "random_poisson",
    "state rate",
    shape=lambda state, rate, samples, dtype: _of_samples(rate, samples, dtype),
    no_derivative=_COUNTED,
    batch=_EACH_SEED,
)


def random_poisson(state: Tensor, rate: Tensor, samples: int, dtype: np.dtype) -> Tensor:
    """Draw Poisson numbers with these mean rates."""
    return bind(random_poisson_p, (state, rate), {"samples": samples, "dtype": dtype})


def _binomial_shape(
    state: Spec, counts: Spec, probs: Spec, samples: int, dtype: NumpyDType
) -> Spec:
    shape = broadcast_shapes("StatelessRandomBinomial", counts.shape, probs.shape)
    return Spec((samples, *shape), dtype)


random_binomial_p = primitive(
    "random_binomial",
    "state counts probs",
    shape=_binomial_shape,
    no_derivative=_COUNTED,
    batch=_EACH_SEED,
)


def random_binomial(
    state: Tensor, counts: Tensor, probs: Tensor, samples: int, dtype: np.dtype
) -> Tensor:
    """Draw binomial numbers: successes among `counts` trials."""
    return bind(random_binomial_p, (state, counts, probs), {"samples": samples, "dtype": dtype})


# Beyond this alpha the exact derivative takes too long, and its asymptotic expansion suffices.
_LARGE_ALPHA = 1e6


def gamma_slope(alpha: Tensor, x: Tensor) -> Tensor:
    """Return dx/dalpha of a gamma sample x, at a fixed P(alpha, x): -(dP/dalpha) / (dP/dx).

    Both may be tiny or huge where their quotient is not: they are computed in float64. A sample
    that was rounded to 0 has slope 0.
    """
    a, z = ops.cast(alpha, "float64"), ops.cast(x, "float64")
    is_large, is_zero = ops.greater(a, _LARGE_ALPHA), ops.equal(z, 0)
    near, z = ops.where(is_large, 1, a), ops.where(is_zero, 1, z)
    density = ops.exp((near - 1) * ops.log(z) - z - ops.lgamma(near))
    slope = -ops.divide_no_nan(ops.igamma_by_a(near, z, 1), density)
    distance = (z - a) / a
    expansion = 1 + distance / 2 + (1 / a - ops.square(distance)) / 6
    slope = ops.where(is_large, expansion, slope)
    return ops.cast(ops.where(is_zero, 0, slope), x.dtype)


random_gamma_p = primitive(
    "random_gamma",
    "state alpha",
    shape=lambda state, alpha, samples: _of_samples(alpha, samples, alpha.dtype),
    vjp={
        "state": _NO_SEED,
        "alpha": lambda g, alpha, ans: ops.reduce_sum(g * gamma_slope(alpha, ans), 0),
    },
    jvp={"state": _NO_SEED, "alpha": lambda t, alpha, ans: t * gamma_slope(alpha, ans)},
    batch=_EACH_SEED,
)


def random_gamma(state: Tensor, alpha: Tensor, samples: int) -> Tensor:
    """Draw gamma numbers of rate 1, differentiable with respect to their shape parameter alpha."""
    return bind(random_gamma_p, (state, alpha), {"samples": samples})


def _normal_between(low: Any, high: Any) -> Any:
    """Return the probability of a normal number between two bounds, accurate in both tails."""
    root = math.sqrt(0.5)
    above = ops.erfc(low * root) - ops.erfc(high * root)
    below = ops.erfc(-high * root) - ops.erfc(-low * root)
    return 0.5 * ops.where(ops.greater(low, 0), above, below)


def _bounded_normal_vjp(g: Tensor, mean: Any, stddev: Any, low: Any, high: Any, ans: Any) -> Any:
    """Differentiate at a fixed probability u = Phi(low, z) / Phi(low, high), in units of stddev.

    The derivative with respect to a bound is the share of the distribution between z and the other
    bound, times the ratio of the densities at the bound and at z.
    """
    parameters = [ops.cast(p, "float64") for p in (mean, stddev, low, high)]
    m, s, a, b = parameters
    z, a, b = (ops.cast(ans, "float64") - m) / s, (a - m) / s, (b - m) / s
    whole = _normal_between(a, b)
    by_low = ops.exp((z * z - a * a) / 2) * (_normal_between(z, b) / whole)
    by_high = ops.exp((z * z - b * b) / 2) * (_normal_between(a, z) / whole)
    slopes = [
        1 - by_low - by_high,
        # An infinite bound has no influence: inf * 0 is 0 here.
        z - ops.multiply_no_nan(a, by_low) - ops.multiply_no_nan(b, by_high),
        by_low,
        by_high,
    ]
    return [None, *[ops.reduce_sum(g * ops.cast(slope, g.dtype), 0) for slope in slopes]]


random_bounded_normal_p = primitive(
    "random_bounded_normal",
    "state mean stddev low high",
    shape=lambda state, mean, stddev, low, high, samples: _of_samples(mean, samples, mean.dtype),
    vjp=_bounded_normal_vjp,
    batch=_EACH_SEED,
)


def random_bounded_normal(
    state: Tensor, mean: Tensor, stddev: Tensor, low: Tensor, high: Tensor, samples: int
) -> Tensor:
    """Draw normal numbers between bounds; the four parameters have one shape and dtype."""
    return bind(random_bounded_normal_p, (state, mean, stddev, low, high), {"samples": samples})


# --- candidates ----------------------------------------------------------------------------------


def _candidates_shape(
    state: Spec, true_classes: Spec, sampled: int, **params: Any
) -> tuple[Spec, ...]:
    single = np.dtype(np.float32)
    return Spec((sampled,), _INT64), Spec(true_classes.shape, single), Spec((sampled,), single)


random_candidates_p = primitive(
    "random_candidates",
    "state true_classes",
    shape=_candidates_shape,
    no_derivative="the results are class numbers and how often they are to be expected",
    batch=_EACH_SEED,
    outputs=3,
)


def random_candidates(
    state: Tensor,
    true_classes: Tensor,
    sampled: int,
    unique: bool,
    limit: int,
    weights: str | tuple[float, ...],
    met: tuple[tuple[int, int], ...] = (),
) -> tuple[Tensor, ...]:
    """Sample classes below `limit`; also return the expected counts of the true and sampled ones.

    `weights` is a tuple with the weight of each class, or "uniform", "log_uniform" or "learned":
    in proportion to how often each class was met, plus one. `met` are pairs of a class and that
    number, sorted.
    """
    params = {"sampled": sampled, "unique": unique, "limit": limit, "weights": weights, "met": met}
    return bind(random_candidates_p, (state, true_classes), params)


# --- permutations of indices ---------------------------------------------------------------------


def _index_shuffle_shape(index: Spec, seed: Spec, max_index: Spec) -> Spec:
    shape = broadcast_shapes("RandomIndexShuffle", index.shape, max_index.shape, seed.shape[:-1])
    return Spec(shape, index.dtype)


index_shuffle_p = primitive(
    "index_shuffle",
    "index seed max_index",
    shape=_index_shuffle_shape,
    no_derivative="indices are integers, which have no derivative",
    batch=_EACH_SEED,
)


def index_shuffle(index: Tensor, seed: Tensor, max_index: Tensor) -> Tensor:
    """Return the image of an index under a permutation of 0 … max_index from a seed of three."""
    return bind(index_shuffle_p, (index, seed, max_index))
