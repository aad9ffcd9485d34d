"""tensorflow_hub, unmodified, on gradtape: local models are loaded, and trained in Keras models."""

import importlib.util

import pytest

from tests.companions.programs import run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("tensorflow_hub") is None,
        reason="needs tensorflow-hub: make companions",
    ),
]


def test_local_models(tmp_path):
    run("hub.py", tmp_path / "model")
