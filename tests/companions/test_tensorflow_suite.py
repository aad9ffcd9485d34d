"""TensorFlow's own tests: what they import has stand-ins, and what needs a graph is skipped."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUITES = Path(__file__).parent / "suites"
TEST = """
import unittest

from tensorflow.core.protobuf import config_pb2
from tensorflow.python.eager import backprop, context
from tensorflow.python.framework import combinations, constant_op, ops, test_ops, test_util
from tensorflow.python.kernel_tests.nn_ops import numbers_test_base
from tensorflow.python.ops import array_ops, gen_array_ops, gradient_checker_v2, math_ops
from tensorflow.python.ops.ragged import ragged_factory_ops
from tensorflow.python.platform import test


@test_util.run_all_in_graph_and_eager_modes
class PlainTest(test_util.TensorFlowTestCase):
    def test_values(self):
        with self.cached_session() as session:
            x = ops.convert_to_tensor(numbers_test_base.NUMBERS)
            self.assertAllEqual(session.run(math_ops.square(x)), [1.0, 4.0])
            self.assertAllEqual(array_ops.reverse_v2(x, [0]), [2.0, 1.0])
            self.assertAllEqual(gen_array_ops.reverse_v2(x, [0]), [2.0, 1.0])

    def test_gradients(self):
        (gradient,) = backprop.gradients_function(math_ops.square)(3.0)
        self.assertEqual(self.evaluate(gradient), 6.0)
        error = gradient_checker_v2.max_error(
            *gradient_checker_v2.compute_gradient(math_ops.square, [constant_op.constant(3.0)])
        )
        self.assertLess(error, 1e-2)

    def test_ragged(self):
        rows = [[1, 2], []]
        self.assertAllEqual(
            ragged_factory_ops.constant(rows), ragged_factory_ops.constant_value(rows)
        )

    @test_util.run_v1_only("a reason")
    def test_session(self):
        raise AssertionError

    @test_util.run_v1_only("a reason")
    def test_of_version_1(self):
        raise AssertionError

    def test_graph(self):
        with ops.Graph().as_default():
            raise AssertionError

    def test_graph_mode(self):
        with context.graph_mode():
            raise AssertionError

    @test_util.run_gpu_only
    def test_on_a_gpu(self):
        raise AssertionError

    def test_buffers(self):
        config_pb2.ConfigProto()

    def test_inner_ops(self):
        test_ops.resource_create_op()


class BothModesTest(test.TestCase):
    @combinations.both_modes
    def test_modes(self, mode):
        self.assertEqual(mode, "eager")


if __name__ == "__main__":
    test.main()
"""
COMBINATIONS = """
from tensorflow.python.eager import context


def both_modes(test):
    def method(self):
        with context.eager_mode():
            test(self, "eager")

    return method
"""
FILES = {
    # It must not be taken for the package.
    "__init__.py": "raise ImportError('the checkout is imported')\n",
    "python/__init__.py": "raise ImportError('the checkout is imported')\n",
    "python/framework/combinations.py": COMBINATIONS,
    "python/kernel_tests/nn_ops/numbers_test_base.py": "NUMBERS = [1.0, 2.0]\n",
    "python/kernel_tests/nn_ops/plain_test.py": TEST,
}
MODULES = (
    "eager/backprop eager/context framework/ops framework/test_util ops/array_ops "
    "ops/gen_array_ops ops/gradient_checker_v2 ops/math_ops ops/ragged/ragged_factory_ops "
    "platform/test"
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Run such a test file, in the manner of TensorFlow's, and return the outcomes by test."""
    folder = tmp_path_factory.mktemp("suite")
    empty = {f"python/{name}.py": "" for name in MODULES.split()}
    for name, text in (FILES | empty).items():
        path = folder / "checkout" / "tensorflow" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    # The other side is asked for what does not pass here: a Python that ends at once.
    command = [sys.executable, str(SUITES / "run.py"), "tensorflow", "--failing"]
    command += ["--source", str(folder / "checkout"), "--other", shutil.which("true") or ""]
    command += ["--results", str(folder / "results")]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not finished.stderr
    log = folder / "results" / "tensorflow" / "here.jsonl"
    records = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    return finished.stdout, {record["id"].rpartition("::")[2]: record for record in records}


def test_what_needs_no_graph_passes(results):
    output, records = results
    passed = {test for test, record in records.items() if record["outcome"] == "passed"}
    assert passed == {"test_values", "test_gradients", "test_ragged", "test_modes"}
    assert "kernel_tests/nn_ops" in output


def test_what_needs_a_graph_is_counted_apart(results):
    output, records = results
    graphs = {test for test, record in records.items() if record["outcome"] == "graph"}
    assert graphs == {"test_of_version_1", "test_graph", "test_graph_mode"}
    assert "3 tests that need a graph or a session of TensorFlow 1 are not counted" in output


def test_what_needs_more_is_skipped_with_the_reason(results):
    _, records = results
    assert "needs a GPU" in records["test_on_a_gpu"]["text"]
    assert "uses tensorflow.core.protobuf.config_pb" in records["test_buffers"]["text"]
    assert "uses tensorflow.python.framework.test_ops" in records["test_inner_ops"]["text"]


def test_names_of_two_versions(tmp_path):
    """A plain name is that of TensorFlow 1 where a checkout has a second version."""
    module = tmp_path / "tensorflow" / "python" / "ops" / "math_ops.py"
    module.parent.mkdir(parents=True)
    module.write_text("def reduce_sum_v2():\n    pass\n", "utf-8")
    program = (
        "from pathlib import Path\n"
        "from stand_ins.here import Module\n"
        f"module = Module('ops.math_ops', Path({str(module)!r}))\n"
        "assert module.reduce_sum([[1, 2]], reduction_indices=1).numpy() == [3]\n"
        "assert module.reduce_sum_v2([[1, 2]], axis=1).numpy() == [3]\n"
    )
    command = [sys.executable, "-c", program]
    environment = {"PYTHONPATH": str(SUITES)}
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert not finished.stderr
