"""Wrong calls of functions that need more than arguments, or whose result is what raises."""

import tempfile

import gradtape as tf

X = tf.constant([1.0, 2.0])
DATA = tf.data.Dataset.range(2)
EXPERIMENTAL = tf.data.experimental


def _written(write):
    """Write a summary into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        writer = tf.summary.create_file_writer(folder)
        with writer.as_default():
            write()


LATER = {
    "experimental.dispatch_for_api": lambda: tf.experimental.dispatch_for_api(tf.while_loop),
    "experimental.dispatch_for_binary_elementwise_apis": lambda: (
        tf.experimental.dispatch_for_binary_elementwise_apis(3, 3)
    ),
    "experimental.dispatch_for_binary_elementwise_assert_apis": lambda: (
        tf.experimental.dispatch_for_binary_elementwise_assert_apis(3, 3)
    ),
    "experimental.dispatch_for_unary_elementwise_apis": lambda: (
        tf.experimental.dispatch_for_unary_elementwise_apis(3)
    ),
    "experimental.extension_type.as_dict": lambda: tf.experimental.extension_type.as_dict(3),
    "experimental.unregister_dispatch_for": lambda: tf.experimental.unregister_dispatch_for(abs),
    "autograph.experimental.do_not_convert": lambda: tf.autograph.experimental.do_not_convert(3),
    "compat.v1.disable_eager_execution": lambda: tf.compat.v1.disable_eager_execution(),
    "compat.v1.disable_v2_behavior": lambda: tf.compat.v1.disable_v2_behavior(),
    "compat.v1.placeholder": lambda: tf.compat.v1.placeholder(tf.float32),
    "compat.v1.sparse_placeholder": lambda: tf.compat.v1.sparse_placeholder(tf.float32),
    "compat.v1.train.create_global_step": lambda: [
        tf.compat.v1.train.create_global_step() for _ in range(2)
    ],
    "compat.v1.train.cosine_decay": lambda: tf.compat.v1.train.cosine_decay(0.1, "a", 10)(),
    "compat.v1.train.exponential_decay": lambda: tf.compat.v1.train.exponential_decay(
        0.1, "a", 10, 0.5
    )(),
    "compat.v1.train.inverse_time_decay": lambda: tf.compat.v1.train.inverse_time_decay(
        0.1, "a", 10, 0.5
    )(),
    "compat.v1.train.natural_exp_decay": lambda: tf.compat.v1.train.natural_exp_decay(
        0.1, "a", 10, 0.5
    )(),
    "compat.v1.train.polynomial_decay": lambda: tf.compat.v1.train.polynomial_decay(0.1, "a", 10)(),
    "compat.v1.train.piecewise_constant": lambda: tf.compat.v1.train.piecewise_constant(
        1, [1, 2], [1.0]
    )(),
    "data.experimental.bucket_by_sequence_length": lambda: DATA.apply(
        EXPERIMENTAL.bucket_by_sequence_length(lambda x: 1, [2, 3], [1])
    ),
    "data.experimental.cardinality": lambda: EXPERIMENTAL.cardinality(3),
    "data.experimental.dense_to_ragged_batch": lambda: DATA.apply(
        EXPERIMENTAL.dense_to_ragged_batch(0)
    ),
    "data.experimental.enumerate_dataset": lambda: DATA.apply(EXPERIMENTAL.enumerate_dataset("a")),
    "data.experimental.get_next_as_optional": lambda: EXPERIMENTAL.get_next_as_optional(3),
    "data.experimental.get_structure": lambda: EXPERIMENTAL.get_structure(3),
    "data.experimental.group_by_reducer": lambda: list(
        DATA.apply(EXPERIMENTAL.group_by_reducer(3, 3))
    ),
    "data.experimental.group_by_window": lambda: DATA.apply(
        EXPERIMENTAL.group_by_window(lambda x: x, lambda key, window: window)
    ),
    "data.experimental.ignore_errors": lambda: DATA.apply(EXPERIMENTAL.ignore_errors(1, 2, 3)),
    "data.experimental.map_and_batch": lambda: DATA.apply(
        EXPERIMENTAL.map_and_batch(lambda x: x, 0)
    ),
    "data.experimental.pad_to_cardinality": lambda: DATA.apply(EXPERIMENTAL.pad_to_cardinality(1)),
    "data.experimental.parallel_interleave": lambda: list(
        DATA.apply(EXPERIMENTAL.parallel_interleave(lambda x: 3, 2))
    ),
    "data.experimental.rejection_resample": lambda: DATA.apply(
        EXPERIMENTAL.rejection_resample(1, [0.5, 0.5])
    ),
    "data.experimental.save": lambda: EXPERIMENTAL.save(DATA, "/dev/null/x"),
    "data.experimental.scan": lambda: list(
        DATA.apply(EXPERIMENTAL.scan(0, lambda state, x: state))
    ),
    "data.experimental.shuffle_and_repeat": lambda: DATA.apply(EXPERIMENTAL.shuffle_and_repeat(0)),
    "data.experimental.snapshot": lambda: list(DATA.apply(EXPERIMENTAL.snapshot("/dev/null/x"))),
    "data.experimental.take_while": lambda: list(DATA.apply(EXPERIMENTAL.take_while(lambda x: x))),
    "data.experimental.unbatch": lambda: list(DATA.apply(EXPERIMENTAL.unbatch())),
    "data.experimental.unique": lambda: DATA.apply(EXPERIMENTAL.unique(1, 2, 3)),
    "experimental.numpy.experimental_enable_numpy_behavior": lambda: (
        tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode="no")
    ),
    "export.stablehlo": lambda: tf.export.stablehlo(3, [tf.TensorSpec([2])]),
    "grad_pass_through": lambda: tf.grad_pass_through(3)(1.0),
    "io.decode_proto": lambda: tf.io.decode_proto([b"x"], "no.such", ["a"], [tf.int32]),
    "io.encode_proto": lambda: tf.io.encode_proto([[1]], [[[1]]], ["a"], "no.such"),
    "io.gfile.makedirs": lambda: tf.io.gfile.makedirs("/dev/null/x"),
    "io.write_file": lambda: tf.io.write_file("/dev/null/x", "a"),
    "nest.flatten": lambda: tf.nest.flatten({1: 2, "a": 3}),
    "no_gradient": lambda: tf.no_gradient("Sin"),
    "profiler.experimental.client.monitor": lambda: tf.profiler.experimental.client.monitor("a", 1),
    "profiler.experimental.client.trace": lambda: tf.profiler.experimental.client.trace(
        "a", "b", 1
    ),
    "profiler.experimental.start": lambda: tf.profiler.experimental.start(3),
    "profiler.experimental.stop": lambda: tf.profiler.experimental.stop(),
    "recompute_grad": lambda: tf.recompute_grad(3)(1.0),
    "signal.inverse_stft_window_fn": lambda: tf.signal.inverse_stft_window_fn("a")(2, tf.float32),
    "summary.audio": lambda: _written(lambda: tf.summary.audio("a", X, 8000, step=1)),
    "summary.create_file_writer": lambda: tf.summary.create_file_writer("/dev/null/x"),
    "summary.experimental.write_raw_pb": lambda: _written(
        lambda: tf.summary.experimental.write_raw_pb("a")
    ),
    "summary.histogram": lambda: _written(lambda: tf.summary.histogram("a", X)),
    "summary.image": lambda: _written(lambda: tf.summary.image("a", X, step=1)),
    "summary.scalar": lambda: _written(lambda: tf.summary.scalar("a", X, step=1)),
    "summary.text": lambda: _written(lambda: tf.summary.text("a", X, step=1)),
    "summary.trace_export": lambda: (tf.summary.trace_off(), tf.summary.trace_export("a", 1)),
    "summary.write": lambda: _written(lambda: tf.summary.write("a", X)),
    "tpu.experimental.initialize_tpu_system": lambda: tf.tpu.experimental.initialize_tpu_system(),
    "tpu.experimental.shutdown_tpu_system": lambda: tf.tpu.experimental.shutdown_tpu_system(),
    "train.checkpoints_iterator": lambda: list(tf.train.checkpoints_iterator(3, timeout=0)),
}
