"""The frame of the native extension: kernels that stand in for NumPy's, memory, threads."""

import os
import subprocess
import sys

import numpy as np
import pytest

import gradtape as tf
from gradtape.backends import cpu
from gradtape.backends import numpy as numpy_backend
from gradtape.backends.native import kernels as native
from gradtape.core.native import materialize
from tests.backends.native.kernels import Declined, native_kernel

pytestmark = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)
RANDOM = np.random.default_rng(7)
BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum")
SHAPES = [
    ((5, 7), (5, 7)),
    ((5, 7), (7,)),
    ((7,), (5, 7)),
    ((5, 7), (5, 1)),
    ((5, 1), (5, 7)),
    ((3, 5, 7), (1, 5, 7)),
    ((3, 5, 7), (3, 1, 1)),
    ((3, 5, 7), (3, 5, 1)),
    ((5, 1), (1, 7)),
    ((0, 3), (3,)),
    ((4, 1), (1, 1)),
    ((300, 1000), (300, 1000)),
    ((300, 1000), (1000,)),
    ((33,), ()),
    ((), (33,)),
    ((), ()),
]


def sample(*shape: int):
    return RANDOM.standard_normal(shape).astype(np.float32)[()]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_arithmetic_equals_numpys(name, left, right):
    x, y = sample(*left), sample(*right)
    result, expected = cpu.kernel(name)(x, y), numpy_backend.kernel(name)(x, y)
    native_kernel(name)(x, y)  # raises where it would leave them to NumPy
    assert type(materialize(result)) is type(expected)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("name", BINARY)
def test_what_is_not_whole_float32_goes_to_numpy(name):
    """Others have their own: halves (test_halves.py), small arrays (test_small_arrays.py)."""
    whole = sample(6, 8)
    for x in (whole[:, ::2], whole.T, whole.astype(np.complex64)):
        with pytest.raises(Declined):
            native_kernel(name)(x, x)
        result, expected = cpu.kernel(name)(x, x), numpy_backend.kernel(name)(x, x)
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


def test_nan_wins_and_signs_are_kept():
    x = np.array([np.nan, 1, -0.0, np.inf, -np.inf], np.float32)
    y = np.array([1, np.nan, 0.0, -np.inf, np.nan], np.float32)
    for name in ("maximum", "minimum"):
        np.testing.assert_array_equal(
            np.isnan(cpu.kernel(name)(x, y)), [True, True, False, False, True]
        )
    np.testing.assert_array_equal(np.signbit(cpu.kernel("abs")(x[1:])), [False] * 4)


def test_relu_grad_is_a_product_as_tensorflows():
    x = np.array([-1, 0, 1, np.nan, -1], np.float32)
    g = np.array([np.inf, np.nan, 2, 3, 4], np.float32)
    for kernel in (cpu.kernel("relu_grad"), numpy_backend.kernel("relu_grad")):
        np.testing.assert_array_equal(kernel(x, g), [np.nan, np.nan, 2, 0, 0])


PRODUCTS = [(3, 4, 5), (128, 784, 256), (1, 5, 7), (5, 1, 7), (5, 7, 1), (8, 512, 512)]


@pytest.mark.parametrize("sizes", PRODUCTS)
@pytest.mark.parametrize("stack", [(), (3,), (2, 2)])
@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
def test_products_equal_numpys(sizes, stack, transpose_a, transpose_b):
    rows, inner, columns = sizes
    x = sample(*stack, *((inner, rows) if transpose_a else (rows, inner)))
    y = sample(*stack, *((columns, inner) if transpose_b else (inner, columns)))
    options = {"transpose_a": transpose_a, "transpose_b": transpose_b}
    expected = numpy_backend.kernel("matmul")(x.astype(np.float64), y.astype(np.float64), **options)
    result = cpu.kernel("matmul")(x, y, **options)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=3e-6 * inner)
    one = y if not stack else y[(0,) * len(stack)]  # a stack times one matrix
    np.testing.assert_allclose(
        cpu.kernel("matmul")(x, one, **options),
        numpy_backend.kernel("matmul")(x.astype(np.float64), one.astype(np.float64), **options),
        rtol=1e-5,
        atol=3e-6 * inner,
    )


