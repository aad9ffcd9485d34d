"""Concrete functions for specs with open sizes: traced when they are made, as in TensorFlow."""

import numpy as np
import pytest

import gradtape as tf

WEIGHTS = np.arange(12, dtype=np.float32).reshape(4, 3)
ROWS = tf.TensorSpec([None, 4])
UNKNOWN = tf.TensorShape(None)


def merge_leading(x):
    """Merge two axes as libraries do: by numbers if all are known."""
    try:
        size = np.prod(x.shape[:2])
    except TypeError:  # of None
        size = None
    shape = tf.TensorShape([size, *x.shape[2:]])
    if shape.is_fully_defined():
        return tf.reshape(x, shape)
    sizes = tf.shape(x)
    leading = tf.reduce_prod(sizes[:2], keepdims=True)
    return tf.reshape(x, tf.concat([leading, sizes[2:]], 0))


# What TensorFlow 2.21 says of output_shapes.
SHAPES = {
    "matmul": (lambda x: x @ WEIGHTS, [ROWS], tf.TensorShape([None, 3])),
    "none": (lambda x: None, [ROWS], UNKNOWN),
    "structure": (
        lambda x: (x, {"a": tf.reduce_sum(x, 0)}),
        [ROWS],
        (tf.TensorShape([None, 4]), {"a": tf.TensorShape([4])}),
    ),
    "flat": (lambda x: tf.reshape(x, [-1]), [ROWS], tf.TensorShape([None])),
    "two sizes": (lambda x, y: tf.concat([x, y], 0), [ROWS, ROWS], tf.TensorShape([None, 4])),
    "equal sizes": (lambda x, y: x + y, [ROWS, ROWS], tf.TensorShape([None, 4])),
    "row": (lambda x: x[0], [ROWS], tf.TensorShape([4])),
    "range": (lambda x: tf.range(tf.shape(x)[0]), [ROWS], tf.TensorShape([None])),
    "every other": (lambda x: x[::2], [ROWS], tf.TensorShape([None, 4])),
    "merged": (merge_leading, [tf.TensorSpec([None, 4, 3])], tf.TensorShape([None, 3])),
    "known": (lambda x: (x + 1, None), [tf.TensorSpec([2])], (tf.TensorShape([2]), UNKNOWN)),
}


def _described(shape):
    return None if shape.rank is None else list(shape)


@pytest.mark.parametrize("name", SHAPES)
def test_output_shapes(name):
    function, specs, expected = SHAPES[name]
    concrete = tf.function(function).get_concrete_function(*specs)
    result, wanted = (
        tf.nest.map_structure(_described, s) for s in (concrete.output_shapes, expected)
    )
    assert result == wanted


def test_inputs_and_outputs():
    concrete = tf.function(lambda x, n: (x @ WEIGHTS, n + 1)).get_concrete_function(ROWS, 2.0)
    for _ in range(2):
        assert [list(x.shape) for x in concrete.inputs] == [[None, 4]]
        assert [list(x.shape) for x in concrete.outputs] == [[None, 3], []]
        concrete(tf.ones([2, 4]))


def test_fused_batch_normalization_of_open_sizes():
    def normalized(x):
        batch = {"scale": [2.0, 1.0], "offset": [0.0, 1.0], "mean": [], "variance": []}
        return tf.raw_ops.FusedBatchNormV2(x=x, **batch)

    concrete = tf.function(normalized).get_concrete_function(tf.TensorSpec([None, 3, 1, 2]))
    assert [list(x.shape) for x in concrete.outputs[:2]] == [[None, 3, 1, 2], [2]]
    for rows in (1, 4, 60):
        x = np.random.default_rng(rows).normal(size=[rows, 3, 1, 2]).astype(np.float32)
        for y, expected in zip(concrete(x), normalized(x), strict=True):
            np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_output_dtypes():
    concrete = tf.function(lambda x: (x, None)).get_concrete_function(ROWS)
    assert concrete.output_dtypes == (tf.float32, None)


def test_one_trace_for_its_description_and_all_calls():
    traces = []

    @tf.function
    def double(x):
        traces.append(x.shape)
        return 2 * x

    concrete = double.get_concrete_function(ROWS)
    assert len(traces) == 1
    for rows in (1, 3, 60, 61):
        x = np.random.default_rng(rows).normal(size=[rows, 4]).astype(np.float32)
        np.testing.assert_array_equal(concrete(x), 2 * x)
    assert len(traces) == 1
    assert list(concrete.output_shapes) == [None, 4]


def test_variables_are_made_with_it():
    class Dense(tf.Module):
        w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(WEIGHTS)
            return x @ self.w

    dense = Dense()
    concrete = dense.__call__.get_concrete_function(ROWS)
    assert concrete.variables == (dense.w,)
    x = tf.ones([2, 4])
    with tf.GradientTape() as tape:
        y = concrete(x)
    np.testing.assert_array_equal(tape.gradient(y, dense.w), np.full([4, 3], 2.0))


def test_a_function_that_needs_the_size_is_traced_by_its_first_call():
    concrete = tf.function(lambda x: x @ WEIGHTS).get_concrete_function(tf.TensorSpec([None, None]))
    with pytest.raises(AttributeError, match="has not been called yet"):
        concrete.output_shapes  # noqa: B018 (a property)
    assert concrete(tf.ones([2, 4])).shape == [2, 3]
    fixed = tf.function(lambda x: tf.zeros([int(x.shape[0]), 2])).get_concrete_function(ROWS)
    for rows in (60, 7):
        assert fixed(tf.ones([rows, 4])).shape == [rows, 2]


def test_no_variable_is_made_for_sizes_of_no_call():
    class Dense(tf.Module):
        w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                scale = 1 / np.sqrt(x.shape[-1])
                self.w = tf.Variable(scale * tf.ones([x.shape[-1], 3]))
            return x @ self.w

    dense = Dense()
    concrete = dense.__call__.get_concrete_function(tf.TensorSpec([None, None]))
    assert dense.w is None
    np.testing.assert_allclose(concrete(tf.ones([2, 4])), np.full([2, 3], 2.0))
    assert dense.w.shape == [4, 3]


def test_open_sizes_are_not_fully_defined():
    asked = []

    @tf.function(input_signature=[ROWS])
    def flat(x):
        asked.append((x.shape.is_fully_defined(), x.shape[1:].is_fully_defined()))
        with pytest.raises(ValueError, match=r"\(None, 4\) is not fully defined"):
            x.shape.assert_is_fully_defined()
        return tf.reshape(x, [x.shape.num_elements()])

    assert [flat(tf.ones([rows, 4])).shape for rows in (2, 3)] == [[8], [12]]
    assert asked == [(False, True)]


@pytest.mark.parametrize("structure", [list, tuple, dict])
def test_library_code_that_asks_what_a_tensor_is_does_not_prevent_a_trace(structure):
    def leaves(x):
        if isinstance(x, (structure, set)):
            return sorted(x)
        return [x]

    concrete = tf.function(lambda x: leaves(x)[0] + 1).get_concrete_function(tf.TensorSpec([2]))
    assert list(concrete.output_shapes) == [2]
