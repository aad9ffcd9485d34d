"""Malformed calls of public functions: a part of what `make fuzz-calls` runs."""

import gc
import signal
import sys

import pytest

import gradtape as tf
from tests.fuzz import calls, outcomes

CALLS = 2000


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory")
@pytest.mark.parametrize("part", range(4))
def test_only_documented_exceptions(part):
    each = CALLS // 4
    # Numbers from part to part go on: together they call every function.
    result = calls.watch(seed=1, begin=part * each, end=(part + 1) * each, gigabytes=2.0)
    assert len(result) == each
    findings = [
        f"{expression}\n    {words}"
        for expression, words in result.values()
        if calls.is_finding(words)
    ]
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("tf.zeros([10**9] * 3)", "raised ResourceExhaustedError"),
        ("tf.ones([2**40, 2**40])", "raised ResourceExhaustedError"),
        ("tf.constant(odd.itself())", "raised ValueError"),
        ("tf.experimental.numpy.log1p(odd.itself())", "raised ValueError"),
        ("tf.reshape(tf.ones(3), odd.itself())", "raised ValueError"),
        ("tf.linalg.eigh_tridiagonal(1.5, [1.0])", "raised AxisError"),
        ("tf.conv(1.0, [[1.0]], [1, 1, 1, 1], 'SAME')", "raised ShapeError"),
        ("tf.nn.collapse_repeated([[1, 1]], 3)", "raised ShapeError"),
        ("tf.nn.ctc_unique_labels(1)", "raised ShapeError"),
        ("tf.dynamic_partition([1.0], [0], -(2**70))", "raised InvalidArgumentError"),
        ("tf.strings.format(1.0, [])", "raised TypeError"),
        ("tf.experimental.numpy.vsplit([[1.0], [2.0]], 0)", "raised ValueError"),
        ("tf.sparse.mask(2, [0])", "raised TypeError"),
        ("tf.linalg.LinearOperatorKronecker([1.0, 2.0])", "raised TypeError"),
        ("tf.Variable([[1.0]]).batch_scatter_update(1.5)", "raised TypeError"),
        ("tf.signal.rfftnd([[1.0]], fft_length=[2**40, 2**40])", "raised ResourceExhaustedError"),
        ("tf.data.Dataset.range(4).reduce(None, lambda *x: 1.0)", "raised TypeError"),
        ("tf.experimental.numpy.broadcast_to(1.0, [-1])", "raised ShapeError"),
        ("tf.experimental.numpy.full(10**30, [True])", "raised ResourceExhaustedError"),
        ("tf.strings.reduce_join('text', separator=1.0)", "raised TypeError"),
        ("tf.linalg.lu_matrix_inverse([[1.0]], 1)", "raised AxisError"),
        (
            "tf.quantization.quantize_and_dequantize_v2(1.0, 0.0, [1.0], axis=1)",
            "raised ShapeError",
        ),
        ("tf.image.non_max_suppression_padded([0.0] * 8, 1.0, 3)", "raised ShapeError"),
        ("tf.experimental.numpy.clip([1, 2], np.ones((1,) * 33), [])", "raised ShapeError"),
        ("tf.config.set_num_threads(2**70)", "raised ValueError"),
        ("gradient: tf.Variable(1.0).assign_sub(tf.Tensor)", "raised TypeError"),
        ("tf.nn.embedding_lookup([1.0, 2.0], [0, 1])", "raised AxisError"),
        ("tf.summary.flush(writer=[])", "raised TypeError"),
        ("tf.experimental.numpy.einsum(1.0, [1.0])", "raised TypeError"),
        (
            "tf.nn.learned_unigram_candidate_sampler([[1]], 1, 1, True, 2**40)",
            "raised InvalidArgumentError",
        ),
        (
            "tf.random.all_candidate_sampler(np.eye(3), 3, np.ones((1,) * 33), True)",
            "raised TypeError",
        ),
        ("tf.strings.join(['a'], separator=tf.float32)", "raised TypeError"),
        ("tf.register_tensor_conversion_function(np.ones(3), abs)", "raised TypeError"),
        ("tf.register_tensor_conversion_function((set, int), abs)", "raised TypeError"),
        ("tf.register_tensor_conversion_function(set, 3)", "raised TypeError"),
        ("tf.register_tensor_conversion_function(set, abs, priority='first')", "raised TypeError"),
        ("tf.experimental.numpy.polyval((), 10**9)", ""),
        (
            "tf.nn.depthwise_conv2d_backprop_input([], np.ones((2, 3)), 1.5, 1, 'VALID')",
            "raised ShapeError",
        ),
        (
            "tf.nn.depthwise_conv2d_backprop_filter(1.5, [1, 1, 1, 1], 1.5, 1, 'VALID')",
            "raised ShapeError",
        ),
        (
            "tf.nn.depthwise_conv2d_backprop_input([1, -4, 4, 1], np.ones((2, 3, 1, 1)), "
            "np.ones((1, 2, 2, 1)), 1, 'VALID')",
            "raised ShapeError",
        ),
        (
            "tf.nn.depthwise_conv2d_backprop_filter(np.ones((1, 4, 4, 1)), [9, -1, 1, 1], "
            "np.ones((1, 2, 2, 1)), 1, 'VALID')",
            "raised ShapeError",
        ),
        (
            "tf.nn.atrous_conv2d(np.ones((1, 4, 4, 1)), np.ones((2, 2, 1, 1)), 10**30, 'SAME')",
            "raised InvalidArgumentError",
        ),
        (
            "tf.nn.conv1d_transpose(np.ones((1, 4, 1)), np.ones((2, 1, 1)), [], 1)",
            "raised ShapeError",
        ),
        (
            "tf.nn.conv2d_transpose(np.ones((1, 4, 4, 1)), np.ones((2, 2, 1, 1)), [4, 4], 0)",
            "raised InvalidArgumentError",
        ),
        (
            "tf.nn.erosion2d(np.ones((1, 4, 4, 1)), np.ones((2, 2, 1)), [1] * 4, 3, 'NHWC', "
            "[1] * 4)",
            "raised ValueError",
        ),
        ("tf.roll([1, 2, 3], float('inf'), 0)", "raised ValueError"),
        ("tf.random.categorical([[1.0]], float('inf'))", "raised ValueError"),
        ("tf.experimental.numpy.random.randn([10**30])", "raised DTypeError"),
        ("tf.linalg.experimental.conjugate_gradient([[1.0]], [1.0])", "raised TypeError"),
        (
            "tf.image.draw_bounding_boxes(np.ones((1, 4, 4, 3)), np.ones((1, 1, 4)), [1, 2])",
            "raised ShapeError",
        ),
        ("tf.io.is_jpeg(2**63 - 1)", "raised DTypeError"),
        (
            "tf.sparse.sparse_dense_matmul(tf.sparse.eye(2), tf.sparse.eye(2))",
            "raised TypeError",
        ),
        ("tf.sparse.to_indicator(tf.sparse.eye(2), 2**63)", "raised InvalidArgumentError"),
        ("tf.audio.encode_wav(np.ones((3, 2)), 2**31 - 1)", "raised InvalidArgumentError"),
        ("tf.size([1.0], out_type=tf.string)", "raised DTypeError"),
        ("tf.experimental.numpy.empty(tf.constant('text'))", "raised DTypeError"),
        ("tf.zeros(b'text')", "raised DTypeError"),
        ("tf.experimental.numpy.arange(float('inf'), step=3)", "raised InvalidArgumentError"),
        ("tf.range(0.0, float('inf'))", "raised InvalidArgumentError"),
        (
            "tf.sparse.segment_sum(np.ones(3), np.ones((3, 4)), [0, 0, 1])",
            "raised InvalidArgumentError",
        ),
        ("tf.sparse.segment_sum(np.ones(3), [0.0], [0])", "raised InvalidArgumentError"),
        ("tf.data.Dataset.range(4).enumerate(start=-(2**70))", "raised ValueError"),
        ("tf.data.Dataset.range(-(2**70), 2**31)", "raised ValueError"),
        ("tf.summary.create_file_writer('')", "raised ValueError"),
        (
            "tf.debugging.assert_same_float_dtype(np.array(['2020-01-01'], 'datetime64[D]'))",
            "raised TypeError",
        ),
        ("tf.assert_less([1.5], [1.5], summarize=float('inf'))", "raised ValueError"),
        (
            "tf.nn.conv1d(np.ones((1, 7, 2)), np.ones((3, 2, 1)), 1, [[0, 0], [5, -1], [0, 0]])",
            "raised InvalidArgumentError",
        ),
        ("tf.cond(True, lambda *x: x[0], tf.add)", "raised IndexError"),
        ("tf.experimental.numpy.tile(np.ones((2, 3)), memoryview(b'abcd'))", "raised TypeError"),
        (
            "tf.conv(np.ones((1, 4, 4, 1)), np.ones((2, 2, 1, 1)), [float('inf')], 'SAME')",
            "raised ValueError",
        ),
        ("tf.zeros([tf.constant(float('inf'))])", "raised ValueError"),
        ("tf.zeros(np.array(float('inf')))", "raised ValueError"),
        ("tf.abs(tf.SparseTensor)", "raised ValueError"),
        ("tf.ones(2) + tf.Variable", "raised TypeError"),
        (
            "tf.dynamic_stitch(np.zeros((0,), np.int32), tf.constant([], tf.string))",
            "raised InvalidArgumentError",
        ),
        ("tf.dynamic_stitch([tf.constant([1, 0], tf.uint64)], [[1.0, 2.0]])", ""),
        (
            "tf.edit_distance(tf.SparseTensor([[5, 7]], [1.0], [2, 3]), tf.sparse.eye(2))",
            "raised InvalidArgumentError",
        ),
        ("tf.one_hot(np.zeros((0,), np.int32), 1e300)", "raised ResourceExhaustedError"),
        ("tf.experimental.numpy.dsplit(np.ones((1, 1, 2)), [float('inf')])", "raised ValueError"),
        ("tf.experimental.numpy.stack('i,i')", "raised TypeError"),
        ("tf.zeros(2, '(1')", "raised TypeError"),
        ("tf.experimental.numpy.var(2, ddof=1.0)", ""),
        ("tf.sparse.transpose(tf.sparse.eye(2), tf.constant([True, False]))", ""),
        ("tf.experimental.numpy.random.randn(memoryview(b'abcd'))", "raised TypeError"),
        ("tf.gather(np.ones((2, 3)), np.ones((2, 1), np.uint64), axis=1, batch_dims=1)", ""),
        ("tf.while_loop(lambda i: i < 3, tf.Tensor, [tf.constant(0)])", "raised TypeError"),
        ("tf.strided_slice([2.0], [0], [1], var=np.array(1, object))", ""),
        ("tf.strings.to_hash_bucket_strong('a', 3, [float('inf'), 1])", "raised ValueError"),
        ("tf.vectorized_map(tf.Variable, np.ones((2, 3)))", "raised ValueError"),
        ("tf.saved_model.load('no_such_folder')", "raised OSError"),
        ("tf.TensorArray(tf.string, size=10**30)", "raised ResourceExhaustedError"),
        (
            "tf.TensorArray(tf.float32, size=2, dynamic_size=True).write(10**30, 1.0)",
            "raised ResourceExhaustedError",
        ),
        ("tf.math.bincount(np.zeros((0, 3), np.int32), axis=-1)", ""),
        ("tf.strings.unsorted_segment_join([], np.zeros((0,), np.int32), 2)", ""),
        (
            "tf.nn.dilation2d(np.ones((1, 4, 4, 2)), np.ones((0, 2, 2)), [1] * 4, 'SAME', 'NHWC', "
            "[1] * 4)",
            "",
        ),
        (
            "tf.nn.with_space_to_batch(np.ones((2, 4, 4, 3)), [2], 'VALID', lambda x, n, p: x, "
            "spatial_dims=(-1,))",
            "raised ValueError",
        ),
        (
            "tf.nn.with_space_to_batch(np.ones((2, 4, 4, 3)), [2], 'VALID', lambda x, n, p: x, "
            "spatial_dims=(4,))",
            "raised ShapeError",
        ),
        (
            "tf.nn.with_space_to_batch(np.ones((2, 4, 4, 3)), [2], 'VALID', lambda x, n, p: x, "
            "spatial_dims=())",
            "raised ValueError",
        ),
        (
            "tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant([1, 2], tf.uint64), "
            "tf.ones((2, 3)))",
            "",
        ),
        ("tf.Tensor([1.0])", "raised TypeError"),
        ("tf.Tensor(data=tf.ones(3))", "raised TypeError"),
        (
            "tf.ragged.map_flat_values(tf.Tensor, tf.ragged.constant([[1.0], [2.0, 3.0]]))",
            "raised TypeError",
        ),
        ("tf.map_fn(tf.Tensor, tf.ones(3))", "raised TypeError"),
        ("tf.image.random_crop([1.0, 2.0], -(2**63))", "raised InvalidArgumentError"),
        ("tf.random.set_seed(np.array(float('inf')))", "raised ValueError"),
        (
            "tf.random.stateless_parameterized_truncated_normal([2], [1, 2], -float('inf'))",
            "raised InvalidArgumentError",
        ),
    ],
)
def test_what_a_call_raises(expression, words):
    assert outcomes.outcome(expression) == words
    assert outcomes.aftermath() == ""


