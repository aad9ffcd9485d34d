"""The examples learn what they set out to."""

import importlib
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(keras, monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if name.startswith("keras_") and not name.startswith("keras_gradtape"):
            del sys.modules[name]


def test_cnn(example):
    losses, accuracy = example("keras_cnn").main(epochs=4, verbose=0)
    assert losses[-1] < 0.4 * losses[0]
    assert accuracy > 0.9


def test_text(example):
    losses, accuracy = example("keras_text").main(verbose=False)
    assert losses[-1] < 0.3 * losses[0]
    assert accuracy > 0.9


def test_transformer(example):
    losses, accuracy = example("keras_transformer").main(verbose=0)
    assert losses[-1] < 0.1 * losses[0]
    assert accuracy > 0.95


def test_vae(example):
    losses = example("keras_vae").main(epochs=8, verbose=0)
    assert losses[-1] < 0.8 * losses[0]


def test_gan(example):
    distances = example("keras_gan").main(steps=500, verbose=False)
    assert distances[-1] < 0.3 * distances[0]


def test_wgan_gp(example):
    distances, (before, after) = example("keras_wgan_gp").main(epochs=8, verbose=0)
    # The critic first has to learn to see a distance.
    assert distances[-1] < 0.75 * max(distances)
    assert after < 0.5 * before
