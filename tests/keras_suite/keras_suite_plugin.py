"""A pytest plugin for Keras's own tests: loads Keras on gradtape and logs each result.

It stands in for the conftest of Keras's repository, which the wheel does not ship: the markers, the
rules for skipping, and `skip_if_backend`, which test modules import from `conftest`.
"""

import contextlib
import gc
import importlib.machinery
import importlib.util
import json
import os
import re
import sys
import types
from pathlib import Path

# TensorFlow and torch bring libraries of the same names; this order works.
with contextlib.suppress(ImportError):
    import torch  # noqa: F401

import pytest

from gradtape import keras, keras_plug

TRAINER_TEST = "keras.src.trainers.trainer_test"
keras_plug.BRANCHES[TRAINER_TEST] = keras_plug.BRANCHES["keras.src.models.model"]

# Tests that make tensors or gradients of the backend itself have a branch for each backend that
# Keras knows. gradtape takes that of TensorFlow, whose functions it has; but not where TensorFlow's
# branch goes on to export the model to a SavedModel.
ADAPTATIONS = (
    (
        re.compile(
            r'if backend\.backend\(\) == "tensorflow":(\n +)import tensorflow as tf\n'
            r"(?!\n +temp_filepath)"
        ),
        r'if backend.backend() in ("tensorflow", "gradtape"):\1import gradtape as tf\n',
    ),
    (re.compile(r"(def test_\w*ragged\w*\(self\):\n +)import tensorflow"), r"\1import gradtape"),
    (re.compile(r'("tensorflow": "CPU:0",)'), r'\1 "gradtape": "CPU:0",'),
    (re.compile(r'not in \("tensorflow", "jax", "torch"\)'), 'not in ("jax", "gradtape")'),
    # Products of sparse tensors of these dtypes are what TensorFlow lacks.
    (re.compile(r'if x_sparse and y_sparse and dtype in \("float16", "int32"\):'), "if False:"),
)
# Tests of what is written for TensorFlow alone use its tensors and datasets: gradtape's, here.
ADAPTATIONS_FOR_TENSORFLOW = (
    *keras_plug.REACHES,
    (re.compile(r"from tensorflow import data as tf_data"), "from gradtape import data as tf_data"),
)
FOR_TENSORFLOW = re.compile(
    r"keras\.src\.(layers\.preprocessing\.(\w+\.)*\w+|utils\.\w*dataset_utils)_test"
)
ADAPTED = re.compile(r"keras\.src\.(\w+\.)*(\w+_test|testing\.test_case)")

LOG = os.environ["KERAS_SUITE_LOG"]
PART, PARTS = map(int, os.environ["KERAS_SUITE_PART"].split("/"))
SKIPPED = os.environ["KERAS_SUITE_SKIP"] or None
EXCLUDED = frozenset(Path(__file__).with_name("exclusions.txt").read_text("utf-8").splitlines())
_running: dict[str, dict] = {}


class _AdaptedLoader(importlib.machinery.SourceFileLoader):
    """Loads a module of tests with the adaptations, and without a cache that others would read."""

    def get_source(self, fullname):
        source = super().get_source(fullname)
        is_for_tensorflow = FOR_TENSORFLOW.fullmatch(fullname)
        for pattern, replacement in (
            ADAPTATIONS_FOR_TENSORFLOW if is_for_tensorflow else ADAPTATIONS
        ):
            source = pattern.sub(replacement, source)
        return source

    def get_code(self, fullname):
        source, path = self.get_source(fullname), self.get_filename(fullname)
        if fullname in keras_plug.BRANCHES:
            return keras_plug.with_branch(fullname, source, path)
        return compile(source, path, "exec", dont_inherit=True)


class _Finder:
    @staticmethod
    def find_spec(fullname, path=None, target=None):
        if not ADAPTED.fullmatch(fullname):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _AdaptedLoader(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder)


def skip_if_backend(given_backend, reason):
    return pytest.mark.skipif(keras.backend.backend() == given_backend, reason=reason)


conftest = types.ModuleType("conftest", "What Keras's tests import from their conftest.")
conftest.skip_if_backend = skip_if_backend
sys.modules["conftest"] = conftest


def _of_all_tests(name: str) -> types.ModuleType:
    """A helper of this project's own tests, in the folder above this one."""
    path = Path(__file__).parents[1] / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fixed_seeds = _of_all_tests("fixed_seeds")


def _test_id(nodeid: str) -> str:
    """Ids are relative to some root: kept from `keras/src/` on."""
    start = nodeid.find("keras/src/")
    return nodeid[start:] if start >= 0 else nodeid


def _write(record: dict) -> None:
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(json.dumps(record) + "\n")


def pytest_configure(config):
    fixed_seeds.install()
    # pytest has put its own finder of test modules in front.
    sys.meta_path.remove(_Finder)
    sys.meta_path.insert(0, _Finder)
    config.addinivalue_line("markers", "requires_trainable_backend: trainable backends only")
    config.addinivalue_line("markers", "multi_device: needs several devices")


def pytest_collection_modifyitems(config, items):
    kept, left = [], []
    for number, item in enumerate(items):
        if "multi_device" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="needs several devices"))
        name = _test_id(item.nodeid)
        is_slow = SKIPPED is not None and name.startswith(SKIPPED)
        is_elsewhere = number % PARTS != PART
        (left if name in EXCLUDED or is_slow or is_elsewhere else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def pytest_collection_finish(session):
    # Collected tests are millions of objects, which every full collection would walk.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    fixed_seeds.start(_test_id(item.nodeid))


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
