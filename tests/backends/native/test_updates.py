"""Steps of optimizers: the native ones, in place, give the numbers of the NumPy ones."""

from __future__ import annotations

import numpy as np
import pytest

from gradtape.backends import numpy as numpy_backend
from gradtape.backends.native import kernels as native
from gradtape.backends.numpy import updates
from gradtape.backends.numpy.rows import add_rows
from tests.backends.native.kernels import needs_extension, threads

pytestmark = needs_extension
F = np.float32
STEPS = {
    "sgd": (1, lambda s, g, q: updates.sgd(*s, g, F(0.1))),
    "momentum": (2, lambda s, g, q: updates.momentum(*s, g, F(0.1), F(0.9), False)),
    "nesterov": (2, lambda s, g, q: updates.momentum(*s, g, F(0.1), F(0.9), True)),
    "adam": (3, lambda s, g, q: updates.adam(*s, g, F(0.01), 0.9, 0.999, F(1e-7))),
    "amsgrad": (
        4,
        lambda s, g, q: updates.adam(*s[:3], g, F(0.01), 0.9, 0.999, F(1e-7), s[3]),
    ),
    "adam of rows": (
        3,
        lambda s, g, q: updates.adam(*s, g, F(0.01), 0.9, 0.999, F(1e-7), None, q),
    ),
    "rmsprop": (2, lambda s, g, q: updates.rmsprop(*s, g, F(0.01), 0.9, F(1e-7))),
    "rmsprop of rows": (2, lambda s, g, q: updates.rmsprop(*s, g, F(0.01), 0.9, F(1e-7), q)),
    "adagrad": (2, lambda s, g, q: updates.adagrad(*s, g, F(0.01), F(1e-7))),
    "adagrad of rows": (2, lambda s, g, q: updates.adagrad(*s, g, F(0.01), F(1e-7), q)),
}


def arrays(count, shape, seed=0):
    random = np.random.default_rng(seed)
    return [np.abs(random.normal(size=shape)).astype(F) for _ in range(count)]


@pytest.mark.parametrize("shape", [(1,), (7,), (1000, 37)], ids=str)
@pytest.mark.parametrize("name", sorted(STEPS))
def test_steps_equal_numpys_to_the_last_bit(name, shape, monkeypatch):
    count, step = STEPS[name]
    gradient, squares = arrays(2, shape, seed=1)
    gradient -= F(0.7)
    result = []
    for extension, number in ((native.extension, 1), (native.extension, 2), (None, 1)):
        monkeypatch.setattr(updates, "extension", extension)
        state = arrays(count, shape)
        with threads(number):
            for _ in range(3):
                made = step(state, gradient, squares)
                assert (made is True) == (extension is not None)
                state = state if made is True else list(made)
        result.append(state)
    for ours, threaded, numpys in zip(*result, strict=True):
        np.testing.assert_array_equal(ours, numpys)
        np.testing.assert_array_equal(threaded, numpys)


@pytest.mark.parametrize("name", sorted(STEPS))
def test_new_arrays_have_the_order_of_the_old(name, monkeypatch):
    monkeypatch.setattr(updates, "extension", None)
    count, step = STEPS[name]
    gradient, squares = (x.T for x in arrays(2, (5, 3), seed=1))
    for new in step(arrays(count, (3, 5)), gradient, squares):
        assert new.flags.c_contiguous


def test_steps_on_other_arrays_are_left_to_numpy():
    x = np.ones((4, 4), F)
    for value, gradient in (
        (x.astype(np.float64), x.astype(np.float64)),
        (x.T[::2], x[::2]),
        (x, x[:2]),
    ):
        before = value.copy()
        assert not native.extension.descend(value, gradient, F(1))
        np.testing.assert_array_equal(value, before)
    frozen = x.copy()
    frozen.flags.writeable = False
    assert not native.extension.descend(frozen, x, F(1))


def test_a_wrong_number_of_arguments_is_an_error():
    x = np.ones(3, F)
    with pytest.raises(TypeError, match="an update takes 3 arguments, not 2"):
        native.extension.descend(x, x)
    with pytest.raises(TypeError, match="descend_rows takes value, rows, indices, rate"):
        native.extension.descend_rows(x, x)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("number", [1, 2])
def test_rows(dtype, number):
    random = np.random.default_rng(2)
    value, rows = random.normal(size=(50, 33)).astype(F), random.normal(size=(400, 33)).astype(F)
    indices = random.integers(0, 50, 400).astype(dtype)
    expected = value.copy()
    np.subtract.at(expected, indices, rows * F(0.1))
    with threads(number):
        add_rows(value, indices, rows * F(0.1), subtract=True).perform()
    np.testing.assert_array_equal(value, expected)


def test_rows_for_no_place_are_left_to_numpy():
    value = np.zeros((3, 2), F)
    add_rows(value, np.array([-1, 1]), np.ones((2, 2), F), subtract=True).perform()
    np.testing.assert_array_equal(value, [[0, 0], [-1, -1], [0, 0]])


@pytest.mark.parametrize("shape", [(3,), (300, 301)], ids=str)
def test_sums_in_place(shape):
    x, y = arrays(2, shape)
    for change, expected in (
        (numpy_backend.add_into, x + y),
        (numpy_backend.subtract_from, x - y),
        (lambda total, y: numpy_backend.descend(total, y, F(0.3)), x - y * F(0.3)),
    ):
        total = x.copy()
        change(total, y)
        np.testing.assert_array_equal(total, expected)
    total = x.copy()
    numpy_backend.add_into(total, np.broadcast_to(y[:1], shape))  # left to NumPy
    np.testing.assert_array_equal(total, x + y[:1])
