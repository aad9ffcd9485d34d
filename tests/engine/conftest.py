"""What the tests of the tape's semantics share: which module they test, and what it logs.

The tests state what TensorFlow 2 does. They run on gradtape, and on the module named by
GRADTAPE_TEST_MODULE: `GRADTAPE_TEST_MODULE=tensorflow pytest tests/engine` shows that they
state the truth. Files named `test_beyond_*` hold what gradtape does differently on purpose.
"""

import importlib
import logging
import os
import warnings

import pytest

MODULE_NAME = os.environ.get("GRADTAPE_TEST_MODULE", "gradtape")

# TensorFlow prints notes on the processor while it loads; they would drown the report.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def pytest_collection_modifyitems(items):
    if MODULE_NAME == "gradtape":
        return
    beyond = pytest.mark.skip(reason=f"gradtape goes beyond {MODULE_NAME} here")
    for item in items:
        if item.path.name.startswith("test_beyond_"):
            item.add_marker(beyond)


@pytest.fixture(scope="session")
def tf():
    """The module under test."""
    return importlib.import_module(MODULE_NAME)


@pytest.fixture
def gradient_of(tf):
    """A function that returns the gradients of `function(*sources)`, one for each source."""

    def gradient_of(function, *sources):
        with tf.GradientTape() as tape:
            tape.watch(sources)
            target = function(*sources)
        gradients = tape.gradient(target, list(sources))
        return gradients[0] if len(sources) == 1 else gradients

    return gradient_of


class _Collector(logging.Handler):
    def __init__(self):
        super().__init__()
        self.messages = []

    def emit(self, record):
        self.messages.append(record.getMessage())


@pytest.fixture
def logged(tf):
    """The texts that the module under test logs, or gives as Python warnings, in this test."""
    logger = tf.get_logger() if hasattr(tf, "get_logger") else logging.getLogger(MODULE_NAME)
    collector = _Collector()
    level = logger.level
    logger.addHandler(collector)
    logger.setLevel(logging.WARNING)
    original = warnings.showwarning
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_, **__: collector.messages.append(str(message))
        try:
            yield collector.messages
        finally:
            warnings.showwarning = original
            logger.removeHandler(collector)
            logger.setLevel(level)
