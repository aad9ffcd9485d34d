"""Losses over sequences and samples, decoders, pooling: errors, and higher derivatives."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.testing import check_gradients

Invalid = tf.errors.InvalidArgumentError


def test_ctc_loss_to_order_two():
    logits = np.random.default_rng(0).normal(size=(4, 1, 3))

    def loss(x):
        return tf.nn.ctc_loss(np.array([[1, 2]]), x, [2], [4])

    check_gradients(loss, (logits,), order=2)


def test_ctc_loss_of_impossible_labels():
    logits = tf.zeros([2, 1, 3])
    sparse = tf.sparse.from_dense([[1, 1]])
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.nn.ctc_loss(sparse, logits, None, [2], blank_index=0)
    assert np.isinf(loss.numpy())
    assert not tape.gradient(loss, logits).numpy().any()
    dense = tf.nn.ctc_loss(np.array([[1, 1]]), logits, [2], [2])
    assert 700 < float(dense[0]) < 720


def test_ctc_checks_its_arguments():
    with pytest.raises(ValueError, match=r"`blank_index` must be provided"):
        tf.nn.ctc_loss(tf.sparse.from_dense([[1]]), tf.zeros([2, 1, 3]), None, [2])
    with pytest.raises(ValueError, match=r"must be in \[-3, 3\)"):
        tf.nn.ctc_loss([[1]], tf.zeros([2, 1, 3]), [1], [2], blank_index=3)
    with pytest.raises(Invalid, match=r"logits must have rank 3"):
        tf.nn.ctc_loss([[1]], tf.zeros([2, 3]), [1], [2])
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"sequence_length\(0\) <= 5"):
        tf.nn.ctc_greedy_decoder(tf.zeros([5, 1, 3]), [6])
    with pytest.raises(Invalid, match=r"requested more paths"):
        tf.nn.ctc_beam_search_decoder(tf.zeros([5, 1, 3]), [5], beam_width=1, top_paths=2)


def test_beam_search_finds_the_most_probable_labels():
    """A wide beam is exact: every labeling's probability is that of all its alignments."""
    logits = tf.random.stateless_normal([4, 1, 3], [1, 2], dtype=tf.float64)
    paths, scores = tf.nn.ctc_beam_search_decoder(logits, [4], beam_width=100, top_paths=3)
    for k, path in enumerate(paths):
        labels = path.values.numpy()[None]
        loss = tf.nn.ctc_loss(labels, logits, [labels.size], [4], blank_index=-1)
        np.testing.assert_allclose(-loss.numpy()[0], scores.numpy()[0, k], rtol=1e-9)


def test_fractional_pooling_covers_everything():
    x = tf.reshape(tf.range(81.0), [1, 9, 9, 1])
    for pseudo_random in (False, True):
        output, rows, columns = tf.nn.fractional_max_pool(x, [1, 1.5, 2.1, 1], pseudo_random)
        assert output.shape == (1, 6, 4, 1)
        for sequence in (rows.numpy(), columns.numpy()):
            assert (sequence[0], sequence[-1]) == (0, 9)
            assert set(np.diff(sequence)) <= {1, 2, 3}
    with pytest.raises(ValueError, match=r"should be >= 1.0"):
        tf.nn.fractional_avg_pool(x, [1, 0.5, 1, 1])
    with pytest.raises(ValueError, match=r"first and last elements with value 1.0"):
        tf.nn.fractional_avg_pool(x, [2, 1.5, 1.5, 1])


def test_windows_check_their_arguments():
    x = tf.zeros([1, 3, 3, 2])
    with pytest.raises(ValueError, match=r"other  than 'NHWC' are not supported"):
        tf.nn.dilation2d(x, tf.zeros([2, 2, 2]), [1, 1, 1, 1], "SAME", "NCHW", [1, 1, 1, 1])
    with pytest.raises(Invalid, match=r"strides must be \[1, height, width, 1\]"):
        tf.nn.dilation2d(x, tf.zeros([2, 2, 2]), [2, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1])
    with pytest.raises(Invalid, match=r"got shapes"):
        tf.nn.dilation2d(x, tf.zeros([2, 2, 3]), [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1])
    with pytest.raises(Invalid, match=r"a window of size 4 does not fit"):
        tf.nn.dilation2d(x, tf.zeros([4, 2, 2]), [1, 1, 1, 1], "VALID", "NHWC", [1, 1, 1, 1])
    with pytest.raises(Invalid, match=r"input must have rank 5"):
        tf.extract_volume_patches(x, [1, 1, 1, 1, 1], [1, 1, 1, 1, 1], "SAME")


def test_conv2d_backprops_are_its_gradients():
    x = tf.random.stateless_normal([1, 5, 5, 2], [1, 2])
    k = tf.random.stateless_normal([3, 3, 2, 3], [3, 4])
    with tf.GradientTape() as tape:
        tape.watch([x, k])
        y = tf.nn.conv2d(x, k, [1, 2, 2, 1], "SAME")
        loss = tf.reduce_sum(y * y) / 2
    by_input, by_filter = tape.gradient(loss, [x, k])
    again = tf.conv2d_backprop_input_v2(x, k, y, [1, 2, 2, 1], "SAME")
    np.testing.assert_allclose(again, by_input, rtol=1e-5)
    again = tf.conv2d_backprop_filter_v2(x, k, y, [1, 2, 2, 1], "SAME")
    np.testing.assert_allclose(again, by_filter, rtol=1e-5)


def test_sobol_points():
    with pytest.raises(Invalid, match=r"dim must be at least 1"):
        tf.math.sobol_sample(0, 3)
    with pytest.raises(TypeError, match=r"float32 or float64"):
        tf.math.sobol_sample(1, 3, dtype=tf.int32)


