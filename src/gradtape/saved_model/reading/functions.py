"""Functions of a SavedModel: a FunctionDef as a function of tensors, which binds ordinary ops.

Tapes, vmaps, traces and devices see those ops: nothing here knows of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape.core.errors import DataLossError
from gradtape.core.state import call_with
from gradtape.core.tensor import Tensor
from gradtape.formats.errors import DecodeError
from gradtape.formats.saved_model.schema import Record
from gradtape.formats.tensor_proto import BY_NUMBER, decode_tensor
from gradtape.saved_model.reading.gradients import (
    CapturedTensor,
    CustomGradient,
    Frame,
    NoGradient,
    captured_value,
    running,
)
from gradtape.saved_model.reading.table import TABLE, Row
from gradtape.saved_model.structures import decode_shape

# Functions that call each other more deeply than Python can.
_DEEPEST = 60
# Nodes that call functions name a gradient, too: that of the function, which is differentiated.
_CALLS = frozenset(["PartitionedCall", "StatefulPartitionedCall"])


class _Step(NamedTuple):
    """One node: what to call, and where its inputs and outputs are kept."""

    node: Record
    row: Row
    inputs: list[tuple[int, int]]
    attributes: dict[str, Any]
    slot: int
    frees: list[int]
    gradient: CustomGradient | None


class Library:
    """All functions of a SavedModel by name, and the files that they may read."""

    def __init__(self, definitions: list[Record], folder: str, assets: set[str]) -> None:
        self.folder = folder
        self.assets = assets
        self._definitions = {each.signature.name: each for each in definitions if each.signature}
        self._functions: dict[str, GraphFunction] = {}
        self.gradients: dict[str, CustomGradient] = {}  # by the name that a node gives
        self._depths: dict[str, int] = {}
        for name in self._definitions:
            self._check_calls(name)

    def __contains__(self, name: str) -> bool:
        return name in self._definitions

    def __getitem__(self, name: str) -> GraphFunction:
        function = self._functions.get(name)
        if function is None:
            definition = self._definitions.get(name)
            if definition is None:
                raise DataLossError(f"{self.folder}: the model has no function {name!r}")
            function = self._functions[name] = GraphFunction(definition, self)
        return function

    def register(self, op_type: str, gradient: CustomGradient) -> None:
        """Give nodes of a name their gradient; what it captures is kept while functions run."""
        self.gradients[op_type] = gradient
        for captured in gradient.captured:
            if isinstance(captured, CapturedTensor):
                self[captured.function].keep(captured.name.partition(":")[0])

    def _called(self, name: str) -> list[str]:
        called = []
        for node in self._definitions[name].node_def:
            called.append(node.op)
            for attribute in node.attr.values():
                if attribute.has("func"):
                    called.append(attribute.func.name)
                if attribute.has("list"):
                    called += [each.name for each in attribute.list.func]
        return [each for each in called if each in self._definitions]

    def _check_calls(self, start: str) -> None:
        """Raise if functions call each other in a circle, or too deeply."""
        stack: list[tuple[str, list[str]]] = []

        def enter(name: str) -> None:
            self._depths[name] = -1
            stack.append((name, self._called(name)))

        if start not in self._depths:
            enter(start)
        while stack:
            name, called = stack[-1]
            if called:
                following = called.pop()
                depth = self._depths.get(following)
                if depth == -1:
                    raise DataLossError(
                        f"{self.folder}: the function {following!r} calls itself, which no "
                        "function of a SavedModel does"
                    )
                if depth is None:
                    enter(following)
                continue
            stack.pop()
            depths = [self._depths[each] for each in self._called(name)]
            self._depths[name] = 1 + max(depths, default=0)
            if self._depths[name] > _DEEPEST:
                raise DataLossError(
                    f"{self.folder}: functions call each other more than {_DEEPEST} deep"
                )


class GraphFunction:
    """A function of a list of values: tensors, variables, tables, lists of tensors."""

    def __init__(self, definition: Record, library: Library) -> None:
        self.name: str = definition.signature.name
        self.library = library
        self._definition = definition
        self._inputs = [argument.name for argument in definition.signature.input_arg]
        self.output_names = [argument.name for argument in definition.signature.output_arg]
        self._steps: list[_Step] | None = None
        self._slots: dict[str, int] = {}
        self._captured: list[str] = []  # nodes that gradients need
        self._results: list[tuple[int, int]] = []

    @property
    def input_count(self) -> int:
        return len(self._inputs)

    def __call__(self, values: list) -> list:
        if len(values) != len(self._inputs):
            raise DataLossError(
                f"the function {self.name!r} of the SavedModel takes {len(self._inputs)} inputs "
                f"and is called with {len(values)}"
            )
        if self._steps is None:
            self._plan()
        steps = self._steps
        assert steps is not None
        kept: list[Any] = [(value,) for value in values]
        kept += [None] * len(self._definition.node_def)
        frame = Frame(self.name, kept, self._slots, running.get())
        return call_with(running, frame, self._run, steps, kept)

    def _run(self, steps: list[_Step], kept: list) -> list:
        for step in steps:
            try:
                inputs = [kept[slot][index] for slot, index in step.inputs]
                result = step.row.call(*inputs, **step.attributes)
                if step.gradient is not None:
                    given = list(result) if isinstance(result, (tuple, list)) else [result]
                    captured = list(map(captured_value, step.gradient.captured))
                    result = step.gradient.record(inputs, given, captured)
            except Exception as error:
                where = f"in node {step.node.name!r} ({step.node.op}) of {self.name!r}"
                if isinstance(error, (IndexError, AttributeError)):
                    raise DataLossError(f"the SavedModel is damaged: {where}, {error}") from error
                error.add_note(f"  {where} of a SavedModel")
                raise
            kept[step.slot] = result if isinstance(result, (tuple, list)) else (result,)
            for slot in step.frees:
                kept[slot] = None
        try:
            return [kept[slot][index] for slot, index in self._results]
        except IndexError:
            raise self._damaged("a result is an output that its node does not have") from None

    def keep(self, node: str) -> None:
        """Compute a node, and keep what it gives, since a gradient needs it."""
        if all(node != each for each in self._captured):
            self._captured.append(node)
            self._steps = None

    # --- the plan --------------------------------------------------------------------------------

    def _plan(self) -> None:
        """Order the nodes that results and effects need, and find out where their inputs are."""
        nodes = self._definition.node_def
        slots = {name: index for index, name in enumerate(self._inputs)}
        count = len(slots)
        slots |= {node.name: index for index, node in enumerate(nodes, count)}
        if len(slots) != count + len(nodes):
            raise self._damaged("two nodes have one name")
        signature = self._definition.signature
        missing = [n for n in self.output_names if n not in self._definition.ret]
        if missing:
            raise self._damaged(f"the result {missing[0]!r} comes from nowhere")
        results = [self._definition.ret[name] for name in self.output_names]
        effects = list(self._definition.control_ret.values()) or list(signature.control_output)
        captured = [name for name in self._captured if name in slots]
        order = self._order(slots, [*captured, *effects, *results], count)
        self._slots = slots
        steps = []
        for slot in order:
            node = nodes[slot - count]
            given = [name for name in node.input if not name.startswith("^")]
            inputs = [self._reference(name, slots, count) for name in given]
            row = self._row(node)
            attributes, gradient = self._attributes(node, row), self._gradient(node)
            steps.append(_Step(node, row, inputs, attributes, slot, [], gradient))
        self._results = [self._reference(name, slots, count) for name in results]
        last: dict[int, int] = {}
        for index, step in enumerate(steps):
            last |= dict.fromkeys([slot for slot, _ in step.inputs], index)
        for slot in {*[slot for slot, _ in self._results], *[slots[name] for name in captured]}:
            last.pop(slot, None)
        for slot, index in last.items():
            steps[index].frees.append(slot)
        self._steps = steps

    def _gradient(self, node: Record) -> CustomGradient | None:
        """Return the gradient that a node has by name."""
        given = node.attr.get("_gradient_op_type")
        if given is None or not given.has("s") or node.op in _CALLS:
            return None
        name = given.s.decode(errors="replace")
        return self.library.gradients.get(name) or NoGradient(name)

    def _order(self, slots: dict[str, int], names: list[str], count: int) -> list[int]:
        """Return the nodes that these names need, each after those that it needs."""
        nodes = self._definition.node_def
        order: list[int] = []
        entered: dict[int, bool] = {}  # whether it is done
        stack: list[tuple[int, list[int]]] = []

        def needed(references: list[str]) -> list[int]:
            all_slots = [self._slot(reference, slots) for reference in references]
            return [slot for slot in reversed(all_slots) if slot >= count]

        stack.append((-1, needed(names)))
        while stack:
            slot, rest = stack[-1]
            if rest:
                following = rest.pop()
                if following not in entered:
                    entered[following] = False
                    stack.append((following, needed(nodes[following - count].input)))
                elif not entered[following]:
                    raise self._damaged(f"the node {nodes[following - count].name!r} needs itself")
                continue
            stack.pop()
            if slot >= 0:
                entered[slot] = True
                order.append(slot)
        return order

    def _slot(self, reference: str, slots: dict[str, int]) -> int:
        name = reference.removeprefix("^").partition(":")[0]
        if name not in slots:
            raise self._damaged(f"there is no node {name!r}")
        return slots[name]

    def _reference(self, reference: str, slots: dict[str, int], count: int) -> tuple[int, int]:
        slot = self._slot(reference, slots)
        _, *output = reference.split(":")
        if not output or slot < count:
            return slot, 0
        try:
            index = int(output[-1])
        except ValueError:
            raise self._damaged(f"{reference!r} is no output of a node") from None
        if index < 0:
            raise self._damaged(f"{reference!r} is no output of a node")
        if len(output) == 1:
            return slot, index
        row = self._row(self._definition.node_def[slot - count])
        return slot, row.output_index(output[0], index)

    def _row(self, node: Record) -> Row:
        row = TABLE.get(node.op)
        if row is not None:
            return row
        if node.op in self.library:  # a function that is called by its name
            function = self.library[node.op]
            return Row(lambda *values: function(list(values)), " ".join(function.output_names))
        raise NotImplementedError(
            f"tf.saved_model.load: the function {self.name!r} uses the op {node.op!r} (in node "
            f"{node.name!r}), which gradtape does not have. The model's other functions can be "
            "called."
        )

    def _attributes(self, node: Record, row: Row) -> dict[str, Any]:
        attributes: dict[str, Any] = {}
        for name in row.attributes:
            if name == "library":
                attributes[name] = self.library
            elif name in node.attr:
                attributes[name] = self._attribute(node, name, node.attr[name])
        required = [n for n in row.attributes if n not in attributes]
        known = row.call.__kwdefaults__ or {}
        lacking = [name for name in required if name not in known]
        if lacking:
            raise self._damaged(f"the node {node.name!r} lacks the attribute {lacking[0]!r}")
        return attributes

    def _attribute(self, node: Record, name: str, value: Record) -> Any:
        kind = value.one_of("list", "s", "i", "f", "b", "type", "shape", "tensor", "func")
        if kind is None:
            return None if not value.placeholder else self._unknown(node, name)
        try:
            if kind != "list":
                return self._content(kind, getattr(value, kind))
            kind = value.list.one_of("s", "i", "f", "b", "type", "shape", "tensor", "func")
            items = [] if kind is None else getattr(value.list, kind)
            return [self._content(str(kind), item) for item in items]
        except DecodeError as error:
            raise self._damaged(f"in node {node.name!r}, attribute {name!r}: {error}") from error

    def _unknown(self, node: Record, name: str) -> Any:
        raise self._damaged(f"the node {node.name!r} leaves the attribute {name!r} open")

    def _content(self, kind: str, content: Any) -> Any:
        match kind:
            case "type":  # resources and variants have no dtype here
                return BY_NUMBER.get(content, content)
            case "shape":
                return decode_shape(content)
            case "tensor":
                return as_tensor(decode_tensor(content)[1])
            case "func":
                return self.library[content.name]
        return content

    def _damaged(self, what: str) -> Exception:
        return DataLossError(
            f"{self.library.folder}: in the function {self.name!r} of the SavedModel, {what}"
        )


def as_tensor(array: np.ndarray) -> Tensor:
    """Return an array of a file as a tensor: a number for rank 0, as everywhere."""
    return Tensor(array[()] if not array.ndim and array.dtype != object else array)
