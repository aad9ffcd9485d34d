"""Distributions with parameters: gamma, Poisson, binomial, truncated normal and categorical.

The numbers are TensorFlow's. In gamma, Poisson and binomial every output reads a range of blocks
of its own, so all outputs advance together, one vectorised trial at a time, while those that
accepted drop out. float64 is the working precision whatever the dtype of the arguments.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gradtape.backends.numpy.random_philox import (
    BLOCKS_PER_OUTPUT,
    CHUNK,
    c_library,
    log_float32,
    normal_float32,
    normal_float64,
    philox,
    uniform,
    uniform_float32,
    uniform_float64,
)

Floats = NDArray[np.float64]
Lanes = NDArray[np.int64]

# Outputs worked on together, so that their buffers stay in the cache.
_LANES = 16384


class _Streams:
    """One stream of float64 uniforms and normals for each output (lane), starting at its block.

    A block gives two values. They go into one of two buffers, uniforms or normals, and leave it
    last first; both kinds are read from the same sequence of blocks.
    """

    def __init__(self, key: int, counter: int, starts: NDArray[np.uint64]) -> None:
        self._key = key
        self._counter = counter
        self._next_block = starts.copy()
        self._uniforms = np.empty((starts.size, 2))
        self._uniforms_left = np.zeros(starts.size, np.int64)
        self._normals = np.empty((starts.size, 2))
        self._normals_left = np.zeros(starts.size, np.int64)

    def uniform(self, lanes: Lanes) -> Floats:
        return self._take(lanes, self._uniforms, self._uniforms_left, uniform_float64)

    def normal(self, lanes: Lanes) -> Floats:
        return self._take(lanes, self._normals, self._normals_left, normal_float64)

    def _take(
        self,
        lanes: Lanes,
        values: Floats,
        left: Lanes,
        convert: Callable[[NDArray[np.uint64]], Floats],
    ) -> Floats:
        empty = lanes[left[lanes] == 0]
        if empty.size:
            block = philox(self._key, self._counter, self._next_block[empty])
            values[empty] = convert(block).T
            left[empty] = 2
            self._next_block[empty] += np.uint64(1)
        place = left[lanes] - 1
        left[lanes] = place
        return values[lanes, place]


def _in_lanes(
    parameters: Sequence[NDArray[Any]],
    samples: int,
    sample: Callable[..., Floats],
) -> Floats:
    """Call `sample(indices, *parameters of each)` for slices of the outputs, parameter-major.

    Returns the values as (samples, parameter sets).
    """
    count = samples * parameters[0].size
    out = np.empty(count)
    with np.errstate(all="ignore"):
        for start in range(0, count, _LANES):
            indices = np.arange(start, min(start + _LANES, count))
            owners = indices // samples
            out[start : start + _LANES] = sample(indices, *(each[owners] for each in parameters))
    return out.reshape(-1, samples).T if count else out.reshape(samples, parameters[0].size)


def _cast(values: Floats, dtype: np.dtype[Any]) -> NDArray[Any]:
    """`values` as `dtype`; the 16-bit floats are rounded twice, over float32, as in TensorFlow."""
    return (values.astype(np.float32) if dtype.itemsize == 2 else values).astype(dtype)


def _starts(indices: Lanes, stride: int = BLOCKS_PER_OUTPUT) -> NDArray[np.uint64]:
    return indices.astype(np.uint64) * np.uint64(stride)


# --- gamma ---------------------------------------------------------------------------------------


def gamma(key: int, counter: int, alpha: NDArray[Any], samples: int) -> NDArray[Any]:
    """Gamma numbers of rate 1 in alpha's dtype, shape (samples, *alpha.shape).

    Marsaglia and Tsang's method; an alpha below one takes a number for alpha + 1 and scales it.
    """
    shape_parameter = alpha.astype(np.float64).reshape(-1)

    def sample(indices: Lanes, alpha: Floats) -> Floats:
        streams = _Streams(key, counter, _starts(indices))
        out = np.empty(indices.size)
        exponential = alpha == 1.0
        lanes = np.flatnonzero(exponential)
        out[lanes] = -c_library("log1p")(-streams.uniform(lanes))
        lanes = np.flatnonzero(~exponential)
        _gamma_rejection(streams, lanes, alpha, out)
        return out

    out = _in_lanes([shape_parameter], samples, sample)
    return _cast(out, alpha.dtype).reshape(samples, *alpha.shape)


def _gamma_rejection(streams: _Streams, lanes: Lanes, alpha: Floats, out: Floats) -> None:
    d = alpha + np.where(alpha < 1.0, 2.0 / 3.0, -1.0 / 3.0)
    c = 1.0 / 3.0 / np.sqrt(d)
    boosted = lanes[alpha[lanes] < 1.0]
    while lanes.size:
        x = streams.normal(lanes)
        v = 1.0 + c[lanes] * x
        inside = ~(v <= 0.0)
        candidates, x, v = lanes[inside], x[inside], v[inside]
        v = v * v * v
        u = streams.uniform(candidates)
        d_candidate = d[candidates]
        accept = (u < 1.0 - 0.0331 * (x * x) * (x * x)) | (
            np.log(u) < 0.5 * x * x + d_candidate * (1.0 - v + np.log(v))
        )
        accepted = candidates[accept]
        out[accepted] = d_candidate[accept] * v[accept]
        inside[inside] = accept
        lanes = lanes[~inside]
    if boosted.size:
        exponent = 1.0 / alpha[boosted]
        # Negative alphas have no distribution; their powers may overflow, which `math` raises on.
        power = c_library("power") if (exponent > 0.0).all() else np.power
        out[boosted] *= power(streams.uniform(boosted), exponent)


# --- Poisson -------------------------------------------------------------------------------------


def poisson(
    key: int, counter: int, rate: NDArray[Any], samples: int, dtype: DTypeLike
) -> NDArray[Any]:
    """Poisson numbers of `dtype`, shape (samples, *rate.shape).

    Below a rate of ten uniforms are multiplied; above, Hörmann's transformed rejection. A negative
    rate gives 0; an infinite one inf and a NaN one NaN, which an integer dtype cannot hold.
    """
    dtype = np.dtype(dtype)
    rates = rate.astype(np.float64).reshape(-1)
    if dtype.kind in "iu" and (np.isnan(rates) | np.isposinf(rates)).any():
        raise ValueError(f"poisson: rate must be finite for dtype {dtype}")

    def sample(indices: Lanes, rate: Floats) -> Floats:
        streams = _Streams(key, counter, _starts(indices))
        out = np.where(np.isposinf(rate), np.inf, np.nan)
        _poisson_product(streams, np.flatnonzero(rate < 10.0), rate, out)
        _poisson_rejection(streams, np.flatnonzero((rate >= 10.0) & (rate < np.inf)), rate, out)
        return out

    out = _in_lanes([rates], samples, sample)
    return _cast(out, dtype).reshape(samples, *rate.shape)


def _poisson_product(streams: _Streams, lanes: Lanes, rate: Floats, out: Floats) -> None:
    limit = np.exp(-rate)
    product = np.ones(rate.size)
    factors = 0
    while lanes.size:
        product[lanes] *= streams.uniform(lanes)
        done = product[lanes] <= limit[lanes]
        out[lanes[done]] = factors
        lanes = lanes[~done]
        factors += 1


def _poisson_rejection(streams: _Streams, lanes: Lanes, rate: Floats, out: Floats) -> None:
    if not lanes.size:
        return
    from scipy.special import gammaln

    log_rate = np.log(rate)
    b = 0.931 + 2.53 * np.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_squeeze = 0.9277 - 3.6224 / (b - 2.0)
    while lanes.size:
        u = streams.uniform(lanes) - 0.5
        v = streams.uniform(lanes)
        us = 0.5 - np.abs(u)
        k = np.floor((2.0 * a[lanes] / us + b[lanes]) * u + rate[lanes] + 0.43)
        accept = (us >= 0.07) & (v <= v_squeeze[lanes])
        undecided = ~accept & ~((k < 0.0) | ((us < 0.013) & (v > us)))
        s = np.log(v * inverse_alpha[lanes] / (a[lanes] / (us * us) + b[lanes]))
        t = -rate[lanes] + k * log_rate[lanes] - gammaln(k + 1.0)
        accept |= undecided & (s <= t)
        out[lanes[accept]] = k[accept]
        lanes = lanes[~accept]


# --- binomial ------------------------------------------------------------------------------------

# The geometric sampler's outputs own fewer blocks.
_GEOMETRIC_BLOCKS = 42

# ln(k!) minus Stirling's approximation, for k below ten.
_STIRLING_TAIL = np.array(
    [
        0.0810614667953272,
        0.0413406959554092,
        0.0276779256849983,
        0.02079067210376509,
        0.0166446911898211,
        0.0138761288230707,
        0.0118967099458917,
        0.010411265261972,
        0.00925546218271273,
        0.00833056343336287,
    ]
)


def binomial(
    key: int,
    counter: int,
    counts: NDArray[Any],
    probabilities: NDArray[Any],
    samples: int,
    dtype: DTypeLike,
) -> NDArray[Any]:
    """Binomial numbers of `dtype`, shape (samples, *broadcast shape of counts and probabilities).

    Few expected successes: geometric gaps are summed; many: Hörmann's transformed rejection.
    """
    counts, probabilities = np.broadcast_arrays(counts, probabilities)
    shape = counts.shape
    mirrored = probabilities > 0.5
    rarer = np.where(mirrored, 1 - probabilities, probabilities).astype(probabilities.dtype)
    # The choice between the samplers is made in the precision of the arguments.
    many = counts * rarer >= 10

    def sample(
        indices: Lanes, n: Floats, p: Floats, q: Floats, mirrored: NDArray[Any], many: NDArray[Any]
    ) -> Floats:
        out = np.full(indices.size, np.nan)
        proper = (n > 0.0) & (p > 0.0) & (p < 1.0)
        few_lanes = np.flatnonzero(proper & ~many)
        starts = _starts(indices, _GEOMETRIC_BLOCKS)
        _binomial_geometric(_Streams(key, counter, starts), few_lanes, n, q, out)
        many_lanes = np.flatnonzero(proper & many)
        _binomial_rejection(_Streams(key, counter, _starts(indices)), many_lanes, n, q, out)
        out = np.where(mirrored, n - out, out)
        out[p >= 1.0] = n[p >= 1.0]
        out[(n <= 0.0) | (p <= 0.0)] = 0.0
        return out

    parameters = [
        counts.astype(np.float64).reshape(-1),
        probabilities.astype(np.float64).reshape(-1),
        rarer.astype(np.float64).reshape(-1),
        mirrored.reshape(-1),
        many.reshape(-1),
    ]
    out = _in_lanes(parameters, samples, sample)
    return _cast(out, np.dtype(dtype)).reshape(samples, *shape)


def _binomial_geometric(streams: _Streams, lanes: Lanes, n: Floats, q: Floats, out: Floats) -> None:
    log_failure = np.log1p(-q)
    trials = np.zeros(n.size)
    successes = 0
    while lanes.size:
        trials[lanes] += np.ceil(np.log(streams.uniform(lanes)) / log_failure[lanes])
        done = trials[lanes] > n[lanes]
        out[lanes[done]] = successes
        lanes = lanes[~done]
        successes += 1


def _stirling_tail(k: Floats) -> Floats:
    kp1 = k + 1.0
    series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / (kp1 * kp1)) / (kp1 * kp1)) / kp1
    table = _STIRLING_TAIL[np.clip(k, 0.0, 9.0).astype(np.int64)]
    return np.where(k <= 9.0, table, series)


def _binomial_rejection(streams: _Streams, lanes: Lanes, n: Floats, q: Floats, out: Floats) -> None:
    while lanes.size:
        n_, q_ = n[lanes], q[lanes]
        deviation = np.sqrt(n_ * q_ * (1.0 - q_))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * q_
        c = n_ * q_ + 0.5
        odds = q_ / (1.0 - q_)
        alpha = (2.83 + 5.1 / b) * deviation
        m = np.floor((n_ + 1.0) * q_)
        u = streams.uniform(lanes) - 0.5
        v = streams.uniform(lanes)
        us = 0.5 - np.abs(u)
        k = np.floor((2.0 * a / us + b) * u + c)
        accept = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
        undecided = ~accept & (k >= 0.0) & (k <= n_)
        bound = (
            (m + 0.5) * np.log((m + 1.0) / (odds * (n_ - m + 1.0)))
            + (n_ + 1.0) * np.log((n_ - m + 1.0) / (n_ - k + 1.0))
            + (k + 0.5) * np.log(odds * (n_ - k + 1.0) / (k + 1.0))
            + _stirling_tail(m)
            + _stirling_tail(n_ - m)
            - _stirling_tail(k)
            - _stirling_tail(n_ - k)
        )
        accept |= undecided & (np.log(v * alpha / (a / (us * us) + b)) <= bound)
        out[lanes[accept]] = k[accept]
        lanes = lanes[~accept]


# --- truncated normal with parameters ------------------------------------------------------------


class _Blocks:
    """Consecutive blocks read as uniforms or normals, made a window at a time."""

    def __init__(self, key: int, counter: int, dtype: np.dtype[Any]) -> None:
        self._key = key
        self._counter = counter
        double = dtype == np.float64
        self.per_block = 2 if double else 4
        self._convert: dict[str, Callable[[NDArray[np.uint64]], NDArray[Any]]] = {
            "uniform": uniform_float64 if double else uniform_float32,
            "normal": normal_float64 if double else normal_float32,
        }
        self._first = 0
        self._words = np.empty((4, 0), np.uint64)
        self._values: dict[str, NDArray[Any]] = {}

    def read(self, kind: str, first: int, count: int) -> NDArray[Any]:
        """Values of blocks first .. first + count, as (count, values of a block)."""
        if first < self._first or first + count > self._first + self._words.shape[1]:
            offsets = np.arange(first, first + max(count, 1024), dtype=np.uint64)
            self._first, self._words = first, philox(self._key, self._counter, offsets)
            self._values.clear()
        if kind not in self._values:
            self._values[kind] = self._convert[kind](self._words).T
        return self._values[kind][first - self._first : first - self._first + count]


def parameterized_truncated_normal(
    key: int,
    counter: int,
    mean: NDArray[Any],
    stddev: NDArray[Any],
    low: NDArray[Any],
    high: NDArray[Any],
    samples: int,
) -> NDArray[Any]:
    """Normals of mean and stddev inside [low, high], shape (samples, *shape of the parameters).

    The four parameters have one shape and one dtype. All sets of parameters read one sequence of
    blocks, each going on where the one before stopped, so they are served one after the other.
    float16 and bfloat16 are drawn in float32.
    """
    dtype = mean.dtype
    working = np.dtype(np.float64 if dtype == np.float64 else np.float32)
    parameters = [each.astype(working).reshape(-1) for each in (mean, stddev, low, high)]
    means, stddevs, lows, highs = parameters
    bounded = np.isfinite(lows) | np.isfinite(highs)
    if not ((stddevs > 0) & (lows < highs) & bounded).all():
        raise ValueError(
            "parameterized_truncated_normal: needs stddevs > 0 and minvals < maxvals, "
            "of which at least one is finite"
        )
    # The tail nearer to the mean comes first, by a reflection if need be.
    reflected = np.isneginf(lows) | (highs < means)
    lows, highs = np.where(reflected, highs, lows), np.where(reflected, lows, highs)
    stddevs = np.where(reflected, -stddevs, stddevs)
    out = np.empty((means.size, samples), working)
    blocks = _Blocks(key, counter, working)
    position = 0
    with np.errstate(all="ignore"):
        lows, highs = (lows - means) / stddevs, (highs - means) / stddevs
        roots = np.sqrt(lows * lows + 4)
        cuts = 2 * _exp(lows * (lows - roots) / 4 + working.type(0.5)) / (lows + roots)
        by_normals = ((lows < -1.3) & (highs >= 0)) | ((highs > 1.3) & (lows <= 0))
        by_uniforms = ~by_normals & (highs - lows < cuts)
        for row, (low_, high_) in enumerate(zip(lows, highs, strict=True)):
            if by_normals[row]:
                trial = partial(_normal_trial, blocks, low_, high_)
            elif by_uniforms[row]:
                trial = partial(_uniform_trial, blocks, low_, high_)
            else:
                trial = partial(_exponential_trial, blocks, low_, high_)
            position = _fill_by_trials(trial, 2 if by_uniforms[row] else 1, position, out[row])
        out = out * stddevs[:, None] + means[:, None]
    return out.T.reshape(samples, *mean.shape).astype(dtype)


Trial = Callable[[int, int], tuple[NDArray[Any], NDArray[Any]]]


def _fill_by_trials(trial: Trial, blocks_of_trial: int, position: int, out: NDArray[Any]) -> int:
    """Fill `out` with accepted candidates; the position after the last block that gave one.

    `trial(position, count)` makes `count` trials and returns (count, candidates of a trial) twice:
    the candidates, and whether each is accepted.
    """
    filled = 0
    while filled < out.size:
        candidates, accepted = trial(position, min((out.size - filled) // 2 + 2, CHUNK // 2))
        kept = np.flatnonzero(accepted)[: out.size - filled]
        out[filled : filled + kept.size] = candidates.reshape(-1)[kept]
        filled += kept.size
        complete = filled == out.size and kept.size
        trials = int(kept[-1]) // candidates.shape[1] + 1 if complete else len(candidates)
        position += trials * blocks_of_trial
    return position


def _normal_trial(
    blocks: _Blocks, low: Any, high: Any, position: int, trials: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    z = blocks.read("normal", position, trials)
    return z, (z >= low) & (z <= high)


def _uniform_trial(
    blocks: _Blocks, low: Any, high: Any, position: int, trials: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    pairs = blocks.read("uniform", position, 2 * trials)
    z = pairs[0::2] * (high - low) + low
    peak = low * low if low >= 0 else low.dtype.type(0)
    return z, pairs[1::2] <= _exp((peak - z * z) / 2)


def _exponential_trial(
    blocks: _Blocks, low: Any, high: Any, position: int, trials: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    values = blocks.read("uniform", position, trials)
    alpha = (low + np.sqrt(low * low + 4)) / 2
    z = -_log(values[:, 0::2]) / alpha + low
    x = alpha - z if low < alpha else low - alpha
    return z, (values[:, 1::2] <= _exp(-x * x / 2)) & (z < high)


def _exp(x: NDArray[Any]) -> NDArray[Any]:
    return np.exp(x.astype(np.float64)).astype(x.dtype)


def _log(x: NDArray[Any]) -> NDArray[Any]:
    logarithm = c_library("log") if x.dtype == np.float64 else log_float32
    smallest = x.dtype.type(2.0**-52 if x.dtype == np.float64 else 2.0**-23)
    return np.where(x > 0, logarithm(np.maximum(x, smallest)), x.dtype.type(-np.inf))


# --- categorical ---------------------------------------------------------------------------------


def categorical(
    key: int, counter: int, logits: NDArray[Any], samples: int, dtype: DTypeLike
) -> NDArray[Any]:
    """Class numbers (rows, samples) for unnormalised log-probabilities (rows, classes).

    Entries that are not finite are never drawn; a row without finite entries gives `classes`.
    """
    rows, classes = logits.shape
    if not classes:
        raise ValueError("categorical: num_classes should be positive, got 0")
    weights = logits.astype(np.float64)
    finite = np.isfinite(weights)
    largest = np.max(weights, axis=1, keepdims=True, where=finite, initial=-np.inf)
    with np.errstate(all="ignore"):
        weights = np.where(finite, np.exp(weights - largest), 0.0)
    # Padding to one less than a power of two lets every row take the same binary search.
    padded = np.full((rows, (1 << classes.bit_length()) - 1), np.inf)
    np.cumsum(weights, axis=1, out=padded[:, :classes])
    target = uniform(key, counter, (rows, samples), np.float64)
    target *= padded[:, classes - 1 : classes]
    first = np.arange(rows)[:, None] * padded.shape[1]
    found = np.zeros((rows, samples), np.int64)
    flat = padded.reshape(-1)
    for bit in reversed(range(classes.bit_length())):
        step = np.int64(1) << bit
        found += np.where(flat[first + (found + step - 1)] <= target, step, 0)
    return found.astype(dtype)
