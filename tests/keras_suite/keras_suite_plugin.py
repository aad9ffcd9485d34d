"""A pytest plugin for Keras's own tests: loads Keras on gradtape and logs each result.

It stands in for the conftest of Keras's repository, which the wheel does not ship: the markers, the
rules for skipping, and `skip_if_backend`, which test modules import from `conftest`.
"""

import contextlib
import gc
import json
import os
import sys
import types
from pathlib import Path

# Packages that only the tests need (jax is the reference of dtype tests; tensorflow, torch and
# grain are imported by tests of data adapters). At the end of the path, so that nothing else
# changes.
sys.path.extend(filter(None, os.environ.get("KERAS_SUITE_SITES", "").split(os.pathsep)))
if os.environ.get("KERAS_SUITE_SITES"):
    # TensorFlow and torch bring libraries of the same names; this order works.
    with contextlib.suppress(ImportError):
        import torch  # noqa: F401

import pytest

from gradtape import keras

LOG = os.environ["KERAS_SUITE_LOG"]
EXCLUDED = frozenset(Path(__file__).with_name("exclusions.txt").read_text("utf-8").splitlines())
_running: dict[str, dict] = {}


def skip_if_backend(given_backend, reason):
    return pytest.mark.skipif(keras.backend.backend() == given_backend, reason=reason)


conftest = types.ModuleType("conftest", "What Keras's tests import from their conftest.")
conftest.skip_if_backend = skip_if_backend
sys.modules["conftest"] = conftest


def _test_id(nodeid: str) -> str:
    """Ids are relative to some root: kept from `keras/src/` on."""
    start = nodeid.find("keras/src/")
    return nodeid[start:] if start >= 0 else nodeid


def _write(record: dict) -> None:
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(json.dumps(record) + "\n")


def pytest_configure(config):
    config.addinivalue_line("markers", "requires_trainable_backend: trainable backends only")
    config.addinivalue_line("markers", "multi_device: needs several devices")


def pytest_collection_modifyitems(config, items):
    kept, left = [], []
    for item in items:
        if "multi_device" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="needs several devices"))
        (left if _test_id(item.nodeid) in EXCLUDED else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def pytest_collection_finish(session):
    # Collected tests are millions of objects, which every full collection would walk.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_runtest_logreport(report):
    name = _test_id(report.nodeid)
    record = _running.setdefault(name, {"id": name, "outcome": "passed", "seconds": 0.0})
    record["seconds"] = round(record["seconds"] + report.duration, 4)
    if report.failed:
        record["outcome"] = "failed"
        record["message"] = str(report.longrepr)[-1500:]
    elif report.skipped and record["outcome"] == "passed":
        record["outcome"] = "skipped"
    if report.when == "teardown":
        _write(_running.pop(name))


def pytest_collectreport(report):
    if report.failed:
        name = _test_id(report.nodeid)
        _write({"id": name, "outcome": "not collected", "message": str(report.longrepr)[-1500:]})
