"""Safetensors files with headers that lie give DataLossError, whoever reads them."""

import tracemalloc

import pytest

import gradtape as tf
from gradtape.formats import safetensors as reading
from tests.hostile import safetensors

FILES = list(safetensors.files())
MAX = 8 << 20


def test_there_are_many():
    assert len(FILES) >= 70
    assert len({name for name, _ in FILES}) == len(FILES)


def test_the_file_that_they_are_made_of_is_good():
    (x,) = reading.BytesReader(safetensors.file(safetensors.entry()), "a").read().values()
    assert x.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("name", "data"), FILES, ids=[name for name, _ in FILES])
def test_files(name, data):
    tracemalloc.start()
    try:
        with pytest.raises(tf.errors.DataLossError, match="is damaged or incomplete: "):
            reading.BytesReader(data, "a.safetensors").read()
        assert tracemalloc.get_traced_memory()[1] < MAX
    finally:
        tracemalloc.stop()
