"""Ragged tensors in `tf.function`, under tapes, and as nests."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import gradtape as tf

ROWS = [[1.0, 2.0, 3.0], [], [4.0, 5.0]]


@pytest.fixture
def rt():
    return tf.ragged.constant(ROWS)


def test_arguments_and_results_of_a_traced_function(rt):
    traces = []

    @tf.function
    def step(x, w):
        traces.append(1)
        return tf.reduce_sum(tf.square(x) * w, axis=1), {"doubled": x * 2.0}

    w = tf.constant(2.0)
    sums, rest = step(rt, w)
    assert sums.numpy().tolist() == [28.0, 0.0, 82.0]
    assert rest["doubled"].to_list() == [[2.0, 4.0, 6.0], [], [8.0, 10.0]]
    # Other rows of as many values need no other trace; other numbers of them do.
    sums, _ = step(tf.ragged.constant([[1.0], [2.0, 3.0], [4.0, 5.0]]), w)
    assert sums.numpy().tolist() == [2.0, 26.0, 82.0]
    assert len(traces) == 1
    step(tf.ragged.constant([[1.0]]), w)
    assert len(traces) == 2


def test_uniform_rows_are_another_kind_of_argument():
    step = tf.function(lambda x: tf.reduce_sum(x, 1))
    ragged = tf.RaggedTensor.from_row_splits([1, 2, 3, 4], [0, 1, 4])
    uniform = tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2)
    assert step(ragged).numpy().tolist() == [1, 9]
    assert step(uniform).numpy().tolist() == [3, 7]


def test_what_needs_row_lengths_runs_eagerly(rt, caplog):
    caplog.set_level(logging.WARNING, "gradtape")
    sparse = tf.function(lambda x: x.to_sparse())
    assert sparse(rt).shape == (3, 3)
    assert "runs eagerly" in caplog.text
    assert sparse(tf.ragged.constant([[1.0, 2.0, 3.0, 4.0, 5.0], [], []])).shape == (3, 5)


def test_captured_and_constant_rows_are_known(rt, caplog):
    caplog.set_level(logging.WARNING, "gradtape")

    @tf.function
    def captured(scale):
        return (rt * scale).to_tensor(), tf.concat([rt, tf.ragged.constant([[9.0]])], 0)

    dense, joined = captured(tf.constant(2.0))
    assert dense.numpy().tolist() == [[2.0, 4.0, 6.0], [0.0, 0.0, 0.0], [8.0, 10.0, 0.0]]
    assert joined.to_list() == [*ROWS, [9.0]]
    assert not caplog.text


def test_an_input_signature_of_ragged_specs(rt):
    @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x)

    assert total(rt) == 15.0
    with pytest.raises(TypeError, match="Can not cast"):
        total(tf.ragged.constant([[1]]))


def test_gradients_through_a_traced_function(rt):
    w = tf.Variable(3.0)
    step = tf.function(lambda x, w: tf.reduce_sum(tf.square(x) * w, axis=1))
    x = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = step(tf.RaggedTensor.from_row_splits(x, [0, 3, 3, 5]), w)
    by_x, by_w = tape.gradient(y, [x, w])
    assert by_x.numpy().tolist() == [6.0, 12.0, 18.0, 24.0, 30.0]
    assert by_w == 55.0


def test_ragged_targets_and_sources(rt):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(rt)
        y = rt * rt
        head = tf.reduce_sum(rt[:1])
    gradient = tape.gradient(y, rt)
    assert gradient.to_list() == [[2.0, 4.0, 6.0], [], [8.0, 10.0]]
    weights = tf.ragged.constant([[1.0, 0.0, 0.0], [], [2.0, 0.0]])
    gradient = tape.gradient(y, [rt], output_gradients=weights)[0]
    assert gradient.to_list() == [[2.0, 0.0, 0.0], [], [16.0, 0.0]]
    assert tape.gradient(head, rt).to_list() == [[1.0, 1.0, 1.0], [], [0.0, 0.0]]


def test_second_order_and_forward_mode():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            rows = tf.RaggedTensor.from_row_lengths(x, [1, 2])
            y = tf.reduce_sum(tf.reduce_prod(rows, 1) ** 2)
        g = inner.gradient(y, x)
    assert g.numpy().tolist() == [2.0, 36.0, 24.0]
    assert outer.gradient(g, x).numpy().tolist() == [2.0, 18.0 + 24.0, 24.0 + 8.0]
    with tf.autodiff.ForwardAccumulator(x, tf.ones(3)) as forward:
        sums = tf.reduce_sum(tf.RaggedTensor.from_row_lengths(x * x, [1, 2]), 1)
    assert forward.jvp(sums).numpy().tolist() == [2.0, 10.0]


def test_nests_expand_composites(rt):
    flat, splits = tf.nest.flatten(rt, expand_composites=True)
    assert flat is rt.flat_values
    assert splits is rt.row_splits
    again = tf.nest.pack_sequence_as(rt, [flat + 1.0, splits], expand_composites=True)
    assert again.to_list() == [[2.0, 3.0, 4.0], [], [5.0, 6.0]]
    doubled = tf.nest.map_structure(lambda x: x * 2, {"a": rt}, expand_composites=False)
    assert doubled["a"].to_list() == [[2.0, 4.0, 6.0], [], [8.0, 10.0]]
    sparse = tf.sparse.from_dense([[0.0, 1.0]])
    parts = tf.nest.flatten([sparse, tf.IndexedSlices([[1.0]], [2], [3, 1])], True)
    assert len(parts) == 6
    packed = tf.nest.pack_sequence_as([sparse], parts[:3], True)[0]
    assert packed.dense_shape.numpy().tolist() == [1, 2]


def test_compiled_by_xla(rt):
    pytest.importorskip("jax", reason="XLA is optional")
    step = tf.function(lambda x: tf.reduce_sum(tf.exp(x), 1), jit_compile=True)
    expected = [np.exp(row).sum() for row in ROWS]
    np.testing.assert_allclose(step(rt).numpy(), expected, rtol=1e-5)


def test_repr_of_a_traced_tensor(rt):
    texts = []

    @tf.function
    def show(x):
        texts.append(repr(x))
        return x + 1.0

    show(rt)
    assert texts[0].startswith("tf.RaggedTensor(values=")


TO_TENSOR = {
    "as large as it has to be": {},
    "padded": {"default_value": -1.0},
    "cut": {"shape": [None, 2]},
    "wider": {"shape": [4, 5], "default_value": 9.0},
}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("options", TO_TENSOR.values(), ids=TO_TENSOR)
def test_to_tensor_of_rows_that_a_trace_does_not_know(options, compiled, caplog):
    if compiled:
        pytest.importorskip("jax", reason="XLA is optional")
    traces = []

    def dense(values, lengths):
        traces.append(1)
        with tf.GradientTape() as tape:
            tape.watch(values)
            rows = tf.RaggedTensor.from_row_lengths(values, lengths)
            result = rows.to_tensor(**options)
        return result, tape.gradient(result, values)

    traced = tf.function(dense, jit_compile=compiled)
    values = tf.constant([1.0, 2.0, 3.0, 4.0])
    for lengths in ([3, 0, 1], [1, 1, 2], [0, 4, 0]):
        expected, given = dense(values, tf.constant(lengths)), traced(values, tf.constant(lengths))
        for one, other in zip(expected, given, strict=True):
            np.testing.assert_array_equal(one, other)
    assert "runs eagerly" not in caplog.text
    assert len(traces) == 3 + traced.experimental_get_tracing_count()
    assert traced.experimental_get_tracing_count() <= 2  # the widest row may be any, or one


def test_to_tensor_of_rows_of_rows_in_a_trace(caplog):
    def dense(values, inner, outer):
        rows = tf.RaggedTensor.from_nested_row_splits(values, [outer, inner])
        return rows.to_tensor(shape=[None, None, 2], default_value=0)

    arguments = tf.range(6), tf.constant([0, 2, 2, 5, 6]), tf.constant([0, 1, 4])
    np.testing.assert_array_equal(tf.function(dense)(*arguments), dense(*arguments))
    assert "runs eagerly" not in caplog.text


def test_a_keras_model_with_a_text_vectorization_is_traced(caplog):
    texts = tf.constant(["a fine film", "dull", "a b c d e f"])
    words = tf.keras.layers.TextVectorization(output_sequence_length=4)
    words.adapt(["a fine film", "a dull film"])
    model = tf.keras.Sequential(
        [
            tf.keras.Input((), dtype="string"),
            words,
            tf.keras.layers.Embedding(10, 4),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile("sgd", "mse")
    with caplog.at_level(logging.WARNING, "gradtape"):
        model.fit(texts, tf.ones((3, 1)), epochs=2, verbose=0)
        predicted = model.predict(texts, verbose=0)
    assert "runs eagerly" not in caplog.text
    np.testing.assert_allclose(predicted, model(texts), rtol=1e-6)


def test_shape_has_the_sizes_of_axes_that_have_one():
    """As TensorFlow's `tf.experimental.DynamicRaggedShape`."""
    rows = tf.RaggedTensor.from_row_splits(tf.zeros((3, 4)), [0, 2, 3])
    shape = tf.shape(rows)
    assert [int(shape[0]), int(shape[2]), int(shape[-1]), shape.rank] == [2, 4, 4, 3]
    assert shape[0].dtype == tf.int32
    assert tf.shape(rows, out_type=tf.int64)[0].dtype == tf.int64
    with pytest.raises(ValueError, match="Index 1 is not uniform"):
        shape[1]
    with pytest.raises(IndexError):
        shape[3]
    assert tf.function(lambda x: tf.repeat(tf.shape(x)[0], 2))(rows).numpy().tolist() == [2, 2]


