"""The subjects of `make soak` run; whether memory stays flat takes longer to see."""

import pytest

from tests.fuzz import soak

# JAX has tests of its own, and Keras would be imported.
SHORT = [name for name in soak.SUBJECTS if name not in ("jit", "keras_files") and "fit" not in name]


@pytest.mark.parametrize("name", SHORT)
def test_subject(name):
    rounds, early, late, _ = soak.measure(name, 20, 1e9)
    assert rounds == 20
    assert 0 < early < 2 * late
