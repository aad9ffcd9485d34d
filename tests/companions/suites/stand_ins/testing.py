"""`framework.test_util` and `platform.test`: every test runs once, eagerly, on the CPU."""

from __future__ import annotations

import contextlib
import functools
import itertools
import tempfile
import unittest
from unittest import mock

from records import NEEDS_A_GRAPH

import gradtape as tf
from gradtape.core.tensor import Tensor
from stand_ins.graphs import FakeSession

__all__ = ["mock"]

Tensor.eval = lambda self, feed_dict=None, session=None: FakeSession().run(self, feed_dict)


def skip_all(reason: str):
    """Return a decorator, with or without options, that skips tests."""

    def decorate(function=None, *args, **options):
        if function is None or not callable(function):
            return decorate
        return unittest.skip(reason)(function)

    return decorate


def once(function=None, *args, **options):
    """Return a function or class as it is; without one, the decorator that does."""
    return function if callable(function) else once


run_v1_only = deprecated_graph_mode_only = run_all_in_deprecated_graph_mode_only = skip_all(
    NEEDS_A_GRAPH
)
run_all_in_graph_mode_only = build_as_v1_graph = build_as_function_and_v1_graph = run_v1_only
run_gpu_only = run_cuda_only = run_gpu_or_tpu = skip_all("needs a GPU")
assert_no_new_pyobjects_executing_eagerly = skip_all("counts TensorFlow's own objects")
assert_no_garbage_created = assert_no_new_tensors = assert_no_new_pyobjects_executing_eagerly


def __getattr__(name: str):
    """Decorators that turn a part of TensorFlow on or off change nothing here."""
    if name.startswith(("is_", "IsBuilt", "IsMkl", "GpuSupports")):
        return lambda *args, **options: False
    beginnings = ("run_", "disable_", "enable_", "with_", "xla_", "no_xla", "also_run_", "set_xla")
    if name.startswith(beginnings):
        return once
    raise AttributeError(name)


def disable_with_predicate(pred, skip_message):
    """Return a decorator that changes nothing: predicates are about devices and compilers."""
    return once


def run_functions_eagerly(run_eagerly):
    """Return a context in which functions are traced or not."""

    @contextlib.contextmanager
    def context():
        before = tf.config.functions_run_eagerly()
        tf.config.run_functions_eagerly(run_eagerly)
        try:
            yield
        finally:
            tf.config.run_functions_eagerly(before)

    return context()


def get_temp_dir() -> str:
    """Return a new folder."""
    return tempfile.mkdtemp()


def on_cpu(*args, **options):
    """Return a context that changes nothing."""
    return contextlib.nullcontext()


use_gpu = force_cpu = force_gpu = device = deterministic_ops = skip_if_error = on_cpu


def gpu_device_name() -> str:
    """Return the name of the first GPU: there is none."""
    return ""


def NHWCToNCHW(value):  # TensorFlow's name
    """Return a tensor, or a shape, with the channels before the places."""
    return _permuted(value, [0, -1, *range(1, _rank(value) - 1)])


def NCHWToNHWC(value):  # TensorFlow's name
    """Return a tensor, or a shape, with the channels at the end."""
    return _permuted(value, [0, *range(2, _rank(value)), 1])


def _rank(value) -> int:
    return len(value.shape) if isinstance(value, tf.Tensor) else len(value)


def _permuted(value, order):
    if isinstance(value, tf.Tensor):
        return tf.transpose(value, [i % _rank(value) for i in order])
    return [value[i] for i in order]


class AbstractGradientTape:
    """A persistent tape; TensorFlow's can also be one that makes graphs."""

    def __init__(self, use_tape, persistent=False) -> None:
        self.tape = tf.GradientTape(persistent=True)

    def __enter__(self):
        self.tape.__enter__()
        return self

    def __exit__(self, *exception):
        return self.tape.__exit__(*exception)

    def watch(self, x):
        self.tape.watch(x)

    def gradient(self, y, xs, *args):
        return self.tape.gradient(y, xs, *args)


def for_all_test_methods(decorator, *args, **options):
    """Return a decorator of classes that decorates each test."""

    def decorate(cls):
        for name, value in list(vars(cls).items()):
            if name.startswith(unittest.TestLoader.testMethodPrefix) and callable(value):
                setattr(cls, name, decorator(*args, **options)(value))
        return cls

    return decorate


def skip_if(condition):
    """Return a decorator that skips a test if a condition, or what it returns, is true."""

    def decorate(function):
        @functools.wraps(function)
        def test(*args, **options):
            if condition() if callable(condition) else condition:
                raise unittest.SkipTest("skip_if")
            return function(*args, **options)

        return test

    return decorate


def generate_combinations_with_testcase_name(**values):
    """Return all combinations of named values, each with a name of its own."""
    result = []
    for combination in itertools.product(*values.values()):
        chosen = dict(zip(values, combination, strict=True))
        words = [f"{key}_{value}" for key, value in chosen.items()]
        name = "".join(filter(str.isalnum, "_".join(words).replace("_", "")))
        result.append({**chosen, "testcase_name": f"_{name}"})
    return result


class TensorFlowTestCase(tf.test.TestCase):
    """TensorFlow's class of tests, with sessions that return what was computed."""

    @contextlib.contextmanager
    def cached_session(self, *args, **options):
        yield FakeSession()

    session = test_session = cached_session

    def assertHasSession(self, *args) -> None:
        pass

    def assertDeviceEqual(self, *args) -> None:
        pass

    def assertProtoEquals(self, *args, **options):
        raise unittest.SkipTest("compares protocol buffers")

    assertProtoEqualsVersion = assertProtoEquals


TestCase = TensorFlowTestCase


class Benchmark:
    """A base of classes whose methods are not run."""


def main(argv=None) -> None:
    """Do nothing: pytest runs the tests."""
