"""Public names of pipelines and files (`tf.data`, `tf.train` …): loaded when first used."""

from __future__ import annotations

from gradtape.api.export import export, export_lazily


def _same(module: str, namespace: str, names: str) -> None:
    """Export names that are spelled in the module as in public."""
    export_lazily(module, **{name: f"{namespace}.{name}" for name in names.split()})


# --- tf.data -------------------------------------------------------------------------------------

export("data.AUTOTUNE", "data.experimental.AUTOTUNE")(-1)
export("data.INFINITE_CARDINALITY", "data.experimental.INFINITE_CARDINALITY")(-1)
export("data.UNKNOWN_CARDINALITY", "data.experimental.UNKNOWN_CARDINALITY")(-2)
_same("gradtape.data.dataset", "data", "Dataset")
_same("gradtape.data.files.text", "data", "TextLineDataset")
_same("gradtape.data.files.records", "data", "FixedLengthRecordDataset TFRecordDataset")
_same("gradtape.data.files.records", "data.experimental", "TFRecordWriter")
_same("gradtape.data.files.csv", "data.experimental", "CsvDataset make_csv_dataset")
_same("gradtape.data.iterator", "data", "Iterator NumpyIterator")
export_lazily("gradtape.data.iterator", Optional="experimental.Optional data.experimental.Optional")
_same("gradtape.data.specs", "data", "DatasetSpec IteratorSpec")
export_lazily("gradtape.data.specs", OptionalSpec="OptionalSpec")
_same("gradtape.data.options", "data", "Options")
export_lazily(
    "gradtape.data.options",
    ThreadingOptions="data.ThreadingOptions data.experimental.ThreadingOptions",
)
_same(
    "gradtape.data.options",
    "data.experimental",
    "AutoShardPolicy AutotuneAlgorithm AutotuneOptions DistributeOptions ExternalStatePolicy "
    "OptimizationOptions ServiceOptions",
)
_same(
    "gradtape.data.experimental_names",
    "data.experimental",
    "Counter RandomDataset Reducer assert_cardinality at bucket_by_sequence_length cardinality "
    "choose_from_datasets copy_to_device dense_to_ragged_batch enable_debug_mode "
    "enumerate_dataset from_list "
    "get_next_as_optional get_single_element get_structure group_by_reducer group_by_window "
    "ignore_errors load map_and_batch pad_to_cardinality parallel_interleave prefetch_to_device "
    "sample_from_datasets "
    "rejection_resample save scan shuffle_and_repeat snapshot take_while unbatch unique",
)


# --- tf.train ------------------------------------------------------------------------------------

_same("gradtape.train.checkpoint", "train", "Checkpoint CheckpointOptions")
_same(
    "gradtape.train.manager",
    "train",
    "CheckpointManager checkpoints_iterator get_checkpoint_state latest_checkpoint",
)
_same("gradtape.train.reading", "train", "list_variables load_checkpoint load_variable")
_same("gradtape.train.views", "train", "CheckpointView TrackableView")
_same("gradtape.train.coordinator", "train", "Coordinator")
_same(
    "gradtape.formats.examples",
    "train",
    "BytesList Example Feature FeatureList FeatureLists Features FloatList Int64List "
    "SequenceExample",
)
_same("gradtape.formats.cluster", "train", "ClusterDef JobDef ServerDef")

# --- tf.summary ----------------------------------------------------------------------------------

_same(
    "gradtape.summary.writer",
    "summary",
    "SummaryWriter create_file_writer create_noop_writer flush record_if should_record_summaries",
)
_same("gradtape.summary.writer", "summary.experimental", "get_step set_step")
_same(
    "gradtape.summary.summaries",
    "summary",
    "audio histogram image scalar text write",
)
_same("gradtape.summary.traces", "summary", "trace_export trace_off trace_on")
_same("gradtape.summary.summaries", "summary.experimental", "summary_scope write_raw_pb")

# --- tf.profiler ---------------------------------------------------------------------------------

_same("gradtape.profiler.session", "profiler.experimental", "Profile ProfilerOptions start stop")
_same("gradtape.profiler.trace", "profiler.experimental", "Trace")
_same("gradtape.profiler.remote", "profiler.experimental.client", "monitor trace")
export_lazily("gradtape.profiler.remote", start_server="profiler.experimental.server.start")

# --- tf.distribute -------------------------------------------------------------------------------

