"""What gradtape leaves out of TensorFlow, why, and what there is instead.

A pattern stands for the names that it matches and for all names below them. The first that fits
counts. Asking for such a name raises an AttributeError with this text.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

_GRAPHS = (
    "it belongs to graphs and sessions that a program handles itself, and here tf.function does"
)
_TABLES = "tables are filled from tensors and from files"
_SERVERS = "it belongs to servers that hold a program's state, and gradtape has none"
_TPU = "it belongs to TPUs"
_QUANTIZED = "there are no tensors of quantized dtypes"
_COMPILER = "it belongs to TensorFlow's compiler"

# (patterns, reason, the nearest thing that exists)
LEFT_OUT: tuple[tuple[str, str, str], ...] = (
    # --- graphs
    (
        "Graph Operation import_graph_def graph_util io.write_graph summary.graph",
        _GRAPHS,
        "tf.function, and tf.graph.print to see the graph of a function",
    ),
    (
        "compat.v1.get_default_session compat.v1.GraphDef "
        "compat.v1.*collection* compat.v1.wrap_function",
        _GRAPHS,
        "call the function on tensors; their values are there at once (x.numpy())",
    ),
    (
        "compat.v1.make_template",
        "variables live in objects, not by name",
        "tf.Variable, kept in a tf.Module or a Keras layer",
    ),
    (
        "compat.v1.layers compat.v1.losses compat.v1.metrics compat.v1.estimator",
        "they were replaced by Keras",
        "tf.keras.layers, tf.keras.losses, tf.keras.metrics",
    ),
    ("compat.v1.train.*Optimizer", "they were replaced by Keras", "tf.keras.optimizers"),
    ("compat.v1.data", "its iterators belong to graphs", "tf.data.Dataset"),
    ("compat.v1.distributions", "it was moved out of TensorFlow", "formulas with tf.math"),
    (
        "compat.v1",
        "it does not work without sessions, or is not carried over",
        "the TensorFlow 2 function of that purpose",
    ),
    ("test.assert_equal_graph_def", _GRAPHS, "tf.test.TestCase compares tensors"),
    (
        "types.experimental.AtomicFunction types.experimental.Callable "
        "types.experimental.FunctionType types.experimental.SupportsTracingProtocol "
        "types.experimental.TraceType",
        "they are parts of TensorFlow's own tracing",
        "tf.types.experimental.ConcreteFunction and tf.types.experimental.GenericFunction",
    ),
    # --- data that is not rectangular, strings, tables
    (
        "ragged_fill_empty_rows* experimental.RowPartition experimental.DynamicRaggedShape "
        "experimental.StructuredTensor",
        "the rows and shapes of ragged tensors are no objects of their own here",
        "the methods of tf.RaggedTensor: row_splits, row_lengths, bounding_shape",
    ),
    (
        "feature_column",
        "feature columns were replaced by Keras",
        "tf.keras.layers.StringLookup, tf.keras.layers.HashedCrossing and tf.keras.layers.Hashing",
    ),
    # --- protocol buffers and files
    (
        "saved_model.Asset",
        "tables are written with their contents, and need no files",
        "tf.lookup.TextFileInitializer in a module that is saved",
    ),
    (
        "saved_model.experimental",
        "it belongs to TensorFlow's own servers and devices",
        "tf.saved_model.save and tf.saved_model.load",
    ),
    (
        "data.experimental.SqlDataset",
        "data bases are read with Python",
        "sqlite3 and tf.data.Dataset.from_generator",
    ),
    (
        "data.experimental.make_batched_features_dataset "
        "data.experimental.parse_example_dataset data.experimental.get_model_proto",
        "it is an older spelling, or looks into TensorFlow's own runtime",
        "tf.data.TFRecordDataset, and tf.io.parse_example in dataset.map",
    ),
    ("data.experimental.dense_to_sparse_batch", "batches are dense", "dataset.padded_batch"),
    (
        "data.experimental.index_table_from_dataset data.experimental.table_from_dataset "
        "data.experimental.DatasetInitializer",
        _TABLES,
        "tf.lookup.KeyValueTensorInitializer of the dataset's elements",
    ),
    ("data.experimental.service data.experimental.distributed_save", _SERVERS, "dataset.save"),
    (
        "data.experimental.from_variant data.experimental.to_variant",
        "handles are Python objects",
        "the dataset itself",
    ),
    (
        "data.experimental.make_saveable_from_iterator",
        _GRAPHS,
        "tf.train.Checkpoint(iterator=iterator)",
    ),
    (
        "data.experimental.SHARD_HINT",
        "a dataset is divided by the strategy, which reads no hints",
        "dataset.shard",
    ),
    (
        "image.generate_bounding_box_proposals",
        "TensorFlow itself has it for GPUs only",
        "tf.image.combined_non_max_suppression",
    ),
    ("lite mlir tools experimental.tensorrt", _COMPILER, "tf.function"),
    ("io.decode_jxl image.decode_jxl", "Pillow does not read JPEG XL", "tf.io.decode_png"),
    # --- devices, servers
    (
        "tpu",
        _TPU,
        "tf.distribute.MirroredStrategy, which takes the TPUs that JAX finds",
    ),
    (
        "config.experimental_connect_to_* "
        "test.create_local_cluster distribute.ParameterServerStrategy distribute.Server "
        "distribute.experimental distribute.cluster_resolver distribute.coordinator "
        "nondifferentiable_batch_function",
        _SERVERS,
        "tf.distribute.MultiWorkerMirroredStrategy, whose processes keep their variables alike",
    ),
    (
        "dtensor experimental.dtensor",
        "layouts have a smaller interface here",
        "gradtape.distribute.Mesh and shard, and keras.distribution",
    ),
    (
        "config.experimental.*mlir* config.experimental.ClusterDeviceFilters",
        _COMPILER,
        "nothing is needed",
    ),
    (
        "queue compat.v1.*Queue*",
        "queues between graph ops are not needed",
        "tf.data.Dataset, and Python's queue",
    ),
    ("debugging.experimental", "it dumps graphs to disk", "tf.debugging.check_numerics, tf.print"),
    (
        "sysconfig load_library load_op_library test.benchmark_config security",
        "it concerns TensorFlow's own C++ library",
        "tf.numpy_function for foreign code",
    ),
    ("experimental.register_filesystem_plugin", "files are the local system's", "tf.io.gfile"),
    # --- types
    (
        "qint8 qint16 qint32 quint8 quint16 dtypes.q* dtypes.QUANTIZED_DTYPES "
        "quantization.quantize quantization.dequantize quantization.quantized_concat "
        "quantization.experimental",
        _QUANTIZED,
        "tf.quantization.fake_quant_with_min_max_vars and quantize_and_dequantize",
    ),
    (
        "resource variant dtypes.resource dtypes.variant",
        "handles are Python objects",
        "the object itself",
    ),
    (
        "experimental.float4* experimental.float8_*fnuz experimental.int2 experimental.uint2",
        "arithmetic with so few bits is not supported",
        "tf.experimental.float8_e5m2, float8_e4m3fn, int4 and uint4",
    ),
    (
        "nn.RNNCell*",
        "the cells of TensorFlow 1 were replaced by Keras",
        "tf.keras.layers.RNN, and its cells' dropout arguments",
    ),
    (
        "raw_ops",
        "ops have one name each, the public one",
        "the function of tf, tf.math or tf.nn of that purpose",
    ),
)


def entry(name: str) -> tuple[str, str] | None:
    """Return (reason, nearest thing) for a name that is left out; None for any other."""
    for patterns, reason, nearest in LEFT_OUT:
        for pattern in patterns.split():
            if fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*"):
                return reason, nearest
    return None


def explanation(name: str) -> str | None:
    """Return the sentence about a name that is left out."""
    reason = entry(name)
    return None if reason is None else f"{reason[0]}. Instead: {reason[1]}."
