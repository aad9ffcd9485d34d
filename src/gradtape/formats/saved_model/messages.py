"""The messages of a SavedModel, in three parts: structures, graphs and functions, objects.

TensorProto is kept as bytes: `formats/tensor_proto.py` reads it when its value is needed.
"""

from __future__ import annotations

from gradtape.formats.saved_model.schema import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    RAW,
    TEXT,
    ZIGZAG,
    Schema,
)

_TENSOR = RAW

# --- structures: what goes into a function and comes out of it ------------------------------------

DIMENSION = Schema("TensorShapeProto.Dim", size=(1, INT), name=(2, TEXT))
SHAPE = Schema("TensorShapeProto", dim=(2, [DIMENSION]), unknown_rank=(3, BOOL))
TENSOR_SPEC = Schema("TensorSpecProto", name=(1, TEXT), shape=(2, SHAPE), dtype=(3, INT))
NONE = Schema("NoneValue")
STRUCTURE = Schema(
    "StructuredValue",
    none_value=(1, NONE),
    float64_value=(11, DOUBLE),
    int64_value=(12, ZIGZAG),
    string_value=(13, TEXT),
    bool_value=(14, BOOL),
    tensor_shape_value=(31, SHAPE),
    tensor_dtype_value=(32, INT),
    tensor_spec_value=(33, TENSOR_SPEC),
    bounded_tensor_spec_value=(35, TENSOR_SPEC),
    tensor_value=(55, _TENSOR),
    numpy_value=(56, _TENSOR),
)
STRUCTURE_LIST = Schema("ListValue", values=(1, [STRUCTURE]))
STRUCTURE_MAP = Schema("DictValue", fields=(1, {TEXT: STRUCTURE}))
PAIR = Schema("PairValue", key=(1, TEXT), value=(2, STRUCTURE))
NAMED_TUPLE = Schema("NamedTupleValue", name=(1, TEXT), values=(2, [PAIR]))
TYPE_SPEC = Schema(
    "TypeSpecProto",
    type_spec_class=(1, INT),
    type_state=(2, STRUCTURE),
    type_spec_class_name=(3, TEXT),
    num_flat_components=(4, INT),
)
STRUCTURE.add(
    type_spec_value=(34, TYPE_SPEC),
    list_value=(51, STRUCTURE_LIST),
    tuple_value=(52, STRUCTURE_LIST),
    dict_value=(53, STRUCTURE_MAP),
    named_tuple_value=(54, NAMED_TUPLE),
)
STRUCTURE_KINDS = tuple(STRUCTURE.fields)

# --- graphs and functions -------------------------------------------------------------------------

ATTRIBUTE = Schema(
    "AttrValue",
    s=(2, RAW),
    i=(3, INT),
    f=(4, FLOAT),
    b=(5, BOOL),
    type=(6, INT),
    shape=(7, SHAPE),
    tensor=(8, _TENSOR),
    placeholder=(9, TEXT),
)
FUNCTION_REFERENCE = Schema("NameAttrList", name=(1, TEXT), attr=(2, {TEXT: ATTRIBUTE}))
ATTRIBUTE_LIST = Schema(
    "AttrValue.ListValue",
    s=(2, [RAW]),
    i=(3, [INT]),
    f=(4, [FLOAT]),
    b=(5, [BOOL]),
    type=(6, [INT]),
    shape=(7, [SHAPE]),
    tensor=(8, [_TENSOR]),
    func=(9, [FUNCTION_REFERENCE]),
)
ATTRIBUTE.add(list=(1, ATTRIBUTE_LIST), func=(10, FUNCTION_REFERENCE))

NODE = Schema(
    "NodeDef",
    name=(1, TEXT),
    op=(2, TEXT),
    input=(3, [TEXT]),
    device=(4, TEXT),
    attr=(5, {TEXT: ATTRIBUTE}),
)
ARGUMENT = Schema(
    "OpDef.ArgDef",
    name=(1, TEXT),
    type=(3, INT),
    type_attr=(4, TEXT),
    number_attr=(5, TEXT),
    type_list_attr=(6, TEXT),
)
OP = Schema(
    "OpDef",
    name=(1, TEXT),
    input_arg=(2, [ARGUMENT]),
    output_arg=(3, [ARGUMENT]),
    is_stateful=(17, BOOL),
    control_output=(20, [TEXT]),
)
FUNCTION = Schema(
    "FunctionDef",
    signature=(1, OP),
    node_def=(3, [NODE]),
    ret=(4, {TEXT: TEXT}),
    attr=(5, {TEXT: ATTRIBUTE}),
    control_ret=(6, {TEXT: TEXT}),
)
REGISTERED_GRADIENT = Schema(
    "RegisteredGradient", gradient_func=(1, TEXT), registered_op_type=(2, TEXT)
)
LIBRARY = Schema(
    "FunctionDefLibrary",
    function=(1, [FUNCTION]),
    registered_gradients=(3, [REGISTERED_GRADIENT]),
)
VERSIONS = Schema("VersionDef", producer=(1, INT), min_consumer=(2, INT))
GRAPH = Schema("GraphDef", node=(1, [NODE]), library=(2, LIBRARY), versions=(4, VERSIONS))

