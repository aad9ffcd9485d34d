"""Each way to make a variable on several devices meets each way to use it (tests/pairs)."""

import pytest

from tests.pairs import makers, users
from tests.pairs.pairs import check_reading, check_writing, numbers
from tests.pairs.sequences import cases

TestMirrored = cases(makers.MIRRORED, examples=6)


@pytest.mark.parametrize("use", users.READERS)
@pytest.mark.parametrize("make", makers.MIRRORED)
def test_reading(make, use):
    check_reading(makers.MIRRORED[make], users.READERS[use], numbers("large"))


VARIABLES = makers.MIRRORED | makers.SHARDED


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "watched"])
@pytest.mark.parametrize("use", users.WRITERS)
@pytest.mark.parametrize("make", VARIABLES)
def test_writing(make, use, watched):
    check_writing(VARIABLES[make], users.WRITERS[use], numbers("large"), watched=watched)
