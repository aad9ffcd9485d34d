"""Options of the test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--traced",
        action="store_true",
        help="run each test as the inside of a tf.function (see tests/trace/lazily.py)",
    )


def pytest_configure(config):
    if config.getoption("--traced"):
        from tests.trace import lazily

        lazily.install()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    if item.config.getoption("--traced"):
        from tests.trace import lazily

        yield from lazily.run_traced(item)
    else:
        yield
