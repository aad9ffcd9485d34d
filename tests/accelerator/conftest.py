"""What all tests here need: an accelerator."""

import os

import pytest


@pytest.fixture
def accelerator(request):
    """Skip where nobody asked for an accelerator; where one was asked for, it must be there."""
    if not (os.environ.get("GRADTAPE_DEVICE") or request.config.getoption("accelerator")):
        pytest.skip("no accelerator was asked for: see make test-accelerator and make test-gpu")
    import gradtape as tf

    assert not tf.constant(0.0).device.endswith("CPU:0"), "new tensors do not go to an accelerator"