def test_a_finding_is_one():
    assert outcomes.outcome("[][1]").startswith("<string>:1 IndexError")
    assert (
        outcomes.outcome("tf.ones(3).no_such_name").partition(" ")[2].startswith("AttributeError")
    )
    assert "do not imply" in outcomes.outcome("odd.raise_memory_error()")


def test_a_loop_runs_as_often_as_told(monkeypatch):
    monkeypatch.setattr(outcomes, "A_LOOP", 0.2)
    expression = "near.call('while_loop', 0, 1, tf.function(lambda *x: x[0]))"
    assert outcomes.outcome(expression) == "raised nothing: a loop that goes on"
    assert outcomes.outcome("[0 for _ in iter(int, 1)]", 0.2).startswith("takes more than 0.2 s")


def test_the_time_is_up_while_the_collector_runs():
    def interrupt(*_):
        if signal.getitimer(signal.ITIMER_PROF)[0] and not interrupted:
            interrupted.append(True)
            signal.raise_signal(signal.SIGPROF)

    interrupted = []
    gc.callbacks.append(interrupt)
    try:
        result = outcomes.outcome("[[] for _ in iter(int, 1)]", 0.2)
    finally:
        gc.callbacks.remove(interrupt)
    assert interrupted
    assert result.startswith("takes more than 0.2 s")


def test_a_call_after_which_others_fail_is_one(monkeypatch):
    monkeypatch.setattr("gradtape.core.convert._conversions", [(0, "no type", abs)])
    assert outcomes.aftermath().startswith("leaves others unable to work: TypeError: isinstance()")
    monkeypatch.undo()
    with tf.GradientTape():
        assert outcomes.aftermath().startswith("leaves a state")
    assert outcomes.aftermath() == ""
