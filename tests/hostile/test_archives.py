"""Bombs, pickles and archives that lie give an error: no memory for them, and no code is run."""

import os
import tracemalloc

import pytest

from tests.hostile.archives import ATTACKS
from tests.hostile.keras_files import marker
from tests.hostile.test_keras_files import folder, good, keras

__all__ = ["folder", "good", "keras"]  # fixtures
MAX_BYTES = 80 << 20


def test_there_are_many():
    assert len(ATTACKS) >= 50


@pytest.mark.parametrize("name", ATTACKS)
def test_models(keras, good, folder, name):
    path = ATTACKS[name](good, folder)
    tracemalloc.start()
    try:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (of Keras, zipfile, NumPy)
            keras.models.load_model(path)
        assert tracemalloc.get_traced_memory()[1] < MAX_BYTES
    finally:
        tracemalloc.stop()
    assert str(caught.value)
    assert not os.path.exists(marker(folder))
    assert os.listdir(folder) == ["attack.keras"]