# --- objects and the file itself ------------------------------------------------------------------

CHILD = Schema("ObjectReference", node_id=(1, INT), local_name=(2, TEXT))
USER_OBJECT = Schema("SavedUserObject", identifier=(1, TEXT), version=(2, VERSIONS))
ASSET = Schema("SavedAsset", asset_file_def_index=(1, INT))
FUNCTION_SPEC = Schema(
    "FunctionSpec",
    fullargspec=(1, STRUCTURE),
    is_method=(2, BOOL),
    input_signature=(5, STRUCTURE),
    jit_compile=(6, INT),
)
POLYMORPHIC_FUNCTION = Schema(
    "SavedFunction", concrete_functions=(1, [TEXT]), function_spec=(2, FUNCTION_SPEC)
)
CONCRETE_FUNCTION = Schema(
    "SavedConcreteFunction",
    bound_inputs=(2, [INT]),
    canonicalized_input_signature=(3, STRUCTURE),
    output_signature=(4, STRUCTURE),
)
BARE_FUNCTION = Schema(
    "SavedBareConcreteFunction",
    concrete_function_name=(1, TEXT),
    argument_keywords=(2, [TEXT]),
    allowed_positional_arguments=(3, INT),
    function_spec=(4, FUNCTION_SPEC),
)
CONSTANT = Schema("SavedConstant", operation=(1, TEXT))
CAPTURED_TENSOR = Schema("CapturedTensor", name=(1, TEXT), concrete_function=(2, TEXT))
RESOURCE = Schema("SavedResource", device=(1, TEXT))
VARIABLE = Schema(
    "SavedVariable",
    dtype=(1, INT),
    shape=(2, SHAPE),
    trainable=(3, BOOL),
    synchronization=(4, INT),
    aggregation=(5, INT),
    name=(6, TEXT),
)
SAVEABLE = Schema("SaveableObject", save_function=(2, INT), restore_function=(3, INT))
OBJECT = Schema(
    "SavedObject",
    children=(1, [CHILD]),
    user_object=(4, USER_OBJECT),
    asset=(5, ASSET),
    function=(6, POLYMORPHIC_FUNCTION),
    variable=(7, VARIABLE),
    bare_concrete_function=(8, BARE_FUNCTION),
    constant=(9, CONSTANT),
    resource=(10, RESOURCE),
    saveable_objects=(11, {TEXT: SAVEABLE}),
    captured_tensor=(12, CAPTURED_TENSOR),
    registered_name=(13, TEXT),
    dependencies=(15, [CHILD]),
)
OBJECT_KINDS = (
    "user_object",
    "asset",
    "function",
    "variable",
    "bare_concrete_function",
    "constant",
    "resource",
    "captured_tensor",
)
OBJECT_GRAPH = Schema(
    "SavedObjectGraph",
    nodes=(1, [OBJECT]),
    concrete_functions=(2, {TEXT: CONCRETE_FUNCTION}),
)

TENSOR_INFO = Schema("TensorInfo", name=(1, TEXT), dtype=(2, INT), tensor_shape=(3, SHAPE))
SIGNATURE = Schema(
    "SignatureDef",
    inputs=(1, {TEXT: TENSOR_INFO}),
    outputs=(2, {TEXT: TENSOR_INFO}),
    method_name=(3, TEXT),
)
ASSET_FILE = Schema("AssetFileDef", tensor_info=(1, TENSOR_INFO), filename=(2, TEXT))
SAVER = Schema(
    "SaverDef",
    filename_tensor_name=(1, TEXT),
    save_tensor_name=(2, TEXT),
    restore_op_name=(3, TEXT),
    max_to_keep=(4, INT),
    version=(7, INT),
)
META_INFO = Schema(
    "MetaGraphDef.MetaInfoDef",
    meta_graph_version=(1, TEXT),
    tags=(4, [TEXT]),
    tensorflow_version=(5, TEXT),
    stripped_default_attrs=(7, BOOL),
    function_aliases=(8, {TEXT: TEXT}),
)
NODE_LIST = Schema("CollectionDef.NodeList", value=(1, [TEXT]))
COLLECTION = Schema("CollectionDef", node_list=(1, NODE_LIST))
META_GRAPH = Schema(
    "MetaGraphDef",
    meta_info_def=(1, META_INFO),
    graph_def=(2, GRAPH),
    saver_def=(3, SAVER),
    collection_def=(4, {TEXT: COLLECTION}),
    signature_def=(5, {TEXT: SIGNATURE}),
    asset_file_def=(6, [ASSET_FILE]),
    object_graph_def=(7, OBJECT_GRAPH),
)
SAVED_MODEL = Schema(
    "SavedModel", saved_model_schema_version=(1, INT), meta_graphs=(2, [META_GRAPH])
)
