"""These tests need eight devices: tests/distribute/test_devices.py runs them, in such processes."""

from __future__ import annotations

import os

import pytest

import gradtape as tf

collect_ignore_glob = [] if os.environ.get("GRADTAPE_TEST_DEVICES") == "8" else ["test_*.py"]


@pytest.fixture(scope="module")
def strategy():
    return tf.distribute.MirroredStrategy()
