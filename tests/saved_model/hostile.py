"""SavedModels that are damaged or made to do harm, from one that is right."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from gradtape.api.specs import TensorSpec
from gradtape.core.shape import TensorShape
from gradtape.formats.saved_model import messages
from gradtape.saved_model.structures import encode_structure
from gradtape.saved_model.writing.builder import FunctionName, attribute

HUGE = 2**62


def _meta(model):
    return model.meta_graphs[0]


def _functions(model):
    return _meta(model).graph_def.library.function


def _objects(model):
    return _meta(model).object_graph_def.nodes


def _node(op, inputs=(), **attributes):
    encoded = {key: attribute(value) for key, value in attributes.items()}
    return messages.NODE(name="bad", op=op, input=list(inputs), attr=encoded)


def _replace_first_node(model, node):
    function = next(f for f in _functions(model) if "call" in f.signature.name)
    function.node_def.append(node)
    for name in function.ret:
        function.ret[name] = "bad:output:0"


def recursive(model):
    function = _functions(model)[0]
    call = _node("PartitionedCall", f=FunctionName(function.signature.name))
    function.node_def.append(call)


def cyclic(model):
    _replace_first_node(model, _node("Neg", ["bad:y:0"], T=np.dtype("f4")))


def unknown_op(model):
    _replace_first_node(model, _node("RunAnything"))


def unknown_node(model):
    for function in _functions(model):
        function.ret = dict.fromkeys(function.ret, "nowhere:y:0")


def unknown_function(model):
    _replace_first_node(model, _node("PartitionedCall", f=FunctionName("missing")))


def two_of_one_name(model):
    for function in _functions(model):
        function.node_def.append(function.node_def[0])


def far_output(model):
    for function in _functions(model):
        function.ret = {name: f"{ref[:-1]}{HUGE}" for name, ref in function.ret.items()}


def missing_attribute(model):
    _replace_first_node(model, _node("Const"))


def huge_constant(model):
    shape = messages.SHAPE(dim=[messages.DIMENSION(size=HUGE)])
    tensor = b"\x08\x01\x12" + bytes([len(messages.SHAPE.encode(shape))])
    tensor += messages.SHAPE.encode(shape)
    node = _node("Const")
    node.attr = {"value": messages.ATTRIBUTE(tensor=tensor)}
    _replace_first_node(model, node)


def huge_variable(model):
    for each in _objects(model):
        if each.has("variable"):
            each.variable.shape = messages.SHAPE(dim=[messages.DIMENSION(size=HUGE)] * 2)


def other_dtype(model):
    for each in _objects(model):
        if each.has("variable"):
            each.variable.dtype = 9


def unknown_dtype(model):
    for each in _objects(model):
        if each.has("variable"):
            each.variable.dtype = 999


def child_out_of_range(model):
    _objects(model)[0].children.append(messages.CHILD(node_id=HUGE, local_name="x"))


def negative_child(model):
    _objects(model)[0].children.append(messages.CHILD(node_id=-1, local_name="x"))


def captured_out_of_range(model):
    for each in _meta(model).object_graph_def.concrete_functions.values():
        each.bound_inputs.append(10**9)


def captured_object(model):
    for each in _meta(model).object_graph_def.concrete_functions.values():
        each.bound_inputs = [0] * len(each.bound_inputs)


def asset_outside(model):
    _meta(model).asset_file_def = [messages.ASSET_FILE(filename="../../secret")]


def absolute_asset(model):
    _meta(model).asset_file_def = [messages.ASSET_FILE(filename="/etc/passwd")]


def no_asset(model):
    _objects(model)[0].children.append(
        messages.CHILD(node_id=len(_objects(model)), local_name="asset")
    )
    _objects(model).append(messages.OBJECT(asset=messages.ASSET(asset_file_def_index=7)))


def reads_a_file(model):
    name = np.empty((), object)
    name[()] = b"/etc/passwd"
    function = next(f for f in _functions(model) if "call" in f.signature.name)
    function.node_def += [
        messages.NODE(
            name="table",
            op="HashTableV2",
            attr={
                "key_dtype": attribute(np.dtype(object)),
                "value_dtype": attribute(np.dtype("i8")),
            },
        ),
        messages.NODE(
            name="file",
            op="Const",
            attr={"value": attribute(name), "dtype": attribute(np.dtype(object))},
        ),
        messages.NODE(
            name="fill",
            op="InitializeTableFromTextFileV2",
            input=["table:table_handle:0", "file:output:0"],
            attr={"key_index": attribute(-2), "value_index": attribute(-1)},
        ),
    ]
    function.control_ret = {"fill": "fill"}


def no_objects(model):
    _meta(model).object_graph_def.nodes = []


def no_graphs(model):
    model.meta_graphs = []


def later_version(model):
    model.saved_model_schema_version = 7


def root_is_a_list(model):
    _objects(model)[0].user_object.identifier = "trackable_list_wrapper"


def no_signature(model):
    for each in _meta(model).object_graph_def.concrete_functions.values():
        each.canonicalized_input_signature = messages.STRUCTURE(int64_value=3)


def empty_structure(model):
    for each in _meta(model).object_graph_def.concrete_functions.values():
        each.output_signature = messages.STRUCTURE()


def missing_result(model):
    for function in _functions(model):
        function.ret = {}


def unknown_concrete_function(model):
    for each in _objects(model):
        if each.has("function"):
            each.function.concrete_functions = ["missing"]


def resource_without_functions(model):
    _objects(model)[0].children.append(
        messages.CHILD(node_id=len(_objects(model)), local_name="table")
    )
    _objects(model).append(messages.OBJECT(resource=messages.RESOURCE(device="")))


def _name_gradient(model, captured="x:0", function=None, results=1):
    """Give the result of the function a custom gradient, which captures a tensor."""
    forward = next(f for f in _functions(model) if "call" in f.signature.name)
    source = next(iter(forward.ret.values()))
    kinds = [np.dtype("f4")]
    _replace_first_node(model, _node("IdentityN", [source], T=kinds, _gradient_op_type="G"))
    name = forward.signature.name if function is None else function
    number = len(_objects(model))
    captured_tensor = messages.CAPTURED_TENSOR(name=captured, concrete_function=name)
    _objects(model).append(messages.OBJECT(captured_tensor=captured_tensor))
    arguments = [messages.ARGUMENT(name=each, type=1) for each in ("g", "x")]
    made = messages.FUNCTION(
        signature=messages.OP(name="gradient", input_arg=arguments, output_arg=arguments[:1]),
        ret={"g": "g"},
    )
    _functions(model).append(made)
    _meta(model).object_graph_def.concrete_functions["gradient"] = messages.CONCRETE_FUNCTION(
        bound_inputs=[number],
        canonicalized_input_signature=encode_structure(((), {})),
        output_signature=encode_structure([TensorSpec(None)] * results),
    )
    _meta(model).graph_def.library.registered_gradients.append(
        messages.REGISTERED_GRADIENT(gradient_func="gradient", registered_op_type="G")
    )


def gradient_captures_nothing(model):
    _name_gradient(model, captured="nowhere:0")


def gradient_captures_a_far_output(model):
    _name_gradient(model, captured="x:77")


def gradient_captures_no_number(model):
    _name_gradient(model, captured="x:one")


def gradient_of_no_function(model):
    _name_gradient(model, function="missing")


def gradient_of_other_inputs(model):
    _name_gradient(model, results=5)


def gradient_that_is_missing(model):
    _name_gradient(model)
    _meta(model).graph_def.library.registered_gradients[0].gradient_func = "missing"


def table_of_huge_values(model):
    kinds = {"key_dtype": np.dtype("i8"), "value_dtype": np.dtype("f4")}
    shape = TensorShape([HUGE, 2])
    _replace_first_node(model, _node("MutableHashTableOfTensorsV2", value_shape=shape, **kinds))


def insert_into_no_table(model):
    _replace_first_node(model, _node("LookupTableInsertV2", ["x", "x", "x"]))


CHANGES = [
    gradient_captures_nothing,
    gradient_captures_a_far_output,
    gradient_captures_no_number,
    gradient_of_no_function,
    gradient_of_other_inputs,
    gradient_that_is_missing,
    table_of_huge_values,
    insert_into_no_table,
    recursive,
    cyclic,
    unknown_op,
    unknown_node,
    unknown_function,
    two_of_one_name,
    far_output,
    missing_attribute,
    huge_constant,
    huge_variable,
    other_dtype,
    unknown_dtype,
    child_out_of_range,
    negative_child,
    captured_out_of_range,
    captured_object,
    asset_outside,
    absolute_asset,
    no_asset,
    reads_a_file,
    no_objects,
    no_graphs,
    later_version,
    root_is_a_list,
    no_signature,
    empty_structure,
    missing_result,
    unknown_concrete_function,
    resource_without_functions,
]


def changed(source: Path, folder: Path, change) -> Path:
    """Return a copy of a model with one thing wrong."""
    shutil.copytree(source, folder)
    path = folder / "saved_model.pb"
    model = messages.SAVED_MODEL.decode(path.read_bytes())
    change(model)
    path.write_bytes(messages.SAVED_MODEL.encode(model))
    return folder
