"""Arguments that the generator of calls (tests/fuzz) found to be met too late: class and text."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

INFINITE = float("inf")
LOGITS = np.ones((4, 2, 5), np.float32)
LABELS = np.ones((2, 3), np.int32)
DIAGONAL = tf.linalg.LinearOperatorDiag([1.0, 2.0], is_self_adjoint=True, is_positive_definite=True)
IMAGE = np.ones((1, 4, 4, 1), np.float32)
EYE = tf.sparse.eye(3)
RANGE = tf.data.Dataset.range(4)
OutOfMemory = tf.errors.ResourceExhaustedError
Invalid = tf.errors.InvalidArgumentError
numpy = tf.experimental.numpy


def labels(indices, shape):
    return tf.SparseTensor([indices], [1], shape)


# name: (the call, what the exception must be, a part of its text)
WRONG = {
    # one integer
    "blank": (
        lambda: tf.nn.ctc_loss(LABELS, LOGITS, [3, 3], [4, 4], blank_index=INFINITE),
        ValueError,
        "ctc_loss: blank_index: an integer is expected where inf was given",
    ),
    "blank of a decoder": (
        lambda: tf.nn.ctc_greedy_decoder(LOGITS, [4, 4], blank_index=-INFINITE),
        ValueError,
        "ctc_greedy_decoder: blank_index: an integer is expected where -inf was given",
    ),
    "summarize": (
        lambda: tf.strings.format("{}", tf.range(9), summarize={"a": 1}),
        TypeError,
        "strings.format: summarize: an integer is expected where {'a': 1} was given",
    ),
    "summarize of an assertion": (
        lambda: tf.Assert(False, [tf.range(9)], summarize="a"),
        TypeError,
        "Assert: summarize: an integer is expected where 'a' was given",
    ),
    "quarter turns": (
        lambda: tf.image.rot90(IMAGE, INFINITE),
        ValueError,
        "rot90: k: an integer is expected where inf was given",
    ),
    "space_to_depth": (
        lambda: tf.nn.space_to_depth(IMAGE, -INFINITE),
        ValueError,
        "SpaceToDepth: block_size: an integer is expected where -inf was given",
    ),
    "depth_to_space": (
        lambda: tf.nn.depth_to_space(IMAGE, INFINITE),
        ValueError,
        "DepthToSpace: block_size: an integer is expected where inf was given",
    ),
    "boxes": (
        lambda: tf.image.non_max_suppression_overlaps(np.eye(2), np.ones(2), INFINITE),
        ValueError,
        "max_output_size: an integer is expected where inf was given",
    ),
    "joined axis": (
        lambda: tf.strings.reduce_join([["a", "b"]], axis=INFINITE),
        ValueError,
        "ReduceJoin: axis: an integer is expected where inf was given",
    ),
    "joined segments": (
        lambda: tf.strings.unsorted_segment_join(["a"], [0], INFINITE),
        ValueError,
        "UnsortedSegmentJoin: num_segments: an integer is expected where inf was given",
    ),
    "hash buckets": (
        lambda: tf.strings.to_hash_bucket_fast("a", INFINITE),
        ValueError,
        "num_buckets: an integer is expected where inf was given",
    ),
    "n of n-grams": (
        lambda: tf.strings.ngrams(["a", "b"], INFINITE),
        ValueError,
        "ngrams: ngram_width: an integer is expected where inf was given",
    ),
    "replacement": (
        lambda: tf.strings.unicode_transcode("a", "UTF-8", "UTF-8", replacement_char=INFINITE),
        ValueError,
        "replacement_char: an integer is expected where inf was given",
    ),
    "a generator's seed": (
        lambda: tf.random.Generator.from_seed(INFINITE),
        ValueError,
        "a generator's state or seed: an integer is expected where inf was given",
    ),
    "NumPy's seed": (
        lambda: numpy.random.seed(INFINITE),
        ValueError,
        "random.seed: s: an integer is expected where inf was given",
    ),
    "NumPy's seed, a list": (
        lambda: numpy.random.seed([1]),
        ValueError,
        r"random.seed: s: an integer is expected where \[1\] was given",
    ),
    "NumPy's bound": (
        lambda: numpy.random.randint(INFINITE),
        ValueError,
        "random.randint: low: an integer is expected where inf was given",
    ),
    "not a number": (
        lambda: tf.math.bincount([1], minlength=float("nan")),
        ValueError,
        "bincount: minlength: an integer is expected where nan was given",
    ),
    "threads": (
        lambda: tf.config.threading.set_inter_op_parallelism_threads(INFINITE),
        ValueError,
        "num_threads: an integer is expected where inf was given",
    ),
    "digits": (
        lambda: tf.strings.as_string([1.5], width=INFINITE),
        ValueError,
        "as_string: width: an integer is expected where inf was given",
    ),
    "too many digits": (
        lambda: tf.strings.as_string([1.5], precision=10**30),
        Invalid,
        "as_string: precision 10{30} and width -1 must be 32-bit integers",
    ),
    "axes of a diagonal": (
        lambda: numpy.diag_indices(2, 10**30),
        OutOfMemory,
        "diag_indices: out of memory",
    ),
    "partitions": (
        lambda: tf.dynamic_partition([1.0], [0], 10**30),
        OutOfMemory,
        "DynamicPartition: out of memory",
    ),
    "integers to be quantized": (
        lambda: tf.quantization.quantize_and_dequantize_v2(np.ones(3, np.uint64), 0.0, 1.0),
        TypeError,
        "QuantizeAndDequantizeV4 does not take a tensor of dtype uint64",
    ),
    "fractions of no rows": (
        lambda: tf.nn.fractional_max_pool(np.zeros((1, 0, 5, 1)), 1.5),
        Invalid,
        "fractional_max_pool: .* at least 1.5 rows and 1.5 columns, got shape",
    ),
    "a radius": (
        lambda: tf.nn.lrn(IMAGE, depth_radius=float("nan")),
        ValueError,
        "LRN: depth_radius: an integer is expected where nan was given",
    ),
    "a negative radius": (
        lambda: tf.nn.lrn(IMAGE, depth_radius=-1),
        Invalid,
        "LRN: depth_radius = -1 is negative or too large",
    ),
    "bits": (
        lambda: tf.quantization.quantize_and_dequantize_v2([1.0], 0.0, 1.0, num_bits=2**31),
        Invalid,
        "num_bits is out of range: 2147483648 with signed_input True",
    ),
    "bits of unsigned numbers": (
        lambda: tf.quantization.quantize_and_dequantize([1.0], 0.0, 1.0, False, num_bits=63),
        Invalid,
        "num_bits is out of range: 63 with signed_input False",
    ),
    "diagonal": (
        lambda: numpy.tri(2, 3, INFINITE),
        ValueError,
        "tri: k: an integer is expected where inf was given",
    ),
    # several integers
    "a shape of bytes": (
        lambda: numpy.random.poisson(1.0, memoryview(b"abcd")),
        TypeError,
        "integers are expected, not b'abcd'",
    ),
    "a shape of bytes, to random numbers": (
        lambda: tf.random.normal(memoryview(b"abcd")),
        tf.errors.InvalidArgumentError,
        "shape must be a vector of integers, got <memory",
    ),
    "where a sparse slice starts": (
        lambda: tf.sparse.slice(EYE, [10**30, 0], [1, 1]),
        ValueError,
        "sparse.slice: start: 10{30} does not fit into 64 bits",
    ),
    "a new sparse shape": (
        lambda: tf.sparse.reset_shape(EYE, [10**30, 3]),
        ValueError,
        "sparse.reset_shape: new_shape: 10{30} does not fit into 64 bits",
    ),
    "a sparse identity": (
        lambda: tf.sparse.eye(2**63, 2),
        ValueError,
        "dense_shape: 9223372036854775808 does not fit into 64 bits",
    ),
    "a shape that is a set": (
        lambda: numpy.reshape(np.ones(6), {1.5, 2.5}, order="F"),
        TypeError,
        "reshape: a list of integers is wanted",
    ),
    # sizes
    "bins": (lambda: tf.math.bincount([2**63 - 1]), OutOfMemory, "DenseBincount: out of memory"),
    "bins asked for": (
        lambda: tf.math.bincount([1], minlength=10**30),
        OutOfMemory,
        "DenseBincount: out of memory: the result would have shape",
    ),
    "sparse bins": (
        lambda: tf.sparse.bincount([1], minlength=1e300),
        OutOfMemory,
        "SparseBincount: out of memory: the result would have shape",
    ),
    "classes": (
        lambda: tf.math.confusion_matrix([1], [2**63 - 1]),
        OutOfMemory,
        "confusion_matrix: out of memory: the result would have shape",
    ),
    "a window of which no copy fits": (
        lambda: tf.nn.avg_pool3d(np.ones((1, 3, 4, 3, 1), np.float32), 2**31 - 1, 1, "SAME"),
        OutOfMemory,
        "window_sum: out of memory: .* an array that is larger than any can be",
    ),
    "points left out": (
        lambda: tf.math.sobol_sample(2, 3, skip=np.uint64(2**64 - 1)),
        Invalid,
        r"sobol_sample: skip must be at least 0 and less than 2\*\*31, got 18446744073709551615",
    ),
    "decimals": (
        lambda: numpy.round([1.55], 2**31),
        ValueError,
        "around: decimals must be at most 308, .* got 2147483648",
    ),
    "a frame of negative length": (
        lambda: tf.signal.inverse_stft(np.ones((4, 9), np.complex64), -(2**63), 4),
        Invalid,
        "inverse_stft: frame_length must be >= 0",
    ),
    # shapes and dtypes
    "thresholds": (
        lambda: tf.image.non_max_suppression_overlaps(np.eye(2), np.ones(2), 2, [[0], [1]]),
        Invalid,
        r"overlap_threshold must be 0-D, got shape \[2, 1\]",
    ),
    "scores to begin with": (
        lambda: tf.image.non_max_suppression(np.ones((2, 4)), np.ones(2), 2, 0.5, [0.5]),
        Invalid,
        r"score_threshold must be 0-D, got shape \[1\]",
    ),
    "one length of labels": (
        lambda: tf.nn.ctc_loss(LABELS, LOGITS, 3, [4, 4]),
        Invalid,
        r"ctc_loss: label_length must have one length for each of the 2 examples .*shape \[\]",
    ),
    "one length of logits": (
        lambda: tf.nn.ctc_loss(LABELS, LOGITS, [3, 3], 4),
        Invalid,
        r"ctc_loss: logit_length must have one length for each of the 2 examples .*shape \[\]",
    ),
    "lengths that are truths": (
        lambda: tf.nn.ctc_loss(LABELS, LOGITS, True, [4, 4]),
        TypeError,
        "ctc_loss: label_length must be integers, got True",
    ),
    "a label outside": (
        lambda: tf.nn.ctc_loss(labels([5, 1], [2, 3]), LOGITS, None, [4, 4], blank_index=0),
        Invalid,
        r"indices\[0\] = \[5, 1\] is out of bounds: need 0 <= index < \[2, 3\] \[Op:CTCLoss\]",
    ),
    "a vector of labels": (
        lambda: tf.nn.ctc_loss(labels([1], [2]), LOGITS, None, [4, 4], blank_index=0),
        Invalid,
        r"ctc_loss: labels must be a sparse matrix \[batch, length\], got shape \[2\]",
    ),
    "labels of more examples": (
        lambda: tf.nn.ctc_loss(labels([0, 1], [3, 3]), LOGITS, None, [4, 4], blank_index=0),
        Invalid,
        "ctc_loss: labels have 3 rows, for 2 examples of logits",
    ),
    "dense labels of more examples": (
        lambda: tf.nn.ctc_loss(np.ones((3, 2)), LOGITS, [2, 2], [4, 4]),
        Invalid,
        "ctc_loss: labels have 3 rows, for 2 examples of logits",
    ),
    "no channels": (
        lambda: tf.nn.conv2d_transpose(IMAGE, np.ones((2, 2, 1, 1), np.float32), [0] * 4, 1),
        ValueError,
        "the input has 0 channels, which must be a multiple of the filter's depth 1",
    ),
    "an empty table": (
        lambda: tf.nn.embedding_lookup([[]], [0]),
        Invalid,
        r"indices\[0\] = 0 is not in \[0, 0\)",
    ),
    "the norm of a scalar": (
        lambda: tf.linalg.norm(1.0, 2, axis=[0, 1]),
        ValueError,
        "norm: axis 0 is out of range for a tensor of rank 0; a scalar has no axes",
    ),
    "stitched at fractions": (
        lambda: tf.dynamic_stitch([1.0], [1.0]),
        TypeError,
        "DynamicStitch does not take a tensor of dtype float32",
    ),
    # what else an argument is
    "features in a list": (
        lambda: tf.io.parse_single_sequence_example("", [1], [1]),
        TypeError,
        r"features must be a dict from names to tf.io.FixedLenFeature, .*, got \[1\]",
    ),
    "features that are bytes": (
        lambda: tf.io.parse_example([""], b"bytes"),
        TypeError,
        "features must be a dict from names to tf.io.FixedLenFeature, .*, got b'bytes'",
    ),
    "a preconditioner": (
        lambda: tf.linalg.experimental.conjugate_gradient(DIAGONAL, [1.0, 2.0], [1.0]),
        TypeError,
        r"conjugate_gradient: preconditioner must be a LinearOperator, got \[1.0\]",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_malformed_argument_raises(name):
    call, kind, text = WRONG[name]
    with pytest.raises(kind, match=text):
        call()


def of_datasets():
    yield "map_func", RANGE.map
    yield "map_func", RANGE.flat_map
    yield "map_func", RANGE.interleave
    yield "predicate", RANGE.filter
    yield "predicate", RANGE.take_while
    yield "scan_func", lambda function: RANGE.scan(0, function)
    yield "reduce_func", lambda function: RANGE.reduce(0, function)
    yield "key_func", lambda function: RANGE.group_by_window(function, abs, 2)
    yield "reduce_func", lambda function: RANGE.group_by_window(abs, function, 2)
    yield "transformation_func", RANGE.apply


@pytest.mark.parametrize(("what", "method"), list(of_datasets()))
def test_the_functions_of_datasets_are_functions(what, method):
    with pytest.raises(ValueError, match=f"Argument `{what}` must be a callable. Received 3 "):
        method(3)


def test_diagonals_beyond_the_corners():
    x = np.arange(1.0, 7.0).reshape(2, 3)
    for far in (10**30, 2**63 - 1, 4, 3):
        np.testing.assert_array_equal(numpy.triu(x, far), np.zeros((2, 3)))
        np.testing.assert_array_equal(numpy.triu(x, -far), x)
        np.testing.assert_array_equal(numpy.tril(x, far), x)
        np.testing.assert_array_equal(numpy.tril(x, -far), np.zeros((2, 3)))
        np.testing.assert_array_equal(numpy.tri(2, 3, far), np.ones((2, 3)))
        np.testing.assert_array_equal(numpy.tri(2, 3, -far), np.zeros((2, 3)))
    for k in range(-3, 4):
        np.testing.assert_array_equal(numpy.tri(2, 3, k), np.tri(2, 3, k))
        np.testing.assert_array_equal(numpy.triu(x, k), np.triu(x, k))
        np.testing.assert_array_equal(numpy.tril(x, k), np.tril(x, k))


def test_differences_of_any_order():
    for n in range(5):
        np.testing.assert_array_equal(numpy.diff([1, 4, 9], n), np.diff([1, 4, 9], n))
    # In steps, these would take days.
    assert numpy.diff([1, 4, 9], 2**40).shape == (0,)
    assert numpy.diff(np.ones((0, 2)), 2**40, axis=0).shape == (0, 2)


def test_partitions_without_elements():
    x = tf.Variable([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        parts = tf.dynamic_partition(x, [3, 1], 5)
        total = tf.reduce_sum(parts[3]) + 2 * tf.reduce_sum(parts[1]) + tf.reduce_sum(parts[4])
    assert [len(part) for part in parts] == [0, 1, 0, 1, 0]
    np.testing.assert_array_equal(tape.gradient(total, x), [[1.0], [2.0]])
    # Without a slot of memory for each that is empty, beyond the list's own.
    many = tf.dynamic_partition([7.0], [123_456], 200_000)
    assert len({id(part) for part in many}) == 2
    assert many[123_456].numpy() == [7.0]


def test_summaries_of_any_length():
    assert tf.strings.format("{}", tf.range(9), summarize=None).numpy() == b"[0 1 2 ... 6 7 8]"
    assert tf.strings.format("{}", tf.range(4), summarize=10**30).numpy() == b"[0 1 2 3]"


def test_a_slice_that_starts_behind_the_end():
    part = tf.sparse.slice(EYE, [2**63 - 1, 0], [2**63 - 1, 1])
    assert part.dense_shape.numpy().tolist() == [0, 1]


def test_a_radius_beyond_the_channels():
    x = np.arange(16, dtype=np.float32).reshape(1, 2, 2, 4)
    far, all_channels = (tf.nn.lrn(x, depth_radius=r).numpy() for r in (2**31 - 2, 4))
    np.testing.assert_array_equal(far, all_channels)
    np.testing.assert_allclose(far, x / np.sqrt(1 + (x * x).sum(-1, keepdims=True)), rtol=1e-6)


def test_a_map_over_nothing():
    for elems in (np.zeros((0, 3), np.float32), tf.zeros((0, 3))):
        assert tf.map_fn(lambda x: x, elems).shape == (0, 3)
    spec = tf.TensorSpec([2], tf.int32)
    assert tf.map_fn(lambda x: x, np.zeros((0, 3)), fn_output_signature=spec).shape == (0, 2)


def test_trials_without_end():
    drawn = tf.random.stateless_binomial([6], [1, 2], 1e300, 0.5)
    assert drawn.numpy().tolist() == [-(2**31)] * 6  # as TensorFlow: infinity as an int32


def test_fingerprints_of_nothing():
    assert tf.fingerprint(()).shape == (0, 8)
    assert tf.fingerprint(np.zeros((0, 2))).shape == (0, 8)
    first, second = tf.fingerprint(np.zeros((2, 0))).numpy()
    np.testing.assert_array_equal(first, second)


def test_a_tensor_is_not_made_by_its_class():
    with pytest.raises(TypeError, match=r"Tensor\(\) is not for programs, .*tf.convert_to_tensor"):
        tf.while_loop(lambda x: tf.reduce_sum(x) < 2, tf.Tensor, [tf.constant(1.0)])
    with pytest.raises(TypeError, match=r"Tensor\(\) is not for programs"):
        list(RANGE.filter(tf.Tensor))


def test_a_width_may_be_a_tensor():
    assert tf.strings.as_string([1.5], width=tf.constant(9)).numpy() == [b" 1.500000"]


def test_a_list_of_one_table():
    rows = tf.nn.embedding_lookup([[[1.0, 2.0], [3.0, 4.0]]], [1, 0])
    np.testing.assert_array_equal(rows, [[3.0, 4.0], [1.0, 2.0]])


@pytest.mark.parametrize("value", [1.0, float("inf")])
def test_labels_that_are_no_integers(value):
    _, indices = tf.nn.ctc_unique_labels(np.full((2, 3), value, np.float32))
    np.testing.assert_array_equal(indices, np.zeros((2, 3)))
