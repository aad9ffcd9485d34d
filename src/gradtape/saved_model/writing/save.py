"""`tf.saved_model.save`: objects, their functions and variables, as a folder."""

from __future__ import annotations

import contextlib
import inspect
import os
from collections import namedtuple
from typing import Any

import numpy as np

from gradtape.api.compat.names import VERSION
from gradtape.api.function.concrete import ConcreteFunction
from gradtape.api.function.function import Function
from gradtape.api.lookup.mutable_tables import MutableTable
from gradtape.api.lookup.static_tables import StaticTable
from gradtape.api.specs import TypeSpec, tensor_specs
from gradtape.engine.variable import Variable
from gradtape.formats.atomic import write_whole
from gradtape.formats.bundle.object_graph import OBJECT_GRAPH_KEY, encode_object_graph
from gradtape.formats.bundle.writer import write as write_bundle
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model.files import MODEL_FILE, SCHEMA_VERSION, variables_prefix
from gradtape.saved_model.options import DEFAULT_SIGNATURE, SERVING, SaveOptions
from gradtape.saved_model.reading.restored import RestoredConcreteFunction, RestoredFunction
from gradtape.saved_model.specs import encode_structure
from gradtape.saved_model.writing import serving, tables
from gradtape.saved_model.writing.builder import CannotWrite, Library, WrittenGradient
from gradtape.saved_model.writing.functions import (
    WrittenFunction,
    write_function,
    write_signature,
)
from gradtape.saved_model.writing.loaded import as_function, warn_left_out
from gradtape.saved_model.writing.objects import Objects, user_object, variable_proto
from gradtape.saved_model.writing.sizes import DifferentGraphs, OpenRank
from gradtape.saved_model.writing.traces import of_known_ranks, signatures_of, traced, with_names
from gradtape.train.graph import ATTRIBUTES, escape
from gradtape.train.trackables import VARIABLE, is_trackable, whole_value

_PRODUCER = 2536  # of graphs, in that version of TensorFlow
FullArgSpec = namedtuple(
    "FullArgSpec", "args varargs varkw defaults kwonlyargs kwonlydefaults annotations"
)


def save(obj, export_dir, signatures=None, options=None) -> None:
    """Save an object with its `tf.function`s and variables, as a SavedModel.

    A function is saved for its input signature, or for the arguments that it has been called with.
    TensorFlow loads it without gradtape, and `tf.saved_model.load` here. `signatures` is a function
    or a dictionary of functions, which servers call by name; by default, the one function of `obj`
    that has an input signature.
    """
    options = options or SaveOptions()
    if not isinstance(options, SaveOptions):
        raise TypeError(f"tf.saved_model.save: options must be a SaveOptions, got {options!r}")
    if not is_trackable(obj) or isinstance(obj, (list, tuple, dict)):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a Keras model, for "
            f"export. Got {obj!r} with type {type(obj)}."
        )
    folder = os.fspath(export_dir)
    folder = folder.decode() if isinstance(folder, bytes) else folder
    model = _Model(obj, signatures, options)
    meta = model.meta_graph({SERVING, *options.extra_tags}, options)
    content = messages.SAVED_MODEL(saved_model_schema_version=SCHEMA_VERSION, meta_graphs=[meta])
    prefix = variables_prefix(folder)
    os.makedirs(os.path.dirname(prefix), exist_ok=True)
    os.makedirs(os.path.join(folder, "assets"), exist_ok=True)
    write_bundle(prefix, model.arrays())
    write_whole(os.path.join(folder, MODEL_FILE), [messages.SAVED_MODEL.encode(content)])


