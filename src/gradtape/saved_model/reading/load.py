"""`tf.saved_model.load`: the objects of a SavedModel, with their functions and variables."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.lookup.mutable_tables import MutableTable
from gradtape.core.errors import DataLossError
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.formats.errors import DecodeError
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.formats.tensor_proto import decode_tensor
from gradtape.saved_model.files import asset_path, read_meta_graph
from gradtape.saved_model.options import LoadOptions
from gradtape.saved_model.reading import ops as chapters
from gradtape.saved_model.reading.functions import Library, as_tensor
from gradtape.saved_model.reading.gradients import CapturedTensor, CustomGradient
from gradtape.saved_model.reading.ops.state import Table
from gradtape.saved_model.reading.restored import RestoredConcreteFunction, RestoredFunction
from gradtape.saved_model.reading.values import SavedValues
from gradtape.saved_model.structures import decode_dtype, decode_shape

assert chapters  # importing them fills the table


class LoadedObject:
    """An object of a SavedModel: its attributes are what it had, and it may be callable."""

    def _trackable_children(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("__")}


class SignatureMap(dict):
    """The signatures of a SavedModel by name."""

    def __repr__(self) -> str:
        return f"_SignatureMap({dict.__repr__(self)})"


class _Resource:
    """What `_create_resource` of a SavedModel gives: here a table."""

    def __init__(self) -> None:
        self.handle: Any = None


def load(export_dir, tags=None, options=None):
    """Load a SavedModel: its functions can be called, differentiated and traced, like others.

        model = tf.saved_model.load("folder")
        model(x)
        model.signatures["serving_default"](x=x)

    What a function of it needs is found when it is called: an op that gradtape does not have is
    named then.
    """
    folder = os.fspath(export_dir)
    folder = folder.decode() if isinstance(folder, bytes) else folder
    if isinstance(tags, str):
        tags = [tags]
    graph = read_meta_graph(folder, None if tags is None else set(tags))
    if not graph.has("object_graph_def"):
        raise NotImplementedError(
            f"{folder} holds a SavedModel of TensorFlow 1: it has a graph for sessions, and no "
            "objects. Load it in TensorFlow, and save it again with tf.saved_model.save."
        )
    try:
        return _Loader(folder, graph, options or LoadOptions()).root
    except DecodeError as error:
        raise DataLossError(f"{folder}: the SavedModel is damaged: {error}") from error


class _Loader:
    """Makes the objects of a graph, gives them their children, variables and functions."""

    def __init__(self, folder: str, graph: Record, options: LoadOptions) -> None:
        self._folder = folder
        self._starts_with_zeros = (
            options.experimental_skip_checkpoint or options.allow_partial_checkpoint
        )
        self._objects: Record = graph.object_graph_def
        self._protos: list[Record] = self._objects.nodes
        if not self._protos:
            raise DataLossError(f"{folder}: the SavedModel has no objects")
        self._check_numbers()
        self._values = SavedValues(folder, self._protos, options.experimental_skip_checkpoint)
        self._assets = [asset_path(folder, each.filename) for each in graph.asset_file_def]
        definition = graph.graph_def or messages.GRAPH()
        library = definition.library or messages.LIBRARY()
        self._library = Library(library.function, folder, set(self._assets))
        self._constants = {node.name: node for node in definition.node if node.op == "Const"}
        self._concrete: dict[str, RestoredConcreteFunction] = {}
        for name, proto in self._objects.concrete_functions.items():
            if name in self._library:
                self._concrete[name] = RestoredConcreteFunction(self._library[name], proto)
        self._nodes: list[Any] = [self._made(*pair) for pair in enumerate(self._protos)]
        self._attach_children()
        self._bind_captured()
        for each in library.registered_gradients:
            self._register_gradient(each.registered_op_type, each.gradient_func)
        self._initialize()
        self.root = self._nodes[0]
        self._finish_root(graph)

    def _check_numbers(self) -> None:
        count = len(self._protos)
        numbers = [child.node_id for proto in self._protos for child in proto.children]
        for proto in self._objects.concrete_functions.values():
            numbers += proto.bound_inputs
        wrong = [number for number in numbers if not 0 <= number < count]
        if wrong:
            raise DataLossError(
                f"{self._folder}: an object has the number {wrong[0]}, and there are {count}"
            )

    # --- objects ---------------------------------------------------------------------------------

    def _made(self, index: int, proto: Record) -> Any:
        kind = proto.one_of(*messages.OBJECT_KINDS)
        make = getattr(self, f"_make_{kind}", None)
        if make is None:
            raise NotImplementedError(
                f"tf.saved_model.load: {self._folder} has an object of the kind {kind!r}, which "
                "is not read here"
            )
        return make(index, getattr(proto, str(kind)))

    def _make_user_object(self, index: int, proto: Record) -> Any:
        match proto.identifier:
            case "trackable_list_wrapper" | "trackable_tuple_wrapper":
                return []
            case "trackable_dict_wrapper":
                return {}
            case "signature_map":
                return SignatureMap()
        return type("LoadedObject", (LoadedObject,), {})()

    def _make_variable(self, index: int, proto: Record) -> Variable:
        shape, dtype = decode_shape(proto.shape), decode_dtype(proto.dtype)
        array = self._values.variables.get(index)
        if array is None:
            if not self._starts_with_zeros:
                raise DataLossError(
                    f"{self._folder}: there is no value of the variable {proto.name!r}"
                )
            array = np.zeros([size or 0 for size in shape], dtype.as_numpy_dtype)
        return Variable(
            as_tensor(array),
            trainable=proto.trainable,
            name=proto.name or None,
            dtype=dtype,
            shape=None if shape.is_fully_defined() else shape,
        )

    def _make_asset(self, index: int, proto: Record) -> Tensor:
        number = proto.asset_file_def_index
        if not 0 <= number < len(self._assets):
            raise DataLossError(f"{self._folder}: there is no asset number {number}")
        return ops.to_tensor(self._assets[number])

    def _make_constant(self, index: int, proto: Record) -> Tensor:
        node = self._constants.get(proto.operation)
        if node is None or not (node.attr.get("value") and node.attr["value"].has("tensor")):
            raise DataLossError(f"{self._folder}: there is no constant {proto.operation!r}")
        return as_tensor(decode_tensor(node.attr["value"].tensor)[1])

    def _make_captured_tensor(self, index: int, proto: Record) -> CapturedTensor:
        if proto.concrete_function not in self._library:
            raise DataLossError(f"{self._folder}: there is no function {proto.concrete_function!r}")
        return CapturedTensor(proto.concrete_function, proto.name)

    def _make_resource(self, index: int, proto: Record) -> Any:
        return _Resource()

    def _make_function(self, index: int, proto: Record) -> RestoredFunction:
        functions = [self._function(name) for name in proto.concrete_functions]
        name = functions[0].name if functions else "function"
        return RestoredFunction(name, proto.function_spec, functions)

    def _make_bare_concrete_function(self, index: int, proto: Record) -> RestoredConcreteFunction:
        function = self._function(proto.concrete_function_name)
        function.allow_keywords(proto.argument_keywords, proto.allowed_positional_arguments)
        return function

    def _function(self, name: str) -> RestoredConcreteFunction:
        if name not in self._concrete:
            raise DataLossError(f"{self._folder}: there is no function {name!r}")
        return self._concrete[name]

    def _attach_children(self) -> None:
        for proto, thing in zip(self._protos, self._nodes, strict=True):
            for child in proto.children:
                name, value = child.local_name, self._nodes[child.node_id]
                if isinstance(thing, list):
                    thing.append(value)
                elif isinstance(thing, dict):
                    thing[name] = value
                elif isinstance(thing, LoadedObject):
                    if name == "__call__":
                        type(thing).__call__ = _call_attribute
                        thing.__dict__["__call__"] = value
                    else:
                        setattr(thing, name, value)
                elif isinstance(thing, _Resource):
                    setattr(thing, name, value)

    # --- functions -------------------------------------------------------------------------------

    def _bind_captured(self) -> None:
        """Create the tables, and give each function what it captured."""
        for thing in self._nodes:
            if isinstance(thing, _Resource):
                create = getattr(thing, "_create_resource", None)
                if create is None:
                    raise DataLossError(f"{self._folder}: a resource cannot be created")
                thing.handle = create()
        for name, function in self._concrete.items():
            bound = self._objects.concrete_functions[name].bound_inputs
            function.captured_inputs = [self._captured(self._nodes[number]) for number in bound]

    def _captured(self, thing: Any) -> Any:
        if isinstance(thing, _Resource):
            return thing.handle
        if isinstance(thing, (Variable, Tensor, CapturedTensor)):
            return thing
        raise DataLossError(
            f"{self._folder}: a function has captured {type(thing).__name__}, no tensor or variable"
        )

    def _register_gradient(self, op_type: str, name: str) -> None:
        """Let nodes that name a gradient have it."""
        function = self._function(name)
        gradient = CustomGradient(
            self._library[name], function.structured_outputs, function.captured_inputs
        )
        self._library.register(op_type, gradient)

    def _initialize(self) -> None:
        """Fill the tables: by their own functions, or from the checkpoint."""
        for index, thing in enumerate(self._nodes):
            if not isinstance(thing, _Resource):
                continue
            initialize = getattr(thing, "_initialize", None)
            if initialize is not None:
                initialize()
            saved = self._values.tables.get(index)
            if saved is None:
                continue
            if isinstance(thing.handle, Table):
                thing.handle.fill(*map(Tensor, saved))
            elif isinstance(thing.handle, MutableTable):
                thing.handle._restore(*saved)

    def _finish_root(self, graph: Record) -> None:
        """Give the root what every loaded model has."""
        root: Any = self.root
        if not isinstance(root, LoadedObject):
            raise DataLossError(f"{self._folder}: the first object is no object with attributes")
        info = graph.meta_info_def
        given = {
            "tensorflow_version": info.tensorflow_version if info else "",
            "graph_debug_info": None,
            "signatures": SignatureMap(),
        }
        vars(root).update({name: x for name, x in given.items() if name not in vars(root)})


def _call_attribute(instance, *args, **kwargs):
    return instance.__dict__["__call__"](*args, **kwargs)
