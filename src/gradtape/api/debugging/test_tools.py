"""`tf.test`: a test case that compares tensors, and gradients checked numerically."""

# The rules about pytest are not for this module: it is made of unittest's own methods.
# ruff: noqa: PT009, PT027

from __future__ import annotations

import contextlib
import random
import tempfile
import unittest
from collections.abc import Generator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.random.draws import set_seed
from gradtape.api.sparse.tensor import SparseTensor, SparseTensorValue
from gradtape.core import nest
from gradtape.core.errors import InvalidArgumentError, OpError
from gradtape.core.protocols import is_ragged
from gradtape.core.state import not_recording
from gradtape.core.tensor import Tensor
from gradtape.engine.tape import GradientTape, UnconnectedGradients


def _array(value) -> np.ndarray:
    if type(value).__name__ == "SparseTensor":
        from gradtape.api.sparse.construction import to_dense

        value = to_dense(value)
    value = ops.to_tensor(value).numpy() if ops.is_tensor_like(value) else value
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def _pair(a, b) -> tuple[np.ndarray, np.ndarray]:
    """Return two values as arrays that can be compared: text as its bytes if one has bytes."""
    a, b = _array(a), _array(b)
    if a.dtype.kind != b.dtype.kind and {a.dtype.kind, b.dtype.kind} <= set("USO"):
        return _encoded(a), _encoded(b)
    return a, b


def _encoded(array) -> np.ndarray:
    result = np.empty(array.size, object)
    result[:] = [x.encode() if isinstance(x, str) else x for x in array.flat]
    return result.reshape(array.shape)


def _listed(value) -> Any:
    """Return a tensor, ragged or not, or a structure of lists and arrays as lists."""
    if is_ragged(value):
        return value.to_list()
    if isinstance(value, (list, tuple)):
        return [_listed(each) for each in value]
    return _array(value).tolist()


def _is_mapping(value) -> bool:
    return isinstance(value, dict)


class EagerSession:
    """What tests of TensorFlow 1 and 2 get for a session: its `run` returns computed values."""

    def __init__(self, test: TestCase) -> None:
        self._test = test

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if feed_dict:
            raise RuntimeError(
                "session.run: feed_dict: tensors are computed at once, there are no placeholders. "
                "Make the tensors of these values, or pass them to a function."
            )
        return self._test.evaluate(fetches)


