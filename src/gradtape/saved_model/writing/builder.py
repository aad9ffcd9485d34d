"""The graph of one function, as it is written: nodes, constants, and sizes known at run time."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from gradtape.api.specs import TensorSpec
from gradtape.core.dtypes import DType, as_dtype, from_numpy
from gradtape.core.shape import TensorShape
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.formats.tensor_proto import encode_tensor
from gradtape.saved_model.structures import RESOURCE_NUMBER, encode_shape
from gradtape.saved_model.writing.sizes import NodePair, OpenRank, Pair, Size, Unknown

_INT = np.dtype(np.int32)


class CannotWrite(NotImplementedError):
    """Raised for a function that has no form in TensorFlow's ops; the text says what of it."""


class Ref(NamedTuple):
    """An output of a node, with its dtype (None for a resource)."""

    name: str
    dtype: Any


class FunctionName(str):
    """The name of a function, as an attribute of a node."""

    __slots__ = ()


class TypeNumber(int):
    """The number of a dtype, as an attribute of a node."""


RESOURCE = TypeNumber(RESOURCE_NUMBER)


def type_number(dtype: Any) -> TypeNumber:
    """Return the number that TensorFlow gives a dtype; of None, that of a resource."""
    if dtype is None:
        return RESOURCE
    if isinstance(dtype, TypeNumber):
        return dtype
    known = from_numpy(dtype) if isinstance(dtype, np.dtype) else as_dtype(dtype)
    return TypeNumber(known.as_datatype_enum)


def attribute(value: Any) -> Record:
    """Return a Python value as an attribute of a node."""
    make = messages.ATTRIBUTE
    match value:
        case TypeNumber():
            return make(type=int(value))
        case FunctionName():
            return make(func=messages.FUNCTION_REFERENCE(name=str(value)))
        case bool():
            return make(b=value)
        case int():
            return make(i=value)
        case float():
            return make(f=value)
        case str():
            return make(s=value.encode())
        case bytes():
            return make(s=value)
        case np.dtype() | DType():
            return make(type=int(type_number(value)))
        case np.ndarray():
            return make(tensor=encode_tensor(value))
        case TensorShape():
            return make(shape=encode_shape(value))
        case list():
            items = [attribute(item) for item in value]
            filled = messages.ATTRIBUTE_LIST()
            for item in items:
                kind = item.one_of("s", "i", "f", "b", "type", "shape", "tensor", "func")
                getattr(filled, str(kind)).append(getattr(item, str(kind)))
            return make(list=filled)
    raise TypeError(f"{value!r} is no attribute of a node")


class WrittenGradient(NamedTuple):
    """The gradient of a node that names it: a function, and what it captures of the node's."""

    op_type: str
    function: str
    forward: str  # the function that the node is in
    captured: list[str]  # tensors of that function
    cotangents: list[TensorSpec]
    results: list[TensorSpec | None]


class Library:
    """The functions that are written, each with a name of its own."""

    def __init__(self, saves_gradients: bool = True) -> None:
        self.saves_gradients = saves_gradients
        self.definitions: list[Record] = []
        self.stateful: set[str] = set()  # functions that draw random numbers, or assign
        self.acting: set[str] = set()  # functions that print or check
        self.gradients: list[WrittenGradient] = []
        self._serial = itertools.count(1)

    def gradient_name(self) -> str:
        """Return a name for the gradient of a node, of TensorFlow's kind."""
        return f"CustomGradient-{next(self._serial)}"

    def unique(self, name: str) -> str:
        plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
        return f"__inference_{plain}_{next(self._serial)}"


