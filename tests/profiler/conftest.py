import contextlib

import pytest

import gradtape as tf
from tests.profiler.profiles import clocks_are_off


@pytest.fixture(autouse=True)
def nothing_is_left_running():
    yield
    left = True
    try:
        tf.profiler.experimental.stop(save=False)
    except tf.errors.UnavailableError:
        left = False
    with contextlib.suppress(tf.errors.UnavailableError):
        tf.summary.trace_off()
    assert not left
    assert clocks_are_off()