@export("test.TestCase")
class TestCase(unittest.TestCase):
    """Python's test case, with comparisons of tensors, arrays and structures of them."""

    __test__ = False  # a base class for tests, and none itself

    def __init_subclass__(cls, **options) -> None:
        super().__init_subclass__(**options)
        if "__test__" not in vars(cls):
            cls.__test__ = True

    def setUp(self) -> None:
        random.seed(87654321)
        np.random.seed(87654321)  # noqa: NPY002 (programs under test draw from it)
        set_seed(87654321)

    def get_temp_dir(self) -> str:
        """Return a folder for this test, deleted when it has run."""
        if not hasattr(self, "_folder"):
            self._folder = tempfile.mkdtemp()
            import shutil

            self.addCleanup(shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def evaluate(self, tensors):
        """Return tensors as arrays, in their structure."""
        return nest.map_structure(_evaluated, tensors)

    @contextlib.contextmanager
    def session(
        self, graph=None, config=None, use_gpu=True, force_gpu=False
    ) -> Generator[EagerSession]:
        """Open a block in which nothing is different; `run` of its session is `evaluate`."""
        yield EagerSession(self)

    cached_session = session

    def _GetNdArray(self, a) -> np.ndarray:  # TensorFlow's name, which subclasses call
        return _array(a)

    # --- values ----------------------------------------------------------------------------------

    def assertAllEqual(self, a, b, msg=None) -> None:
        try:
            a, b = _pair(a, b)
        except ValueError:  # rows of different lengths
            self.assertEqual(_listed(a), _listed(b), msg)
            return
        self.assertEqual(a.shape, b.shape, self._text(f"shapes {a.shape} and {b.shape}", msg))
        nan_equal = a.dtype.kind in "fc" and b.dtype.kind in "fc"
        if not np.array_equal(a, b, equal_nan=nan_equal):
            indices = np.argwhere(a != b)[:10].tolist()
            self.fail(self._text(f"not equal at {indices}:\n{a}\n{b}", msg))

    def assertNotAllEqual(self, a, b, msg=None) -> None:
        a, b = _pair(a, b)
        if a.shape == b.shape and np.array_equal(a, b):
            self.fail(self._text("The two values are equal at all elements.", msg))

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None) -> None:
        if _is_mapping(a) or _is_mapping(b):
            self.assertEqual(sorted(a), sorted(b), msg)
            for key in a:
                self.assertAllClose(a[key], b[key], rtol, atol, msg)
            return
        if is_ragged(a) or is_ragged(b):
            a, b = _listed(a), _listed(b)
        try:
            arrays = _array(a), _array(b)
        except (TypeError, ValueError):  # not rectangular: compared item by item
            self.assertEqual(len(a), len(b), msg)
            for x, y in zip(a, b, strict=True):
                self.assertAllClose(x, y, rtol, atol, msg)
        else:
            self._assert_close(*arrays, rtol, atol, msg)

    def _assert_close(self, a, b, rtol, atol, msg) -> None:
        self.assertEqual(a.shape, b.shape, self._text(f"shapes {a.shape} and {b.shape}", msg))
        if not np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
            worst = np.max(np.abs(a - b))
            self.fail(self._text(f"not close: largest difference {worst}\n{a}\n{b}", msg))

    def assertNotAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None) -> None:
        try:
            self.assertAllClose(a, b, rtol, atol, msg)
        except AssertionError:
            return
        self.fail(self._text("The two values are close at all elements.", msg))

    def assertAllCloseAccordingToType(
        self,
        a,
        b,
        rtol=1e-6,
        atol=1e-6,
        float_rtol=1e-6,
        float_atol=1e-6,
        half_rtol=1e-3,
        half_atol=1e-3,
        bfloat16_rtol=1e-2,
        bfloat16_atol=1e-2,
        msg=None,
    ) -> None:
        names = {ops.to_tensor(x).dtype.name for x in (a, b)}
        if names & {"float32", "complex64"}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if "float16" in names:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if "bfloat16" in names:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertArrayNear(self, farray1, farray2, err, msg=None) -> None:
        self.assertEqual(len(farray1), len(farray2), msg)
        for x, y in zip(farray1, farray2, strict=True):
            self.assertNear(float(x), float(y), err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None) -> None:
        distance = np.linalg.norm(_array(ndarray1) - _array(ndarray2))
        self.assertLess(distance, err, msg)

    def assertNear(self, f1, f2, err, msg=None) -> None:
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, self._text(f"{f1} != {f2} +/- {err}", msg))

    def assertAllGreater(self, a, comparison_target) -> None:
        self.assertGreater(_array(a).min(), comparison_target)

    def assertAllGreaterEqual(self, a, comparison_target) -> None:
        self.assertGreaterEqual(_array(a).min(), comparison_target)

    def assertAllLess(self, a, comparison_target) -> None:
        self.assertLess(_array(a).max(), comparison_target)

    def assertAllLessEqual(self, a, comparison_target) -> None:
        self.assertLessEqual(_array(a).max(), comparison_target)

    def assertAllInRange(
        self, target, lower_bound, upper_bound, open_lower_bound=False, open_upper_bound=False
    ) -> None:
        values = _array(target)
        low = values > lower_bound if open_lower_bound else values >= lower_bound
        high = values < upper_bound if open_upper_bound else values <= upper_bound
        if not (low & high).all():
            self.fail(f"Values outside of {lower_bound} and {upper_bound}: {values[~(low & high)]}")

    def assertAllInSet(self, target, expected_set) -> None:
        others = set(_array(target).reshape(-1).tolist()) - set(expected_set)
        if others:
            self.fail(
                f"{len(others)} unique element(s) are not in the set {expected_set}: {others}"
            )

    # --- forms -----------------------------------------------------------------------------------

    def assertShapeEqual(self, input_a, input_b, msg=None) -> None:
        self.assertEqual(tuple(_array(input_a).shape), tuple(_array(input_b).shape), msg)

    def assertDTypeEqual(self, target, expected_dtype) -> None:
        self.assertEqual(ops.to_tensor(target).dtype, expected_dtype)

    def assertEmpty(self, container, msg=None) -> None:
        self.assertEqual(len(container), 0, msg)

    def assertNotEmpty(self, container, msg=None) -> None:
        self.assertGreater(len(container), 0, msg)

    def assertLen(self, container, expected_len, msg=None) -> None:
        self.assertEqual(len(container), expected_len, msg)

    def assertStartsWith(self, actual, expected_start, msg=None) -> None:
        if not actual.startswith(expected_start):
            self.fail(self._text(f"{actual!r} does not start with {expected_start!r}", msg))

    @contextlib.contextmanager
    def assertRaisesOpError(self, expected_err_re_or_predicate) -> Generator[Any]:
        """Assert that the block raises an error of `tf.errors` whose text matches."""
        with self.assertRaisesRegex(OpError, expected_err_re_or_predicate) as caught:
            yield caught

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type, expected_err_re_or_predicate
    ) -> Generator[Any]:
        """Assert that the block raises an error for which a predicate holds, or whose text
        matches."""
        if callable(expected_err_re_or_predicate):
            with self.assertRaises(exception_type) as caught:
                yield caught
            self.assertTrue(expected_err_re_or_predicate(caught.exception))
        else:
            with self.assertRaisesRegex(exception_type, expected_err_re_or_predicate) as caught:
                yield caught

    def assertRaisesIncompatibleShapesError(
        self, exception_type=InvalidArgumentError
    ) -> contextlib.AbstractContextManager[Any]:
        """Assert that the block raises an error that says that shapes do not fit."""
        texts = "Incompatible shapes|Dimensions must be equal|required broadcastable shapes"
        return self.assertRaisesRegex(exception_type, texts)

    def _text(self, text: str, msg) -> str:
        return f"{text} : {msg}" if msg else text


