"""The search for differences, without TensorFlow: gradtape beside itself, and beside faults."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.fuzz.differential.catalog import OPS
from tests.fuzz.differential.compare import difference
from tests.fuzz.differential.programs import Array, Statement
from tests.fuzz.differential.search import Search
from tests.fuzz.differential.workers import Pair, Worker

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])}
# What programs are made of where a fault is to be found soon.
FEW = ("tf.exp(", "tf.square(", "tf.reduce_sum(", "tf.reshape({x}", "tf.transpose(", "{x} * {y}")


@pytest.fixture
def pair_with():
    made = []

    def make(module):
        workers = [Worker(sys.executable, name, 600, ENVIRONMENT) for name in (module, "gradtape")]
        made.append(Pair(*workers))
        return made[-1]

    yield make
    for pair in made:
        pair.close()


def faults(pair, fault: str, programs: int = 60) -> list:
    """What is found in programs of a few ops, one of which has a fault."""
    ops = [op for op in OPS if op.template == fault or any(few in op.template for few in FEW)]
    return list(Search(pair, 5, ops=ops).differences(1e9, programs))


def test_nothing_differs_from_itself(pair_with):
    search = Search(pair_with("gradtape"), seed=1)
    assert [result.program for result in search.differences(1e9, programs=25)] == []
    assert search.run_count > 100


def test_a_wrong_value_is_found_and_minimized(pair_with):
    result = faults(pair_with("planted"), "tf.tanh({x})")
    assert any(each.text.startswith("value") for each in result)
    eager = next(each for each in result if len(each.statements) == 2)
    array, op = eager.statements
    assert isinstance(array, Array)
    assert np.prod(array.shape) <= 1
    assert len(array.shape) == 2
    assert op.text.endswith(f"tf.tanh({array.name})")
    # It is a program that runs.
    command = [sys.executable, "-c", eager.program, "gradtape"]
    environment = {**os.environ, **ENVIRONMENT}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "shape=" in done.stdout


def test_a_wrong_derivative_is_found(pair_with):
    result = faults(pair_with("planted"), "tf.cosh({x})")
    assert result
    words = ("Tape", "Accumulator", "tf.gradients")
    assert all(any(word in each.program for word in words) for each in result)
    shortest = min(result, key=lambda each: len(each.program))
    function = shortest.statements[-2]
    assert [each.text.partition("= ")[2][:8] for each in function.body] == ["tf.cosh("]


def test_a_process_that_dies_is_found(pair_with):
    result = faults(pair_with("planted"), "tf.sinh({x})", programs=12)
    assert {each.text.partition(":")[0] for each in result} == {"died"}
    assert min(len(each.statements) for each in result) == 2


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        (np.float32([1, np.nan]), np.float32([1.00001, np.nan]), None),
        (np.float32([1, np.inf]), np.float32([1, -np.inf]), "value"),
        (np.float32([1, 2]), np.float32([1, 2.1]), "value"),
        (np.float64([1, 2]), np.float64([1, 2.00001]), "value"),
        (np.float32([1, 2]), np.float64([1, 2]), "dtype"),
        (np.float32([1, 2]), np.float32([[1, 2]]), "shape"),
        (np.int32([1, 2]), np.int32([1, 3]), "value"),
    ],
)
def test_comparing(ours, theirs, kind):
    outcomes = [("array", x.dtype.name, x.shape, x) for x in (ours, theirs)]
    text = difference(*outcomes)
    assert (text and text.partition(":")[0]) == kind


def test_comparing_errors():
    failed = ("error", ["ValueError", "Exception"], "no")
    value = ("python", 3)
    assert difference(failed, failed) is None
    assert (difference(failed, value) or "").startswith("fails: ValueError")
    assert (difference(value, failed) or "").startswith("accepts")
    lacking = ("error", ["NotFoundError"], "Could not find device for node")
    assert difference(value, lacking) is None
    assert (difference(("died", "signal 11"), value) or "").startswith("died")


def test_statements_are_what_a_person_reads():
    array = Array("a1", "", (), True, (2,), "float16", "ones", 0)
    assert array.render() == "a1 = tf.cast(np.ones((2,)), tf.float16)"
    assert Statement("t2", "t2 = tf.exp(a1)", ("a1",)).render() == "t2 = tf.exp(a1)"