class _Model:
    """What is written: objects with their protos, functions, signatures."""

    def __init__(self, root: Any, signatures: Any, options: SaveOptions) -> None:
        _trace_first(root)
        self._objects = Objects(root)
        self._library = Library(options.experimental_custom_gradients)
        self._concrete: dict[str, Record] = {}
        self._functions: dict[int, list[WrittenFunction]] = {}  # by number of the object
        self._protos: list[Record] = [messages.OBJECT() for _ in self._objects.things]
        self.served: dict[str, serving.Served] = {}
        for number in range(len(self._protos)):
            self._write_object(number)
        self._write_signatures(self._chosen(root, signatures))
        for gradient in self._library.gradients:
            self._write_gradient(gradient)
        for proto, children in zip(self._protos, self._objects.children, strict=True):
            proto.children = [
                messages.CHILD(node_id=number, local_name=name) for name, number in children.items()
            ]

    # --- objects ---------------------------------------------------------------------------------

    def _write_object(self, number: int) -> None:
        thing, proto = self._objects.things[number], self._protos[number]
        if isinstance(thing, Variable):
            proto.variable = variable_proto(thing)
        elif isinstance(thing, Function):
            written = [f for each in signatures_of(thing) for f in self._write_all(thing, *each)]
            self._functions[number] = written
            proto.function = messages.POLYMORPHIC_FUNCTION(
                concrete_functions=[each.name for each in written],
                function_spec=_spec(thing.function_spec, thing.input_signature),
            )
        elif isinstance(thing, RestoredFunction):
            self._write_restored(number, thing, proto)
        elif isinstance(thing, (StaticTable, MutableTable)):
            proto.resource = messages.RESOURCE(device="")
            self._write_table(number, thing)
        else:
            proto.user_object = user_object(thing)

    def _write_restored(self, number: int, function: RestoredFunction, proto: Record) -> None:
        try:
            written = [self._write_concrete(each) for each in function.concrete_functions]
        except (NotImplementedError, AssertionError) as error:  # an op that is not known, too
            warn_left_out(function.name, error)
            written = []
        self._functions[number] = written
        proto.function = messages.POLYMORPHIC_FUNCTION(
            concrete_functions=[each.name for each in written],
            function_spec=_spec(function.function_spec, function.input_signature),
        )

    def _write_concrete(self, function: RestoredConcreteFunction) -> WrittenFunction:
        return self._write(as_function(function), *function.structured_input_signature)

    def _append(self, **kind: Record) -> int:
        self._protos.append(messages.OBJECT(**kind))
        return self._objects.append(None)

    def _write_all(self, function: Function, args: tuple, kwargs: dict) -> list[WrittenFunction]:
        """Write a function for a signature: several, if its ops depend on a rank that is open."""
        try:
            return [self._write(function, args, kwargs)]
        except CannotWrite:
            signatures = of_known_ranks(args, kwargs)
            if len(signatures) == 1:
                raise
        written, problem = [], None
        for each in signatures:
            try:
                written.append(self._write(function, *each))
            except CannotWrite as error:  # it may not be meant for tensors of this rank
                problem = error
        if problem is not None and not written:
            raise problem
        return written

    def _write(self, function: Function, args: tuple, kwargs: dict) -> WrittenFunction:
        args, kwargs = with_names(function, args, kwargs)
        try:
            call = traced(function, args, kwargs)
            written = write_function(self._library, function.name, call)
        except DifferentGraphs:
            raise CannotWrite(
                f"tf.saved_model.save: the function {function.name!r} has other ops for other "
                "sizes. Give the sizes in its signature."
            ) from None
        except (CannotWrite, OpenRank) as error:
            raise CannotWrite(f"tf.saved_model.save: in {function.name!r}: {error}") from None
        for thing in written.captured:
            if id(thing) not in self._objects.numbers:
                raise AssertionError(
                    f"Tried to export a function which references an 'untracked' resource: "
                    f"{function.name!r} uses {getattr(thing, 'name', None) or thing!r}, which is "
                    "no attribute of the object that is saved, or of one in it. Keep it there."
                )
        self._concrete[written.name] = written.proto(self._objects.numbers)
        return written

    def _write_table(self, number: int, table: tables.Table) -> None:
        made = tables.WrittenTable(self._library, table, f"table_{number}")
        for name, (function, captures, result) in made.functions.items():
            self._concrete[function] = tables.concrete(number if captures else None, result)
            child = self._append(
                function=messages.POLYMORPHIC_FUNCTION(
                    concrete_functions=[function], function_spec=_no_arguments()
                )
            )
            self._objects.children[number][name] = child

    def _write_gradient(self, gradient: WrittenGradient) -> None:
        """Say what a custom gradient captures: tensors of the function that it is used in."""
        captured = [
            self._append(
                captured_tensor=messages.CAPTURED_TENSOR(
                    name=name, concrete_function=gradient.forward
                )
            )
            for name in gradient.captured
        ]
        self._concrete[gradient.function] = messages.CONCRETE_FUNCTION(
            bound_inputs=captured,
            canonicalized_input_signature=encode_structure(((None, *gradient.cotangents), {})),
            output_signature=encode_structure(gradient.results),
        )

    # --- signatures ------------------------------------------------------------------------------

    def _chosen(self, root: Any, signatures: Any) -> dict[str, WrittenFunction]:
        if signatures is None:
            default = getattr(root, "_default_save_signature", None)  # of a Keras model
            if isinstance(default, Function):
                return {DEFAULT_SIGNATURE: self._signature(DEFAULT_SIGNATURE, default)}
            with_signature = [
                written[0]
                for number, written in self._functions.items()
                if number in self._objects.children[0].values()
                and written
                and self._objects.things[number].input_signature is not None
                and _can_be_signature(written[0])
            ]
            chosen = with_signature[:1] if len(with_signature) == 1 else []
            return dict.fromkeys([DEFAULT_SIGNATURE], chosen[0]) if chosen else {}
        if not isinstance(signatures, dict):
            signatures = {DEFAULT_SIGNATURE: signatures}
        made = {name: self._signature(name, each) for name, each in signatures.items()}
        for name, written in made.items():
            if not _can_be_signature(written):
                raise ValueError(
                    f"tf.saved_model.save: the signature {name!r} must return a tensor, a sequence "
                    "of tensors, or a dictionary from strings to tensors, and take each tensor by "
                    "a name of its own"
                )
        return made

    def _signature(self, name: str, function: Any) -> WrittenFunction:
        if isinstance(function, ConcreteFunction):
            args = function._bound.signature.bind_partial()
            args.arguments.update(function._specs)
            return self._write(function._function, args.args, args.kwargs)
        if isinstance(function, RestoredConcreteFunction):
            return self._write_concrete(function)
        if isinstance(function, (Function, RestoredFunction)):
            known = self._functions.get(self._objects.numbers.get(id(function), -1))
            if known:
                return known[0]
            if isinstance(function, Function) and function.input_signature is not None:
                return self._write(function, *next(signatures_of(function)))
        raise ValueError(
            f"Expected a TensorFlow function for which to generate a signature {name!r}, but got "
            f"{function!r}. Only `tf.functions` with an input signature or concrete functions can "
            "be used as a signature."
        )

    def _write_signatures(self, chosen: dict[str, WrittenFunction]) -> None:
        holder = self._append(
            user_object=messages.USER_OBJECT(
                identifier="signature_map",
                version=messages.VERSIONS(producer=1, min_consumer=1),
            )
        )
        self._objects.children[0]["signatures"] = holder
        for key, inner in chosen.items():
            bare, concrete = write_signature(self._library, key, inner)
            name = bare.concrete_function_name
            concrete.bound_inputs = [self._objects.numbers[id(each)] for each in inner.captured]
            self._concrete[name] = concrete
            child = self._append(bare_concrete_function=bare)
            self._objects.children[holder][key] = child
            self.served[key] = serving.Served(name, bare.argument_keywords, inner)

    # --- the file --------------------------------------------------------------------------------

    def meta_graph(self, tags: set[str], options: SaveOptions) -> Record:
        """Return all but the values of the variables."""
        keys = self._keys()
        graph, extra = serving.main_graph(
            self.served,
            [(thing, key) for number, key in keys.items() for thing in self._things(number)],
            [
                thing
                for thing in self._objects.things
                if isinstance(thing, (StaticTable, MutableTable))
            ],
        )
        graph.library = messages.LIBRARY(
            function=self._library.definitions,
            registered_gradients=[
                messages.REGISTERED_GRADIENT(
                    gradient_func=each.function, registered_op_type=each.op_type
                )
                for each in self._library.gradients
            ],
        )
        graph.versions = messages.VERSIONS(producer=_PRODUCER, min_consumer=12)
        info = messages.META_INFO(
            tags=sorted(tags),
            tensorflow_version=VERSION,
            stripped_default_attrs=True,
            function_aliases={
                written.name: alias
                for alias, function in options.function_aliases.items()
                for written in self._functions.get(self._objects.numbers.get(id(function), -1), [])
            },
        )
        objects = messages.OBJECT_GRAPH(nodes=self._protos, concrete_functions=self._concrete)
        return messages.META_GRAPH(
            meta_info_def=info, graph_def=graph, object_graph_def=objects, **extra
        )

    def _things(self, number: int) -> list:
        return [self._objects.things[number]]

    def _keys(self) -> dict[int, str]:
        """Return the key of each variable: the way to it from the root."""
        paths: dict[int, str] = {0: ""}
        order = [0]
        for number in order:
            for name, child in self._objects.children[number].items():
                if child not in paths:
                    start = f"{paths[number]}/" if paths[number] else ""
                    paths[child] = f"{start}{escape(name)}"
                    order.append(child)
        return {
            number: f"{paths[number]}/{ATTRIBUTES}/{VARIABLE}"
            for number, thing in enumerate(self._objects.things)
            if isinstance(thing, Variable)
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the values of the variables by key, with the graph of all objects."""
        keys = self._keys()
        nodes = [
            {"children": children, "values": {VARIABLE: keys[number]} if number in keys else {}}
            for number, children in enumerate(self._objects.children)
        ]
        names = {key: self._objects.things[n].name.split(":")[0] for n, key in keys.items()}
        encoded = np.empty((), object)
        encoded[()] = encode_object_graph(nodes, names)
        values = {key: whole_value(self._objects.things[n]) for n, key in keys.items()}
        return {**values, OBJECT_GRAPH_KEY: encoded}


def _trace_first(root: Any) -> None:
    """Trace the functions that have not run: layers that are built by their first call have their
    variables then."""
    for thing in Objects(root).things:
        if isinstance(thing, Function) and not thing._cache.has_run:
            for args, kwargs in signatures_of(thing):
                with contextlib.suppress(CannotWrite):  # raised again where it is written
                    traced(thing, *with_names(thing, args, kwargs))


def _can_be_signature(written: WrittenFunction) -> bool:
    names = [spec.name for spec in written.call.specs]
    outputs = written.call.outputs
    if isinstance(outputs, dict):
        values = list(outputs.values())
    else:
        values = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    flat = all(isinstance(x, TypeSpec) for x in values)
    return flat and len(set(names)) == len(names) and bool(tensor_specs(outputs))


def _spec(signature: inspect.Signature, input_signature: Any) -> Record:
    """Return what the file says of a function's parameters."""
    kinds = inspect.Parameter
    parameters = signature.parameters.values()
    positional = [
        p for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    ]
    defaults = [p.default for p in positional if p.default is not kinds.empty]
    named = [p for p in parameters if p.kind is kinds.KEYWORD_ONLY]
    given = {p.name: p.default for p in named if p.default is not kinds.empty}
    varargs = [p.name for p in parameters if p.kind is kinds.VAR_POSITIONAL]
    varkw = [p.name for p in parameters if p.kind is kinds.VAR_KEYWORD]
    full = FullArgSpec(
        args=[p.name for p in positional],
        varargs=varargs[0] if varargs else None,
        varkw=varkw[0] if varkw else None,
        defaults=tuple(defaults) if defaults else None,
        kwonlyargs=[p.name for p in named],
        kwonlydefaults=given or None,
        annotations={},
    )
    return messages.FUNCTION_SPEC(
        fullargspec=encode_structure(full),
        input_signature=encode_structure(
            None if input_signature is None else tuple(input_signature)
        ),
    )


def _no_arguments() -> Record:
    full = FullArgSpec([], None, None, None, [], None, {})
    return messages.FUNCTION_SPEC(
        fullargspec=encode_structure(full), input_signature=encode_structure(())
    )