class Builder:
    """The nodes of one function. `op` adds a node; the sizes of its tensors are remembered."""

    def __init__(self, library: Library, name: str) -> None:
        self.library = library
        self.name = library.unique(name)
        self.nodes: list[Record] = []
        self.is_stateful = False
        self.effects: list[str] = []  # nodes that run for their effect, in their order
        self._names: dict[str, int] = {}
        self._constants: dict[tuple, Ref] = {}
        self._sizes: dict[Unknown, tuple[Ref, int]] = {}  # a tensor with such an axis
        self._scalars: dict[Unknown, Ref] = {}
        self._open_shapes: dict[tuple, Ref] = {}  # a tensor with such a shape of open rank
        self._arguments: list[Record] = []

    # --- nodes -----------------------------------------------------------------------------------

    def _unique(self, name: str) -> str:
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return f"{name}_{count}" if count else name

    def argument(self, name: str, dtype: Any) -> Ref:
        """Add an input of the function."""
        unique = self._unique("".join(c if c.isalnum() else "_" for c in name).lower() or "x")
        self._arguments.append(messages.ARGUMENT(name=unique, type=int(type_number(dtype))))
        return Ref(unique, dtype)

    def nodes_of(
        self, kind: str, *inputs: Ref, dtypes: list, after: tuple[str, ...] = (), **attributes: Any
    ) -> list[Ref]:
        """Add a node whose results have names and dtypes: "TopKV2:values,indices".

        One name with several dtypes is that of a list of results.
        """
        op, _, outputs = kind.partition(":")
        name = self._unique(op)
        given = [ref.name for ref in inputs] + [f"^{other}" for other in after]
        encoded = {key: attribute(value) for key, value in attributes.items()}
        self.nodes.append(messages.NODE(name=name, op=op, input=given, attr=encoded))
        names = outputs.split(",")
        if len(names) == 1:
            return [Ref(f"{name}:{outputs}:{i}", dtype) for i, dtype in enumerate(dtypes)]
        pairs = zip(names, dtypes, strict=True)
        return [Ref(f"{name}:{each}:0", dtype) for each, dtype in pairs]

    def op(self, kind: str, *inputs: Ref, dtype: Any = None, **attributes: Any) -> Ref:
        """Add a node with one result, of the dtype of the first input unless another is given.

        The attribute T is that dtype of the first input, unless it is given, or None.
        """
        if "T" not in attributes and inputs:
            attributes["T"] = inputs[0].dtype
        attributes = {k: v for k, v in attributes.items() if v is not None}
        made = inputs[0].dtype if dtype is None else dtype
        return self.nodes_of(kind, *inputs, dtypes=[made], **attributes)[0]

    @property
    def last_node(self) -> str:
        return self.nodes[-1].name

    def definition(self, results: list[Ref], names: list[str], controls: list[str]) -> Record:
        """Return the function, with results by name and nodes that must run."""
        controls = [*self.effects, *controls]
        if self.effects:
            self.library.acting.add(self.name)
        outputs = [
            messages.ARGUMENT(name=name, type=int(type_number(ref.dtype)))
            for name, ref in zip(names, results, strict=True)
        ]
        signature = messages.OP(
            name=self.name,
            input_arg=self._arguments,
            output_arg=outputs,
            control_output=list(controls),
        )
        self.is_stateful |= bool(controls)
        if self.is_stateful:
            signature.is_stateful = True
            self.library.stateful.add(self.name)
        ret = {name: ref.name for name, ref in zip(names, results, strict=True)}
        made = messages.FUNCTION(
            signature=signature,
            node_def=self.nodes,
            ret=ret,
            control_ret={name: name for name in controls},
        )
        self.library.definitions.append(made)
        return made

    # --- constants -------------------------------------------------------------------------------

    def const(self, value: Any, dtype: Any = None) -> Ref:
        """Return a constant; equal ones are one node."""
        array = np.asarray(value, dtype)
        key = (array.dtype.str, array.shape, array.tobytes() if array.dtype != object else None)
        if array.dtype == object:
            key = (*key[:2], tuple(array.reshape(-1)))
        if key not in self._constants:
            made = self.nodes_of(
                "Const:output", dtypes=[array.dtype], value=array, dtype=array.dtype
            )
            self._constants[key] = made[0]
        return self._constants[key]

    def ints(self, values: Any) -> Ref:
        """Return sizes, axes or the like, all known, as a constant of int32."""
        return self.const(np.asarray(values, np.int32))

    # --- sizes -----------------------------------------------------------------------------------

    def remember(self, ref: Ref, value: Pair) -> Ref:
        """Note which open sizes a tensor has, and return it."""
        if value.has_open_rank:
            self._open_shapes.setdefault(value.shapes, ref)
            return ref
        for axis, size in enumerate(value.shape):
            if isinstance(size, Unknown):
                self._sizes.setdefault(size, (ref, axis))
        return ref

    def size(self, size: Size) -> Ref:
        """Return a size as a scalar of int32."""
        if not isinstance(size, Unknown):
            return self.ints(size)
        if size not in self._scalars:
            scalar = self._derived_size(size)
            if scalar is None:
                raise CannotWrite(
                    f"a size is {size.first} in one trace and {size.second} in another, and no "
                    "tensor has such an axis. Give the sizes in the signature, or compute them "
                    "from tf.shape of an argument"
                )
            self._scalars[size] = scalar
        return self._scalars[size]

    def _derived_size(self, size: Unknown) -> Ref | None:
        known = self._sizes.get(size)
        if known is not None:
            return self._axis(*known)
        for one in self._sizes:  # a multiple, or a product of two
            if size.first * one.second == size.second * one.first and size.first % one.first == 0:
                factor = self.ints(size.first // one.first)
                return self.op("Mul:z", self.size(one), factor)
            if size.first % one.first or size.second % one.second:
                continue
            rest = Unknown(size.first // one.first, size.second // one.second)
            if rest in self._sizes:
                return self.op("Mul:z", self.size(one), self.size(rest))
        for one in self._sizes:  # a fraction, or a sum with a constant
            shift = size.first - one.first
            if shift == size.second - one.second:
                return self.op("AddV2:z", self.size(one), self.ints(shift))
            if one.first % size.first == 0 and one.first * size.second == one.second * size.first:
                divisor = self.ints(one.first // size.first)
                return self.op("FloorDiv:z", self.size(one), divisor)
        return None

    def _axis(self, ref: Ref, axis: int) -> Ref:
        shape = self.op("Shape:output", ref, dtype=_INT, out_type=_INT)
        return self.op(
            "StridedSlice:output",
            shape,
            self.ints([axis]),
            self.ints([axis + 1]),
            self.ints([1]),
            Index=_INT,
            shrink_axis_mask=1,
        )

    def sizes(self, sizes: tuple[Size, ...] | list[Size]) -> Ref:
        """Return sizes as a vector of int32."""
        if not any(isinstance(size, Unknown) for size in sizes):
            return self.ints(np.array(sizes, np.int32))
        parts = [self.size(size) for size in sizes]
        return self.op("Pack:output", *parts, N=len(parts), axis=0)

    def shape(self, value: Pair) -> Ref:
        """Return the shape of a value as a vector of int32."""
        if not value.has_open_rank:
            return self.sizes(value.shape)
        like = self._open_shapes.get(value.shapes)
        if like is None:
            raise OpenRank
        return self.op("Shape:output", like, dtype=_INT, out_type=_INT)

    def axes(self, node: NodePair, x: Ref) -> Ref:
        """Return the axes that an op works along as a vector of int32."""
        if not node.inputs[0].has_open_rank:
            return self.ints(node.axis)
        if not node.has_all_axes:
            raise OpenRank
        rank = self.op("Rank:output", x, dtype=_INT)
        return self.op("Range:output", self.ints(0), rank, self.ints(1), T=None, Tidx=_INT)

    def value(self, value: Pair) -> Ref:
        """Return a constant of both graphs, which may depend on open sizes."""
        held: list[Any] = [value.first.constant, value.second.constant]
        one, other = (np.asarray(x.numpy()) for x in held)
        if one.dtype == object or (one.shape == other.shape and np.array_equal(one, other)):
            return self.const(one if one.dtype == object else one.astype(value.dtype))
        if one.dtype != object and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"):
            return self.const(one)
        made = self._dependent(one, other, value)
        if made is None:
            raise CannotWrite(
                f"a constant of shape {list(one.shape)} depends on a size that the signature "
                "leaves open. Give that size in the signature"
            )
        return made

    def _dependent(self, one: np.ndarray, other: np.ndarray, value: Pair) -> Ref | None:
        if one.shape == other.shape and one.ndim <= 1 and one.size <= 16:
            parts = [
                self._number(a, b) for a, b in zip(one.reshape(-1), other.reshape(-1), strict=True)
            ]
            if any(part is None for part in parts):
                return None
            made = [part for part in parts if part is not None]
            whole = made[0] if not one.ndim else self.op("Pack:output", *made, N=len(made), axis=0)
            return self.cast(whole, value.dtype)
        if one.shape != other.shape and one.size and other.size:
            first = one.reshape(-1)[0]
            if (one == first).all() and (other == first).all():
                filler = self.const(np.asarray(first))
                return self.op(
                    "Fill:output",
                    self.shape(value),
                    filler,
                    dtype=one.dtype,
                    T=one.dtype,
                    index_type=_INT,
                )
            if one.ndim == 1 and one.dtype.kind in "iu":
                steps = [np.array_equal(x, np.arange(len(x))) for x in (one, other)]
                if all(steps):
                    limits = [self.ints(0), self.size(value.shape[0]), self.ints(1)]
                    made = self.op("Range:output", *limits, T=None, Tidx=_INT)
                    return self.cast(made, one.dtype)
        return None

    def _number(self, a: Any, b: Any) -> Ref | None:
        if a == b:
            return self.ints(int(a)) if a == int(a) else None
        if a != int(a) or b != int(b):
            return None
        return self.size(Unknown(int(a), int(b)))

    def cast(self, ref: Ref, dtype: Any) -> Ref:
        """Return a tensor of another dtype."""
        if ref.dtype == dtype:
            return ref
        return self.op("Cast:y", ref, dtype=dtype, T=None, SrcT=ref.dtype, DstT=np.dtype(dtype))
