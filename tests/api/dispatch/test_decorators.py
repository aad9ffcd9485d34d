"""Functions that stand in for public ones where arguments are of a program's own types."""

import contextlib
import sys
import typing

import numpy as np
import pytest

import gradtape as tf

before = tf.math.add  # what a program has kept from before


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor


ONE = Masked([1.0, -2.0], [True, False])
TWO = Masked([10.0, 20.0], [True, True])
Either = typing.Union[Masked, tf.Tensor]  # noqa: UP007 (as TensorFlow's programs write it)


@contextlib.contextmanager
def registered(decorator, function):
    target = decorator(function)
    try:
        yield target
    finally:
        tf.experimental.unregister_dispatch_for(target)


def values_of(x):
    return x.values if isinstance(x, Masked) else x


def test_annotations_say_which_calls_are_dispatched():
    def stack(values: list[Masked], axis=0):
        return Masked(
            tf.stack([v.values for v in values], axis), tf.stack([v.mask for v in values], axis)
        )

    with registered(tf.experimental.dispatch_for_api(tf.stack), stack):
        np.testing.assert_array_equal(tf.stack([ONE, TWO]).values, [[1, -2], [10, 20]])
        assert tf.stack([ONE, TWO], axis=1, name="a").values.shape == [2, 2]
        np.testing.assert_array_equal(tf.stack([[1.0], [2.0]]), [[1], [2]])
        with pytest.raises(ValueError, match="unsupported type"):
            tf.stack([ONE, tf.constant([1.0, 2.0])])
        in_function = tf.function(lambda x, y: tf.stack([x, y]))
        np.testing.assert_array_equal(in_function(ONE, TWO).values, [[1, -2], [10, 20]])
    with pytest.raises(ValueError, match="unsupported type"):
        tf.stack([ONE, TWO])


@pytest.mark.parametrize("signatures", [({"x": Masked}, {"y": Masked}), ({0: Masked}, {1: Masked})])
def test_any_of_several_signatures_may_fit(signatures):
    def add(x, y, name=None):
        return ("added", name)

    with registered(tf.experimental.dispatch_for_api(tf.add, *signatures), add):
        assert tf.add(ONE, 1.0) == ("added", None)
        assert tf.add(1.0, ONE, name="n") == ("added", "n")
        assert tf.add(x=1.0, y=ONE) == ("added", None)
        assert tf.constant([1.0, 2.0]) + ONE == ("added", None)
        assert before(ONE, ONE) == ("added", None)
        assert float(tf.add(1.0, 2.0)) == 3.0


def test_a_call_without_composites_is_not_dispatched():
    def shape(input: Either, out_type=None):
        return "dispatched"

    with registered(tf.experimental.dispatch_for_api(tf.shape), shape):
        assert tf.shape(ONE) == "dispatched"
        np.testing.assert_array_equal(tf.shape(tf.constant([1, 2])), [2])
        np.testing.assert_array_equal(tf.shape([1, 2]), [2])


def test_types_that_could_convert_are_dispatched():
    class Convertible(tf.experimental.ExtensionType):
        x: tf.Tensor

        def __tf_tensor__(self, dtype=None, name=None):
            return self.x

    def reduce_sum(input_tensor: Convertible, axis=None, keepdims=False):
        return "dispatched"

    assert float(tf.abs(Convertible(-1.0))) == 1.0
    assert float(tf.reduce_sum(Convertible([1.0, 2.0]))) == 3.0
    with registered(tf.experimental.dispatch_for_api(tf.reduce_sum), reduce_sum):
        assert tf.reduce_sum(Convertible([1.0, 2.0])) == "dispatched"
        assert float(tf.abs(Convertible(-1.0))) == 1.0


