"""More malformed arguments that a generator of calls found (see test_malformed_arguments.py)."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

NO_ROWS = tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [0, 0])


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.nn.leaky_relu([1.0, 2.0], alpha=NO_ROWS),
        lambda: tf.concat([[[1.0]], NO_ROWS], 0),
        lambda: tf.where([True], x=[1.0], y=NO_ROWS),
    ],
)
def test_a_sparse_tensor_among_others(call):
    with pytest.raises(ValueError, match=r"make it dense with tf.sparse.to_dense"):
        call()


@pytest.mark.parametrize("bound", [float("nan"), float("inf")])
def test_a_ragged_range_of_no_end(bound):
    with pytest.raises(ValueError, match=r"ragged.range: bounds must be finite, got"):
        tf.ragged.range(bound, limits=2, dtype=np.int32)


def test_no_classes_to_be_among():
    result = tf.nn.in_top_k([0, 1], tf.zeros([2, 0]), 1)
    np.testing.assert_array_equal(result, [False, False])


def test_a_generator_of_the_process_is_a_generator():
    before = tf.random.get_global_generator()
    with pytest.raises(TypeError, match=r"a tf.random.Generator is needed, got 'seed'"):
        tf.random.set_global_generator("seed")
    assert tf.random.get_global_generator() is before


@pytest.mark.parametrize("count", [-1, 2**63])
def test_a_number_of_buckets(count):
    with pytest.raises(ValueError, match=r"cross_hashed: num_buckets must be 0 or more, got"):
        tf.ragged.cross_hashed([tf.ragged.constant([[1]]), tf.ragged.constant([[2]])], count)


def test_an_interleave_opens_no_more_datasets_than_there_are():
    made = tf.data.Dataset.range(3).interleave(tf.data.Dataset.from_tensors, cycle_length=2**62)
    assert [int(x) for x in made] == [0, 1, 2]
    with pytest.raises(ValueError, match=r"cycle_length must be a 64-bit integer, got 1e\+300"):
        tf.data.Dataset.range(3).interleave(tf.data.Dataset.from_tensors, cycle_length=1e300)


def test_no_segments():
    result = tf.sparse.segment_sum(np.arange(3, dtype=np.int32), (), np.zeros(0, np.int32))
    assert result.shape == (0,)


def test_lengths_below_zero():
    with pytest.raises(tf.errors.InvalidArgumentError, match="maxlength must be 0 or more, got -"):
        tf.math.bincount([1, 2], maxlength=-(10**30))


def test_paddings_wrap_around_as_constants_do():
    paddings, _ = tf.required_space_to_batch_paddings([3], [2], [[2**62, 0]])
    np.testing.assert_array_equal(paddings, [[0, 1]])


def test_shards_and_files_of_a_sampler():
    classes = tf.constant([[1]], tf.int64)

    def sample(**options):
        return tf.nn.fixed_unigram_candidate_sampler(classes, 1, 1, True, 3, **options)

    with pytest.raises(tf.errors.InvalidArgumentError, match="shard 0 of 0 shards"):
        sample(num_shards=0, unigrams=[1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match="vocab_file must be a path, got 7"):
        sample(vocab_file=7)


def test_a_window_of_no_width():
    x = tf.ones((1, 12, 12, 1))
    assert np.isnan(tf.image.ssim(x, x, 1.0, filter_sigma=0.0).numpy()).all()
    assert tf.image.ssim(x, x, 1.0, filter_sigma=1e300).numpy() == 1.0


def test_axes_beyond_64_bits():
    with pytest.raises(ValueError, match=r"V4: axis 1\d+ is out of range for a tensor of rank 2"):
        tf.quantization.quantize_and_dequantize([[1.0]], 0.0, 1.0, axis=10**30)


@pytest.mark.parametrize(
    "split",
    [
        lambda: tf.split(tf.zeros(0), 2**63),
        lambda: tf.experimental.numpy.split(tf.zeros(0), 2**63),
        lambda: tf.split(tf.RaggedTensor.from_row_lengths(tf.zeros(0), np.zeros(0, int)), 2**63),
    ],
)
def test_more_parts_than_memory(split):
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"shape \[9223372036854775808\]"):
        split()


@pytest.mark.parametrize("count", [-(10**30), 2**63])
def test_a_limit_of_parts_beyond_64_bits(count):
    with pytest.raises(ValueError, match=f"maxsplit: {count} does not fit into 64 bits"):
        tf.strings.split(["a b"], maxsplit=count)
