"""A wrong call of functions whose entry in api/documentation/examples names an error."""

import gradtape as tf

X = tf.constant([1.0, 2.0])
SPARSE = tf.sparse.from_dense([[1.0, 0.0]])

WRONG_CALLS = {
    "Assert": lambda: tf.Assert(False, ["x"]),
    "broadcast_static_shape": lambda: tf.broadcast_static_shape(
        tf.TensorShape([2]), tf.TensorShape([3])
    ),
    "case": lambda: tf.case([(True, 3)]),
    "compat.as_bytes": lambda: tf.compat.as_bytes(3),
    "compat.as_text": lambda: tf.compat.as_text(3),
    "config.experimental.get_device_details": lambda: tf.config.experimental.get_device_details(
        "no"
    ),
    "config.experimental.get_memory_growth": lambda: tf.config.experimental.get_memory_growth("no"),
    "config.experimental.get_memory_info": lambda: tf.config.experimental.get_memory_info("GPU:99"),
    "config.experimental.get_memory_usage": lambda: tf.config.experimental.get_memory_usage(
        "GPU:99"
    ),
    "config.experimental.reset_memory_stats": lambda: tf.config.experimental.reset_memory_stats(
        "GPU:99"
    ),
    "config.experimental.set_device_policy": lambda: tf.config.experimental.set_device_policy("x"),
    "config.experimental.set_memory_growth": lambda: tf.config.experimental.set_memory_growth(
        "no", True
    ),
    "config.get_logical_device_configuration": lambda: tf.config.get_logical_device_configuration(
        "no"
    ),
    "config.set_logical_device_configuration": lambda: tf.config.set_logical_device_configuration(
        "no", []
    ),
    "config.set_visible_devices": lambda: tf.config.set_visible_devices("no"),
    "config.threading.set_inter_op_parallelism_threads": lambda: (
        tf.config.threading.set_inter_op_parallelism_threads("x")
    ),
    "config.threading.set_intra_op_parallelism_threads": lambda: (
        tf.config.threading.set_intra_op_parallelism_threads("x")
    ),
    "data.experimental.assert_cardinality": lambda: list(
        tf.data.Dataset.range(2).apply(tf.data.experimental.assert_cardinality(3))
    ),
    "data.experimental.at": lambda: tf.data.experimental.at(tf.data.Dataset.range(2), 5),
    "data.experimental.choose_from_datasets": lambda: tf.data.experimental.choose_from_datasets(
        [], tf.data.Dataset.range(1)
    ),
    "data.experimental.from_list": lambda: tf.data.experimental.from_list([]),
    "data.experimental.get_single_element": lambda: tf.data.experimental.get_single_element(
        tf.data.Dataset.range(2)
    ),
    "data.experimental.load": lambda: tf.data.experimental.load("/nowhere"),
    "data.experimental.make_csv_dataset": lambda: tf.data.experimental.make_csv_dataset(
        "/nowhere/*.csv", 2
    ),
    "data.experimental.sample_from_datasets": lambda: tf.data.experimental.sample_from_datasets([]),
    "debugging.assert_proper_iterable": lambda: tf.debugging.assert_proper_iterable(3),
    "debugging.assert_same_float_dtype": lambda: tf.debugging.assert_same_float_dtype(
        [X], tf.float64
    ),
    "debugging.assert_shapes": lambda: tf.debugging.assert_shapes([(X, (3,))]),
    "dynamic_stitch": lambda: tf.dynamic_stitch([[0]], [[1.0], [2.0]]),
    "edit_distance": lambda: tf.edit_distance(X, X),
    "einsum": lambda: tf.einsum("ij,jk->ik", tf.ones((2, 3)), tf.ones((2, 3))),
    "experimental.dlpack.to_dlpack": lambda: tf.experimental.dlpack.to_dlpack(3),
    "experimental.numpy.arange": lambda: tf.experimental.numpy.arange(0, 5, 0),
    "experimental.numpy.broadcast_arrays": lambda: tf.experimental.numpy.broadcast_arrays(
        [1, 2], [1, 2, 3]
    ),
    "experimental.numpy.dstack": lambda: tf.experimental.numpy.dstack([[1, 2], [1]]),
    "experimental.numpy.eye": lambda: tf.experimental.numpy.eye(-1),
    "experimental.numpy.finfo": lambda: tf.experimental.numpy.finfo(tf.int32),
    "experimental.numpy.hstack": lambda: tf.experimental.numpy.hstack([[[1]], [1]]),
    "experimental.numpy.ix_": lambda: tf.experimental.numpy.ix_([[1]]),
    "experimental.numpy.meshgrid": lambda: tf.experimental.numpy.meshgrid(X, indexing="no"),
    "experimental.numpy.select": lambda: tf.experimental.numpy.select([True], []),
    "experimental.numpy.vstack": lambda: tf.experimental.numpy.vstack([[1, 2], [1]]),
    "export.onnx": lambda: tf.export.onnx(3, [tf.TensorSpec([2])], "/nowhere/x"),
    "fingerprint": lambda: tf.fingerprint(X, "no"),
    "gradients": lambda: tf.gradients(X, X),
    "graph.print": lambda: tf.graph.print(3),
    "graph.text": lambda: tf.graph.text(3),
    "hessian": lambda: tf.hessian(lambda x: x)(X),
    "hessians": lambda: tf.hessians(X, X),
    "hvp": lambda: tf.hvp(lambda x: x, (X,), (X,)),
    "io.decode_bmp": lambda: tf.io.decode_bmp(b"xx"),
    "io.decode_compressed": lambda: tf.io.decode_compressed(b"xx", "GZIP"),
    "io.decode_csv": lambda: tf.io.decode_csv("a,b", [[0.0]]),
    "io.decode_gif": lambda: tf.io.decode_gif(b"xx"),
    "io.decode_json_example": lambda: tf.io.decode_json_example("{"),
    "io.decode_webp": lambda: tf.io.decode_webp(b"xx"),
    "io.deserialize_many_sparse": lambda: tf.io.deserialize_many_sparse(
        [["a", "b", "c"]], tf.float32
    ),
    "io.gfile.copy": lambda: tf.io.gfile.copy("/nowhere/x", "/nowhere/y"),
    "io.gfile.listdir": lambda: tf.io.gfile.listdir("/nowhere"),
    "io.gfile.mkdir": lambda: tf.io.gfile.mkdir("/nowhere/x"),
    "io.gfile.remove": lambda: tf.io.gfile.remove("/nowhere/x"),
    "io.gfile.rename": lambda: tf.io.gfile.rename("/nowhere/x", "/nowhere/y"),
    "io.gfile.rmtree": lambda: tf.io.gfile.rmtree("/nowhere/x"),
    "io.gfile.stat": lambda: tf.io.gfile.stat("/nowhere/x"),
    "io.parse_example": lambda: tf.io.parse_example(
        [b"xx"], {"a": tf.io.FixedLenFeature([], tf.float32)}
    ),
    "io.parse_sequence_example": lambda: tf.io.parse_sequence_example(
        [b"xx"], {"a": tf.io.FixedLenFeature([], tf.float32)}
    ),
    "io.parse_single_example": lambda: tf.io.parse_single_example(
        b"xx", {"a": tf.io.FixedLenFeature([], tf.float32)}
    ),
    "io.parse_single_sequence_example": lambda: tf.io.parse_single_sequence_example(
        b"xx", {"a": tf.io.FixedLenFeature([], tf.float32)}
    ),
    "io.parse_tensor": lambda: tf.io.parse_tensor(b"xx", tf.float32),
    "io.read_file": lambda: tf.io.read_file("/nowhere/x"),
    "io.serialize_many_sparse": lambda: tf.io.serialize_many_sparse(X),
    "io.serialize_sparse": lambda: tf.io.serialize_sparse(X),
    "jacobian": lambda: tf.jacobian(lambda x: x, mode="no")(X),
    "jvp": lambda: tf.jvp(lambda x: x, (X,), (tf.ones(3),)),
    "linalg.global_norm": lambda: tf.linalg.global_norm(3.0),
    "math.accumulate_n": lambda: tf.math.accumulate_n([tf.ones(2), tf.ones(3)]),
    "math.add_n": lambda: tf.add_n([tf.ones(2), tf.ones(3)]),
    "math.sobol_sample": lambda: tf.math.sobol_sample(-1, 2),
    "meshgrid": lambda: tf.meshgrid(X, indexing="no"),
    "nest.assert_same_structure": lambda: tf.nest.assert_same_structure([1], [1, 2]),
    "nest.pack_sequence_as": lambda: tf.nest.pack_sequence_as([1, 2], [1]),
    "nn.experimental.general_dropout": lambda: tf.nn.experimental.general_dropout(
        X, 1.5, lambda *a, **k: X
    ),
    "parallel_stack": lambda: tf.parallel_stack([[1.0], [1.0, 2.0]]),
    "ragged.boolean_mask": lambda: tf.ragged.boolean_mask(X, [True]),
    "ragged.constant": lambda: tf.ragged.constant([1, [2]]),
    "ragged.cross": lambda: tf.ragged.cross([X]),
    "ragged.range": lambda: tf.ragged.range([0], [3], [0]),
    "ragged.stack_dynamic_partitions": lambda: tf.ragged.stack_dynamic_partitions(X, [5, 5], 1),
    "random.set_global_generator": lambda: tf.random.set_global_generator(3),
    "saved_model.load": lambda: tf.saved_model.load("/nowhere"),
    "saved_model.save": lambda: tf.saved_model.save(3, "/nowhere"),
    "sets.size": lambda: tf.sets.size(X),
    "signal.hamming_window": lambda: tf.signal.hamming_window(-1),
    "signal.hann_window": lambda: tf.signal.hann_window(-1),
    "signal.kaiser_window": lambda: tf.signal.kaiser_window(-1),
    "signal.linear_to_mel_weight_matrix": lambda: tf.signal.linear_to_mel_weight_matrix(
        num_mel_bins=-1
    ),
    "signal.vorbis_window": lambda: tf.signal.vorbis_window(-1),
    "sparse.cross": lambda: tf.sparse.cross([3]),
    "sparse.mask": lambda: tf.sparse.mask(X, [0]),
    "sparse.maximum": lambda: tf.sparse.maximum(SPARSE, X),
    "sparse.minimum": lambda: tf.sparse.minimum(SPARSE, X),
    "sparse.reorder": lambda: tf.sparse.reorder(X),
    "sparse.reset_shape": lambda: tf.sparse.reset_shape(SPARSE, [1]),
    "sparse.retain": lambda: tf.sparse.retain(X, [True]),
    "sparse.slice": lambda: tf.sparse.slice(X, [0], [1]),
    "sparse.softmax": lambda: tf.sparse.softmax(X),
    "sparse.to_dense": lambda: tf.sparse.to_dense(X),
    "sparse.to_indicator": lambda: tf.sparse.to_indicator(X, 3),
    "strings.bytes_split": lambda: tf.strings.bytes_split(1),
    "strings.join": lambda: tf.strings.join([["a", "b"], ["c", "d", "e"]]),
    "strings.ngrams": lambda: tf.strings.ngrams(["a"], 0),
    "strings.regex_full_match": lambda: tf.strings.regex_full_match("a", "("),
    "strings.regex_replace": lambda: tf.strings.regex_replace("a", "(", "b"),
    "strings.split": lambda: tf.strings.split(1),
    "strings.to_hash_bucket": lambda: tf.strings.to_hash_bucket("a", 0),
    "strings.to_hash_bucket_strong": lambda: tf.strings.to_hash_bucket_strong("a", 0, [1, 2]),
    "strings.unicode_script": lambda: tf.strings.unicode_script(1.5),
    "strings.unicode_transcode": lambda: tf.strings.unicode_transcode("a", "nope", "UTF-8"),
    "strings.unsorted_segment_join": lambda: tf.strings.unsorted_segment_join(["a"], [0, 1], 1),
    "to_device": lambda: tf.to_device(X, "/GPU:99"),
    "train.list_variables": lambda: tf.train.list_variables("/nowhere"),
    "train.load_checkpoint": lambda: tf.train.load_checkpoint("/nowhere"),
    "train.load_variable": lambda: tf.train.load_variable("/nowhere", "x"),
    "vjp": lambda: tf.vjp(3, X),
    "vmap": lambda: tf.vmap(lambda x: x)(1.0),
}