def test_quantization_checks_its_arguments():
    q = tf.quantization
    with pytest.raises(Invalid, match=r"num_bits must be between 2 and 16"):
        q.fake_quant_with_min_max_args(1.0, num_bits=1)
    with pytest.raises(Invalid, match=r"min has to be smaller than max"):
        q.fake_quant_with_min_max_args(1.0, 3.0, 1.0)
    with pytest.raises(Invalid, match=r"`min` must be rank 0 but is rank 1"):
        q.fake_quant_with_min_max_vars([1.0], [0.0], 1.0)
    with pytest.raises(Invalid, match=r"Round mode string must be"):
        q.quantize_and_dequantize([1.0], 0.0, 1.0, round_mode="DOWN")


def test_embeddings_check_their_arguments():
    ids = tf.sparse.from_dense([[1, 2]])
    with pytest.raises(ValueError, match=r"combiner must be one of"):
        tf.nn.embedding_lookup_sparse(tf.zeros([3, 2]), ids, None, combiner="max")
    with pytest.raises(TypeError, match=r"sp_ids must be SparseTensor"):
        tf.nn.embedding_lookup_sparse(tf.zeros([3, 2]), [1], None)
    with pytest.raises(Invalid, match=r"ids must be from 0 to 4"):
        tf.nn.embedding_lookup([tf.zeros([3, 2]), tf.zeros([2, 2])], [5])


def test_quantization_and_ctc_are_batched():
    x = tf.reshape(tf.linspace(-7.0, 7.0, 12), [3, 4])
    quantize = tf.quantization.fake_quant_with_min_max_args
    np.testing.assert_array_equal(tf.vectorized_map(quantize, x), quantize(x))
    logits = tf.random.stateless_normal([2, 5, 1, 3], [1, 2])
    batched = tf.vectorized_map(lambda one: tf.nn.ctc_loss([[1, 2]], one, [2], [5]), logits)
    without_fusion = tf.stack([tf.nn.ctc_loss([[1, 2]], one, [2], [5]) for one in logits])
    np.testing.assert_allclose(batched, without_fusion, rtol=1e-6)


def test_layouts_of_a_bias():
    value, bias = tf.zeros([1, 2, 2, 2, 3]), tf.constant([1.0, 2.0, 3.0])
    for layout in (None, "NDHWC", "NWC", "NHWC"):
        assert tf.nn.bias_add(value, bias, data_format=layout)[0, 0, 0, 0].numpy().tolist() == [
            1.0,
            2.0,
            3.0,
        ]
    first = tf.nn.bias_add(tf.zeros([1, 3, 2]), bias, data_format="NCW")
    assert first[0, :, 0].numpy().tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match=r"of the form `N\.\.\.C` or `NC\.\.\.`"):
        tf.nn.bias_add(value, bias, data_format="CHW")


def test_fused_batch_norm():
    """TensorFlow's values."""
    x = tf.reshape(tf.range(24.0) ** 1.5, [2, 2, 3, 2])
    given = {"scale": [1.0, 2.0], "offset": [0.5, 0.0], "epsilon": 0.1}
    trained = tf.raw_ops.FusedBatchNormV2(x=x, mean=[0.0, 0.0], variance=[1.0, 1.0], **given)
    np.testing.assert_allclose(trained.y[0, 0, 0], [-0.7612429, -2.6151516], rtol=1e-5)
    np.testing.assert_allclose(trained.batch_mean, [42.227283, 46.98305], rtol=1e-5)
    np.testing.assert_allclose(trained.batch_variance, [1222.7529, 1349.0104], rtol=1e-5)
    np.testing.assert_allclose(trained.reserve_space_2, [1120.8568, 1236.5928], rtol=1e-5)
    used = tf.raw_ops.FusedBatchNormV2(
        x=x, mean=[0.0, 3.0], variance=[1.0, 2.0], is_training=False, **given
    )
    np.testing.assert_allclose(used.y[0, 0, 1], [3.1967995, 3.0309787], rtol=1e-5)


@pytest.mark.parametrize(
    ("padding", "text"),
    [
        ([[1, 1], [0, 0], [0, 0], [0, 0]], "in the batch or depth dimensions is not supported"),
        ([[0, 0], [0, 0], [0, 0], [0, 1]], "in the batch or depth dimensions is not supported"),
        ([[0, 0], [2, 0], [0, 0], [0, 0]], r"smaller than the window size \[2, 2\]"),
        ([[0, 0], [0, 0], [0, 2], [0, 0]], r"smaller than the window size \[2, 2\]"),
    ],
)
def test_padding_that_pooling_cannot_take(padding, text):
    with pytest.raises(Invalid, match=text):
        tf.nn.max_pool2d(tf.ones([1, 4, 4, 1]), 2, 1, padding)


def test_pooling_with_padding():
    x = -tf.ones([1, 1, 4, 4])
    padding = [[0, 0], [0, 0], [1, 1], [0, 1]]
    y = tf.nn.max_pool2d(tf.transpose(x, [0, 2, 3, 1]), 2, 1, [[0, 0], [1, 1], [0, 1], [0, 0]])
    assert y.shape == (1, 5, 4, 1)
    assert tf.reduce_all(y == -1)
    first = tf.nn.max_pool2d(x, 2, 1, padding, data_format="NCHW")
    assert tf.reduce_all(first == tf.transpose(y, [0, 3, 1, 2]))


@pytest.mark.parametrize("shape", [[0, 2, 1, 1], [2, 2, 0, 1], [2, 2, 1, 0]])
def test_filters_of_nothing(shape):
    with pytest.raises(Invalid, match="filters must not have zero elements"):
        tf.nn.conv2d(tf.ones([1, 4, 4, shape[2]]), tf.ones(shape), 1, "SAME")