_same(
    "gradtape.distribute.strategy.strategies",
    "distribute",
    "InputContext MirroredStrategy OneDeviceStrategy Strategy StrategyExtended",
)
export_lazily(
    "gradtape.distribute.strategy.strategies",
    MultiWorkerMirroredStrategy="distribute.MultiWorkerMirroredStrategy "
    "distribute.experimental.MultiWorkerMirroredStrategy",
    ValueContext="distribute.experimental.ValueContext",
)
export_lazily(
    "gradtape.distribute.strategy.tpu",
    TPUClusterResolver="distribute.cluster_resolver.TPUClusterResolver",
    TPUStrategy="distribute.TPUStrategy distribute.experimental.TPUStrategy",
    initialize_tpu_system="tpu.experimental.initialize_tpu_system",
    shutdown_tpu_system="tpu.experimental.shutdown_tpu_system",
)
export_lazily(
    "gradtape.distribute.strategy.tpu_embedding",
    HardwareFeature="tpu.experimental.HardwareFeature",
)
_same(
    "gradtape.distribute.strategy.tpu_embedding",
    "tpu.experimental.embedding",
    "Adagrad Adam FTRL FeatureConfig SGD SparseCoreEmbeddingConfig TPUEmbedding TPUEmbeddingV2 "
    "TableConfig",
)
_same(
    "gradtape.distribute.strategy.contexts",
    "distribute",
    "ReplicaContext experimental_set_strategy get_replica_context get_strategy has_strategy "
    "in_cross_replica_context",
)
_same(
    "gradtape.distribute.strategy.options",
    "distribute",
    "CrossDeviceOps HierarchicalCopyAllReduce InputOptions InputReplicationMode NcclAllReduce "
    "ReduceOp ReductionToOneDevice RunOptions",
)
_same(
    "gradtape.distribute.strategy.options",
    "distribute.experimental",
    "CommunicationImplementation CommunicationOptions",
)
_same(
    "gradtape.distribute.strategy.datasets", "distribute", "DistributedDataset DistributedIterator"
)
_same("gradtape.graph.per_replica", "distribute", "DistributedValues")
_same(
    "gradtape.distribute.process.resolvers",
    "distribute.cluster_resolver",
    "ClusterResolver SimpleClusterResolver SlurmClusterResolver TFConfigClusterResolver",
)
_same("gradtape.distribute.process.resolvers", "train", "ClusterSpec")
_same("gradtape.distribute.strategy.meshes", "distribute", "Mesh shard")


# --- tf.saved_model ------------------------------------------------------------------------------

_same("gradtape.saved_model.files", "saved_model", "contains_saved_model")
_same("gradtape.saved_model.reading.load", "saved_model", "load")
_same("gradtape.saved_model.writing.save", "saved_model", "save")
_same("gradtape.train.trackables", "__internal__.tracking", "no_automatic_dependency_tracking")
_same("gradtape.saved_model.specs", "__internal__.saved_model", "decode_proto encode_structure")
_same("gradtape.saved_model.options", "saved_model", "LoadOptions SaveOptions")
export_lazily(
    "gradtape.saved_model.options", VariablePolicy="saved_model.experimental.VariablePolicy"
)
export("saved_model.ASSETS_DIRECTORY")("assets")
export("saved_model.ASSETS_KEY")("saved_model_assets")
export("saved_model.CLASSIFY_INPUTS")("inputs")
export("saved_model.CLASSIFY_METHOD_NAME")("tensorflow/serving/classify")
export("saved_model.CLASSIFY_OUTPUT_CLASSES")("classes")
export("saved_model.CLASSIFY_OUTPUT_SCORES")("scores")
export("saved_model.DEBUG_DIRECTORY")("debug")
export("saved_model.DEBUG_INFO_FILENAME_PB")("saved_model_debug_info.pb")
export("saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY")("serving_default")
export("saved_model.GPU")("gpu")
export("saved_model.PREDICT_INPUTS")("inputs")
export("saved_model.PREDICT_METHOD_NAME")("tensorflow/serving/predict")
export("saved_model.PREDICT_OUTPUTS")("outputs")
export("saved_model.REGRESS_INPUTS")("inputs")
export("saved_model.REGRESS_METHOD_NAME")("tensorflow/serving/regress")
export("saved_model.REGRESS_OUTPUTS")("outputs")
export("saved_model.SAVED_MODEL_FILENAME_PB")("saved_model.pb")
export("saved_model.SAVED_MODEL_FILENAME_PBTXT")("saved_model.pbtxt")
export("saved_model.SAVED_MODEL_SCHEMA_VERSION")(1)
export("saved_model.SERVING")("serve")
export("saved_model.TPU")("tpu")
export("saved_model.TRAINING")("train")
export("saved_model.VARIABLES_DIRECTORY")("variables")
export("saved_model.VARIABLES_FILENAME")("variables")
