"""Expressions of sizes that vary between traces."""

import pytest

from gradtape.exporting.sizes import SAMPLES, Linear, Sum, constant, find, samples_of

BATCH, TIME = samples_of(0), samples_of(1)


def evaluate(result, sizes: dict) -> int:
    """The value of an expression for other sizes of the open axes."""
    first = sizes[result.first]
    if isinstance(result, Sum):
        return first + result.sign * sizes[result.second] + result.offset
    assert isinstance(result, Linear)
    second = 1 if result.second is None else sizes[result.second]
    return (first * second * result.factor + result.shift) // result.divisor + result.offset


@pytest.mark.parametrize(
    "size",
    [
        lambda b, t: b,
        lambda b, t: 3 * t,
        lambda b, t: t - 1,
        lambda b, t: 2 * t + 5,
        lambda b, t: b * t,
        lambda b, t: 4 * b * t,
        lambda b, t: t * t,
        lambda b, t: b + t,
        lambda b, t: t - b + 7,
        lambda b, t: t // 2,
        lambda b, t: -(-t // 2),
        lambda b, t: (t - 3) // 2 + 1,
        lambda b, t: t // 3,
        lambda b, t: -(-t // 4),
    ],
)
def test_an_expression_is_right_for_sizes_that_no_trace_has(size):
    result = find(tuple(map(size, BATCH, TIME)), [BATCH, TIME])
    for b, t in ((1, 8), (2, 13), (200, 31), (7, 1000)):
        assert evaluate(result, {BATCH: b, TIME: t}) == size(b, t)


@pytest.mark.parametrize("size", [lambda b, t: t**3 % 71, lambda b, t: t % 7 + 1, max])
def test_what_is_no_expression_is_not_found(size):
    assert find(tuple(map(size, BATCH, TIME)), [BATCH, TIME]) is None


def test_the_samples_tell_remainders_apart():
    assert {n % 2 for n in SAMPLES} == {0, 1}
    assert {n % 3 for n in SAMPLES} == {0, 1, 2}
    assert {n % 4 for n in SAMPLES} == {0, 1, 2, 3}
    assert len({samples_of(i) for i in range(12)}) == 12
    assert constant((3, 3)) == 3
    assert constant((3, 4)) is None
