"""Distributions with parameters: gamma, Poisson, binomial and categorical.

The numbers are TensorFlow's. In gamma, Poisson and binomial every output reads a range of blocks
of its own, so all outputs advance together, one vectorized trial at a time, while those that
accepted drop out. float64 is the working precision whatever the dtype of the arguments.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gradtape.backends.broadcasting import broadcast_arrays
from gradtape.backends.numpy.random_streams import (
    Floats,
    Lanes,
    Streams,
    first_blocks,
    in_lanes,
    rounded,
)
from gradtape.prng.philox import (
    c_library,
    uniform,
)

# --- gamma ---------------------------------------------------------------------------------------


def gamma(key: int, counter: int, alpha: NDArray[Any], samples: int) -> NDArray[Any]:
    """Draw gamma numbers of rate 1 in alpha's dtype, shape (samples, *alpha.shape).

    Marsaglia and Tsang's method; an alpha below one draws a number for alpha + 1 and scales it.
    """
    shape_parameter = alpha.astype(np.float64).reshape(-1)

    def sample(indices: Lanes, alpha: Floats) -> Floats:
        streams = Streams(key, counter, first_blocks(indices))
        out = np.empty(indices.size)
        exponential = alpha == 1.0
        lanes = np.flatnonzero(exponential)
        out[lanes] = -c_library("log1p")(-streams.uniform(lanes))
        lanes = np.flatnonzero(~exponential)
        _gamma_rejection(streams, lanes, alpha, out)
        return out

    out = in_lanes([shape_parameter], samples, sample)
    return rounded(out, alpha.dtype).reshape(samples, *alpha.shape)


def _gamma_rejection(streams: Streams, lanes: Lanes, alpha: Floats, out: Floats) -> None:
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
    """Draw Poisson numbers of `dtype`, shape (samples, *rate.shape).

    Below a rate of ten uniforms are multiplied; above, Hörmann's transformed rejection. A negative
    rate gives 0; an infinite one inf and a NaN one NaN, which an integer dtype cannot hold.
    """
    dtype = np.dtype(dtype)
    rates = rate.astype(np.float64).reshape(-1)
    if dtype.kind in "iu" and (np.isnan(rates) | np.isposinf(rates)).any():
        raise ValueError(f"poisson: rate must be finite for dtype {dtype}")

    def sample(indices: Lanes, rate: Floats) -> Floats:
        streams = Streams(key, counter, first_blocks(indices))
        out = np.where(np.isposinf(rate), np.inf, np.nan)
        _poisson_product(streams, np.flatnonzero(rate < 10.0), rate, out)
        _poisson_rejection(streams, np.flatnonzero((rate >= 10.0) & (rate < np.inf)), rate, out)
        return out

    out = in_lanes([rates], samples, sample)
    return rounded(out, dtype).reshape(samples, *rate.shape)


def _poisson_product(streams: Streams, lanes: Lanes, rate: Floats, out: Floats) -> None:
    limit = np.exp(-rate)
    product = np.ones(rate.size)
    factors = 0
    while lanes.size:
        product[lanes] *= streams.uniform(lanes)
        done = product[lanes] <= limit[lanes]
        out[lanes[done]] = factors
        lanes = lanes[~done]
        factors += 1


def _poisson_rejection(streams: Streams, lanes: Lanes, rate: Floats, out: Floats) -> None:
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

# The geometric sampler reserves fewer blocks for each output.
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
    """Draw binomial numbers of `dtype`, shape (samples, *broadcast shape of the parameters).

    For few expected successes, geometric gaps are summed; for many, Hörmann's transformed
    rejection.
    """
    counts, probabilities = broadcast_arrays(counts, probabilities)
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
        starts = first_blocks(indices, _GEOMETRIC_BLOCKS)
        _binomial_geometric(Streams(key, counter, starts), few_lanes, n, q, out)
        many_lanes = np.flatnonzero(proper & many)
        _binomial_rejection(Streams(key, counter, first_blocks(indices)), many_lanes, n, q, out)
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
    out = in_lanes(parameters, samples, sample)
    return rounded(out, np.dtype(dtype)).reshape(samples, *shape)


def _binomial_geometric(streams: Streams, lanes: Lanes, n: Floats, q: Floats, out: Floats) -> None:
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
    # (Not a number, of counts without end, is not below 9.)
    table = _STIRLING_TAIL[np.clip(np.where(k <= 9.0, k, 9.0), 0.0, 9.0).astype(np.int64)]
    return np.where(k <= 9.0, table, series)


def _binomial_rejection(streams: Streams, lanes: Lanes, n: Floats, q: Floats, out: Floats) -> None:
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


# --- categorical ---------------------------------------------------------------------------------


def categorical(
    key: int, counter: int, logits: NDArray[Any], samples: int, dtype: DTypeLike
) -> NDArray[Any]:
    """Draw class indices (rows, samples) for unnormalized log-probabilities (rows, classes).

    Entries that are not finite are never drawn; a row without finite entries gives `classes`.
    """
    rows, classes = logits.shape
    if not classes:
        raise ValueError("categorical: num_classes should be positive, got 0")
    weights = logits.astype(np.float64)
    finite = np.isfinite(weights)
    largest = np.where(finite, weights, -np.inf).max(1, keepdims=True)
    with np.errstate(all="ignore"):
        weights = np.where(finite, np.exp(weights - largest), 0.0)
    # Padding to one less than a power of two lets every row take the same binary search.
    padded = np.full((rows, (1 << classes.bit_length()) - 1), np.inf)
    np.cumsum(weights, axis=1, out=padded[:, :classes])
    target = uniform(key, counter, (rows, samples), np.float64)
    target *= padded[:, classes - 1 : classes]
    first = np.arange(rows)[:, None] * padded.shape[1]
    labels = np.zeros((rows, samples), np.int64)
    flat = padded.reshape(-1)
    for bit in reversed(range(classes.bit_length())):
        step = np.int64(1) << bit
        labels += np.where(flat[first + (labels + step - 1)] <= target, step, 0)
    return labels.astype(dtype)