def _evaluated(x):
    if isinstance(x, SparseTensor):
        return SparseTensorValue(x.indices.numpy(), x.values.numpy(), x.dense_shape.numpy())
    return ops.to_tensor(x).numpy() if ops.is_tensor_like(x) else x


@export("test.Benchmark")
class Benchmark:
    """A base class for benchmarks; methods whose names begin with "benchmark" are run by hand."""


@export("test.main")
def main(argv=None) -> None:
    """Run the tests of the program."""
    unittest.main(argv=argv)


# --- gradients -----------------------------------------------------------------------------------


@export("test.compute_gradient")
def compute_gradient(f, x, delta=None) -> tuple:
    """Return (Jacobians by the tape, Jacobians by central differences), one for each argument.

    A complex number counts as two real ones: its real and its imaginary part."""
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), not "
            f"a {type(x)}"
        )
    tensors = [ops.to_tensor(each) for each in x]
    theoretical, numerical = [], []
    for i, tensor in enumerate(tensors):
        step = _STEPS.get(tensor.dtype.name, 1.0 / 2**20) if delta is None else delta
        theoretical.append(_by_tape(f, tensors, i))
        numerical.append(_by_differences(f, tensors, i, step))
    return tuple(theoretical), tuple(numerical)


# A smaller step would be lost in the digits of these.
_STEPS = dict.fromkeys(("float16", "float32", "complex64"), 1.0 / 1024) | {"bfloat16": 1.0 / 8}


def _by_tape(f, tensors: list, i: int) -> np.ndarray:
    x = tensors[i]
    with GradientTape() as tape:
        tape.watch(x)
        y = ops.to_tensor(f(*tensors))
        if y.dtype.is_complex:
            y = ops.stack([ops.real(y), ops.imag(y)], -1)
    jacobian = tape.jacobian(y, x, unconnected_gradients=UnconnectedGradients.ZERO)
    return _real(jacobian).reshape(_size(y), _real(x).size)


def _by_differences(f, tensors: list, i: int, step: float) -> np.ndarray:
    x = np.asarray(tensors[i].numpy())

    def value(moved: np.ndarray) -> np.ndarray:
        given = [*tensors[:i], Tensor(moved.view(x.dtype).reshape(x.shape)), *tensors[i + 1 :]]
        with not_recording():
            return _real(f(*given))

    columns = []
    parts = _real(x)
    for index in range(parts.size):
        up, down = parts.copy(), parts.copy()
        up[index] += step
        down[index] -= step
        columns.append((value(up) - value(down)) / (up[index] - down[index]))
    return np.stack(columns, 1) if columns else np.zeros((value(parts).size, 0), parts.dtype)


def _real(x) -> np.ndarray:
    """Return the real numbers that x is made of, as a vector: a complex number is two of them."""
    flat = np.asarray(ops.to_tensor(x).numpy()).reshape(-1)
    return flat.view(np.finfo(flat.dtype).dtype) if flat.dtype.kind == "c" else flat


def _size(tensor) -> int:
    return tensor.shape.num_elements() or 0


# --- what the build has --------------------------------------------------------------------------


@export("test.gpu_device_name")
def gpu_device_name() -> str:
    """Return the empty string: there is no GPU."""
    return ""


@export("test.is_gpu_available")
def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None) -> bool:
    """Return False: there is no GPU."""
    return False


@export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Return False."""
    return False


@export("test.is_built_with_gpu_support")
def is_built_with_gpu_support() -> bool:
    """Return False."""
    return False


@export("test.is_built_with_rocm")
def is_built_with_rocm() -> bool:
    """Return False."""
    return False


@export("test.is_built_with_xla")
def is_built_with_xla() -> bool:
    """Return False."""
    return False


@export("test.is_cpu_target_available")
def is_cpu_target_available(target) -> bool:
    """Return False for every special target: kernels are NumPy's."""
    return False


@export("test.disable_with_predicate")
def disable_with_predicate(pred, skip_message):
    """Skip a test while a predicate holds."""

    def decorator(test):
        def skippable(self, *args, **kwargs):
            if pred():
                self.skipTest(skip_message)
            return test(self, *args, **kwargs)

        return skippable

    return decorator


@export("test.with_eager_op_as_function")
def with_eager_op_as_function(cls=None, only_as_function=False):
    """Return the class itself: graph and eager mode do not differ."""
    return cls if cls is not None else with_eager_op_as_function