def test_products_of_views():
    x, y = sample(40, 30), sample(60, 50)
    for a, b in ((x[:, :20], y[:20]), (x.T, y[:40]), (x[::2], y[::2]), (x[:, ::-1], y[:30])):
        np.testing.assert_allclose(
            cpu.kernel("matmul")(a, b, transpose_a=False, transpose_b=False),
            a @ b,
            rtol=1e-4,
            atol=1e-4,
        )


def test_new_arrays_begin_at_a_cache_line_and_own_their_memory():
    y = cpu.kernel("add")(sample(1000), sample(1000))
    assert y.ctypes.data % 64 == 0
    assert y.flags.owndata
    before = y.copy()
    y.resize(3000, refcheck=False)  # NumPy asks the store for a larger block
    np.testing.assert_array_equal(y[:1000], before)


def test_results_do_not_depend_on_the_number_of_threads():
    x, y = sample(700, 900), sample(900, 300)
    before = native.extension.num_threads()
    try:
        result = []
        for threads in (1, 2, 3):
            native.extension.set_num_threads(threads)
            result.append((cpu.kernel("add")(x, x[0]), cpu.kernel("square")(x)))
            np.testing.assert_allclose(
                cpu.kernel("matmul")(x, y, transpose_a=False, transpose_b=False),
                x @ y,
                rtol=1e-4,
                atol=1e-3,
            )
        for sums, squares in result[1:]:
            np.testing.assert_array_equal(sums, result[0][0])
            np.testing.assert_array_equal(squares, result[0][1])
    finally:
        native.extension.set_num_threads(before)


def test_the_number_of_threads_is_set_by_tensorflows_name_and_ours():
    before = native.extension.num_threads()
    try:
        tf.config.threading.set_intra_op_parallelism_threads(3)
        assert native.extension.num_threads() == 3
        tf.config.set_num_threads(1)
        assert native.extension.num_threads() == 1
        with pytest.raises(ValueError, match=r"num_threads must be 0 .* got -1"):
            tf.config.set_num_threads(-1)
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(0)
        native.extension.set_num_threads(before)


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_forked_child_has_threads_of_its_own():
    program = """
import os, warnings
warnings.simplefilter("ignore")
import gradtape as tf
x = tf.random.normal([600, 600])
expected = float(tf.reduce_sum(x @ x))
child = os.fork()
if child == 0:
    os._exit(0 if abs(float(tf.reduce_sum(x @ x)) - expected) < 1e-2 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(program, GRADTAPE_NUM_THREADS="2") == "0"


def test_the_environment_leaves_the_extension_out():
    program = "from gradtape.backends.native import kernels; print(kernels.status())"
    assert run(program, GRADTAPE_NATIVE="0").startswith("native kernels: left out, as GRADTAPE_")
    assert "threads" in run(program, GRADTAPE_NATIVE="1")


def test_the_environment_names_an_instruction_set():
    program = """
import numpy as np
from gradtape.backends import cpu
from gradtape.backends.native import kernels as native
x = np.arange(37, dtype=np.float32)
assert (cpu.kernel("multiply")(x, x) == x * x).all()
print(native.extension.instruction_set())
"""
    assert run(program, GRADTAPE_ISA="portable") == "portable"


def test_a_name_without_a_native_kernel_is_numpys():
    kernel = native.extension.kernel("nothing", lambda x, *, scale: (x, scale))
    assert kernel(1, scale=2) == (1, 2)
    assert kernel.name == "nothing"


def test_wrong_shapes_are_explained_as_ever():
    with pytest.raises(tf.errors.InvalidArgumentError, match="MatMul: Matrix size-incompatible"):
        tf.linalg.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[2, ?3\]|\(2, ?3\)"):
        tf.ones([2, 3]) + tf.ones([4])
