"""Options of the test run."""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--traced",
        dest="traced",
        action="store_const",
        const="graph",
        help="run each test as the inside of a tf.function (see tests/trace/lazily.py), those of "
        "Keras with all steps and calls in functions (tests/trace/in_functions.py)",
    )
    parser.addoption(
        "--traced-xla",
        dest="traced",
        action="store_const",
        const="xla",
        help="the same, with functions that XLA compiles",
    )
    parser.addoption(
        "--accelerator",
        action="store_true",
        help="tensors go to the machine's GPU or TPU, if it has one; else they stay on the host, "
        "so that the tests are the same ones on every machine",
    )


def pytest_configure(config):
    if not config.getoption("accelerator"):
        os.environ["JAX_PLATFORMS"] = "cpu"  # for the processes that tests start, too
    if config.getoption("traced"):
        from tests.trace import lazily

        lazily.install()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    if not item.config.getoption("traced"):
        yield
    elif item.get_closest_marker("keras"):
        from tests.trace import in_functions

        yield from in_functions.run_traced(item)
    else:
        from tests.trace import lazily

        yield from lazily.run_traced(item)