def test_test_cases_compare_ragged_tensors_with_lists():
    case, rows = tf.test.TestCase(), tf.ragged.constant([[1, 2], [3]])
    even = tf.ragged.constant([[1.0, 2.0], [3.0, 4.0]])
    case.assertAllEqual(rows, [[1, 2], [3]])
    case.assertAllEqual([[1, 2], np.array([3])], rows)
    case.assertAllEqual([["a"], ["b", "c"]], [["a"], ["b", "c"]])
    case.assertAllClose(rows, [[1, 2], [3.0000001]])
    case.assertAllClose(even, [[1, 2], [3, 4]])
    for wrong in ([[1, 2], [4]], [[1, 2]], [[1], [3]]):
        with pytest.raises(AssertionError):
            case.assertAllEqual(rows, wrong)
        with pytest.raises(AssertionError):
            case.assertAllClose(rows, wrong)


def test_gather_of_one_item_of_each_row():
    """The result has no axis of its own for it, as of dense tensors."""
    rows = tf.ragged.constant([[b"a", b"b", b"c"], [b"d"], [b"e", b"f"]])
    picked = tf.gather(rows, [2, 0, 1], batch_dims=1)
    assert picked.numpy().tolist() == [b"c", b"d", b"f"]
    deep = tf.ragged.constant([[[1, 2], [3]], [[4, 5, 6]]])
    indices = tf.ragged.constant([[1, 0], [2]])
    assert tf.gather(deep, indices, batch_dims=2).to_list() == [[2, 3], [6]]
    assert tf.gather(deep, [1, 0], batch_dims=1).to_list() == [[3], [4, 5, 6]]