def test_unary_elementwise_functions():
    with registered(
        tf.experimental.dispatch_for_unary_elementwise_apis(Masked),
        lambda function, x: Masked(function(x.values), x.mask),
    ):
        np.testing.assert_array_equal(tf.abs(ONE).values, [1, 2])
        np.testing.assert_array_equal(tf.math.abs(x=ONE, name="n").values, [1, 2])
        assert tf.cast(ONE, tf.int32).values.dtype is tf.int32
        assert tf.ones_like(ONE, dtype=tf.int64).values.dtype is tf.int64
        np.testing.assert_array_equal(tf.clip_by_value(ONE, 0.0, 0.5).values, [0.5, 0])
        np.testing.assert_array_equal(tf.nn.relu(ONE).values, [1, 0])
        with pytest.raises(ValueError, match="has already been registered for"):
            tf.experimental.dispatch_for_unary_elementwise_apis(Masked)(lambda f, x: x)
    with pytest.raises(ValueError, match="unsupported type"):
        tf.abs(ONE)


def test_binary_elementwise_functions():
    def handler(function, x, y):
        return Masked(function(values_of(x), values_of(y)), True)

    decorator = tf.experimental.dispatch_for_binary_elementwise_apis(Either, Either)
    with registered(decorator, handler):
        np.testing.assert_array_equal(tf.add(ONE, TWO).values, [11, 18])
        np.testing.assert_array_equal(tf.maximum(tf.constant(0.0), ONE).values, [1, 0])
        np.testing.assert_array_equal((tf.constant(2.0) * ONE).values, [2, -4])
        assert isinstance(tf.add(1, 2), tf.Tensor)


def test_assertions():
    def handler(check, x, y):
        check(x.values, y.values)

    decorator = tf.experimental.dispatch_for_binary_elementwise_assert_apis(Masked, Masked)
    with registered(decorator, handler):
        tf.debugging.assert_less(ONE, TWO)
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.debugging.assert_equal(ONE, TWO)


def test_two_that_fit_are_an_error():
    def first(x: Masked, y, name=None):
        return 1

    def second(x, y: Masked, name=None):
        return 2

    decorator = tf.experimental.dispatch_for_api(tf.add)
    with registered(decorator, first), registered(decorator, second):
        assert (tf.add(ONE, 1.0), tf.add(1.0, ONE)) == (1, 2)
        with pytest.raises(ValueError, match="Multiple dispatch targets that were registered"):
            tf.add(ONE, ONE)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: (tf.while_loop, {}), ValueError, "does not support dispatch"),
        (lambda: (tf.einsum, {}), ValueError, "does not support dispatch"),
        (lambda: (3, {}), ValueError, "3 does not support dispatch"),
        (lambda: (tf.add, {"z": Masked}), ValueError, "unknown parameter 'z'"),
        (lambda: (tf.add, 3), TypeError, "signatures must be dictionaries"),
        (lambda: (tf.add, {"x": dict[str, int]}), ValueError, "not currently supported"),
        (
            lambda: (tf.add, {"x": Masked}, lambda x, why, name=None: 0),
            ValueError,
            r"\(x, why",
        ),
        (lambda: (tf.add, None, lambda x, y: 0), ValueError, "at least one signature"),
        (lambda: (tf.add, {"x": Masked}, 3), TypeError, "dispatch_target to be callable; got 3"),
    ],
)
def test_what_cannot_be_registered(make, error, text):
    api, signature, *target = make()
    signatures = [] if signature is None else [signature]
    with pytest.raises(error, match=text):
        tf.experimental.dispatch_for_api(api, *signatures)(*target)


def test_what_was_not_registered_cannot_be_forgotten():
    with pytest.raises(ValueError, match="was not registered using"):
        tf.experimental.unregister_dispatch_for(len)


def test_tensors_do_not_ask_python_for_dispatch():
    def multiply(x: Masked, y, name=None):
        return "dispatched"

    asked = []

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_name == "dispatch":
            asked.append(frame)

    x = tf.constant([1.0, 2.0])
    with registered(tf.experimental.dispatch_for_api(tf.multiply), multiply):
        sys.setprofile(note)
        try:
            tf.multiply(x, x)
            _ = x * x
        finally:
            sys.setprofile(None)
        assert not asked
        assert tf.multiply(ONE, 1.0) == "dispatched"
