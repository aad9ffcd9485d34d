"""Each way to make a value meets each way to use it, on the host."""

import importlib.util

import pytest

from tests.pairs import makers, users
from tests.pairs.pairs import SHAPES, check_reading, check_writing, numbers

HAS_JAX = importlib.util.find_spec("jax") is not None
NEEDS_JAX = makers.NEEDS_JAX | users.NEEDS_JAX


def skip_without_jax(*names: str) -> None:
    if not HAS_JAX and NEEDS_JAX.intersection(names):
        pytest.skip("compiled functions need JAX (make test-xla)")


@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("use", users.READERS)
@pytest.mark.parametrize("make", [*makers.TENSORS, *makers.VARIABLES])
def test_reading(make, use, size):
    skip_without_jax(make, use)
    maker = makers.TENSORS.get(make) or makers.VARIABLES[make]
    check_reading(maker, users.READERS[use], numbers(size))


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "watched"])
@pytest.mark.parametrize("size", SHAPES)
@pytest.mark.parametrize("use", users.WRITERS)
@pytest.mark.parametrize("make", makers.VARIABLES)
def test_writing(make, use, size, watched):
    skip_without_jax(make, use)
    check_writing(makers.VARIABLES[make], users.WRITERS[use], numbers(size), watched=watched)
