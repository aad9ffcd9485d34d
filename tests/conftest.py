"""Options of the test run."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from tests import fixed_seeds

# The same examples in every run: one that fails is found by whoever looks for it
# (--hypothesis-profile=fresh), not by whose turn it happens to be. Nothing depends on the clock.
_of_any_speed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _of_any_speed, derandomize=True, database=None)
settings.register_profile("fresh", _of_any_speed, derandomize=False)
settings.load_profile("fixed")


def pytest_addoption(parser):
    parser.addoption(
        "--traced",
        dest="traced",
        action="store_const",
        const="graph",
        help="run each test as the inside of a tf.function (see tests/graph/lazily.py), those of "
        "Keras with all steps and calls in functions (tests/graph/in_functions.py)",
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
    fixed_seeds.install()
    if not config.getoption("accelerator"):
        os.environ["JAX_PLATFORMS"] = "cpu"  # for the processes that tests start, too
    # Announced once in a process: in which test, depends on which of them run.
    config.addinivalue_line("filterwarnings", "ignore:.* runs on the host, in NumPy:UserWarning")
    if config.getoption("traced"):
        from tests.graph import lazily

        lazily.install()


def _on_host(config) -> bool:
    """Whether new tensors stay on the host."""
    name = os.environ.get("GRADTAPE_DEVICE")
    if name is not None or not config.getoption("accelerator"):
        return (name or "CPU").strip("/").startswith("CPU")
    import gradtape as tf

    return tf.constant(0.0).device.endswith("CPU:0")


def pytest_collection_modifyitems(config, items):
    """Leave out tests that assume the host where tensors go to a device."""
    if _on_host(config):
        return
    for item in items:
        mark = item.get_closest_marker("on_host")
        if mark is not None:
            item.add_marker(pytest.mark.skip(reason=mark.args[0]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    fixed_seeds.start(item.nodeid)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    if not item.config.getoption("traced"):
        yield
    elif item.get_closest_marker("keras"):
        from tests.graph import in_functions

        yield from in_functions.run_traced(item)
    else:
        from tests.graph import lazily

        yield from lazily.run_traced(item)
