"""Elements that are kept: in memory, or in files of records that can be read again."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator

import numpy as np

from gradtape.api.specs import NoneTensorSpec, TensorSpec, TypeSpec
from gradtape.core.errors import DataLossError, InvalidArgumentError, NotFoundError
from gradtape.core.tensor import Tensor
from gradtape.data import structure
from gradtape.data.nodes import Node, Step, dropped
from gradtape.formats import safetensors
from gradtape.formats.records import framed, read_records

_FORMAT = "gradtape-elements-1"


class MemoryCache(Step):
    """The elements of the first complete pass, again in every later one."""

    name = "CacheDataset"

    def __init__(self, source: Node) -> None:
        super().__init__(source)
        self._kept: list | None = None

    def stream(self, skip=0, rows=False):
        if self._kept is not None:
            return iter(self._kept[skip:] if skip else self._kept)
        return dropped(self._keeping(self.source.stream()), skip)

    def _keeping(self, source):
        kept = []
        try:
            for element in source:
                kept.append(element)
                yield element
        except GeneratorExit:
            if kept and len(kept) != self.cardinality():
                warnings.warn(
                    "A cached dataset was not read to its end, so nothing was kept. Use "
                    "`dataset.take(k).cache().repeat()` instead of "
                    "`dataset.cache().take(k).repeat()`.",
                    stacklevel=2,
                )
            raise
        self._kept = kept

    def cardinality(self):
        return self.source.cardinality() if self._kept is None else len(self._kept)


class FileCache(Step):
    """The elements of the first complete pass, kept in a file."""

    name = "CacheDataset"

    def __init__(self, source: Node, path: str) -> None:
        super().__init__(source)
        self.path = f"{path}.elements"

    def stream(self, skip=0, rows=False):
        if os.path.exists(self.path):
            return dropped(read_elements(self.path), skip)
        return dropped(writing(self.path, self.source.stream()), skip)


def encode_element(element) -> bytes:
    """An element as bytes: its form and its tensors."""
    flat = structure.flatten(element)
    for leaf in flat:
        if leaf is not None and not isinstance(leaf, Tensor):
            raise TypeError(f"Elements with a {type(leaf).__name__} cannot be kept in a file.")
    arrays = {str(i): np.asarray(x._data) for i, x in enumerate(flat) if x is not None}
    form = json.dumps(_form(element))
    return b"".join(bytes(p) for p in safetensors.encode(arrays, {"form": form}))


def _form(value):
    """A structure in JSON: tuples are lists, dictionaries objects, components null or true."""
    if isinstance(value, dict):
        return {str(key): _form(value[key]) for key in value}
    if structure.is_nested(value):
        return [_form(item) for item in value]
    return value is not None


def _from_form(form, flat):
    if isinstance(form, dict):
        found = {key: _from_form(form[key], flat) for key in sorted(form)}
        return {key: found[key] for key in form}
    if isinstance(form, list):
        return tuple(_from_form(item, flat) for item in form)
    found = next(flat)
    return found if form else None


def decode_element(data: bytes, path: str):
    """The element that bytes mean. Named tuples come back as tuples."""
    reader = safetensors.BytesReader(data, path)
    arrays = reader.read()
    form = json.loads(reader.metadata["form"])
    count = len(structure.flatten(_from_form(form, iter(lambda: None, 0))))
    flat = [_tensor(arrays.get(str(index))) for index in range(count)]
    return _from_form(form, iter(flat))


def _tensor(array: np.ndarray | None):
    if array is None:
        return None
    return Tensor(array if array.ndim or array.dtype == object else array[()])


def writing(path: str, source: Iterator) -> Iterator:
    """The elements of `source`, which are written to a file that appears when all are there."""
    partial = f"{path}.partial"
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    try:
        with open(partial, "wb") as file:
            file.write(framed(_FORMAT.encode()))
            count = 0
            for element in source:
                file.write(framed(encode_element(element)))
                count += 1
                yield element
            file.write(framed(f"end {count}".encode()))
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def read_elements(path: str) -> Iterator:
    """The elements of a file."""
    with open(path, "rb") as file:
        records = read_records(file, path)
        if next(records, None) != _FORMAT.encode():
            raise DataLossError(f"{path} is not a file of elements, or is damaged at its start.")
        count = 0
        for record in records:
            if record == f"end {count}".encode():
                return
            count += 1
            yield decode_element(record, path)
    raise DataLossError(f"{path} is cut off after {count} elements.")


# --- datasets on disk ----------------------------------------------------------------------------


def save(node: Node, path: str) -> None:
    """Write all elements, and their spec, into a folder."""
    os.makedirs(path, exist_ok=True)
    target = os.path.join(path, "dataset.elements")
    for _ in writing(target, node.stream()):
        pass
    spec = json.dumps({"spec": _spec_form(node.spec()), "cardinality": node.cardinality()})
    with open(os.path.join(path, "dataset.json"), "w", encoding="utf-8") as file:
        file.write(spec)


def _spec_form(spec):
    if isinstance(spec, dict):
        return {"dict": {key: _spec_form(value) for key, value in spec.items()}}
    if structure.is_nested(spec):
        return {"tuple": [_spec_form(item) for item in spec]}
    if isinstance(spec, NoneTensorSpec):
        return None
    if not isinstance(spec, TensorSpec):
        raise TypeError(f"Datasets with elements of {spec!r} cannot be saved.")
    sizes = None if spec.shape.rank is None else spec.shape.as_list()
    return {"shape": sizes, "dtype": spec.dtype.name}


def _spec_from(form):
    if form is None:
        return NoneTensorSpec()
    if "dict" in form:
        return {key: _spec_from(value) for key, value in form["dict"].items()}
    if "tuple" in form:
        return tuple(_spec_from(item) for item in form["tuple"])
    return TensorSpec(form["shape"], form["dtype"])


class Loaded(Node):
    """The elements of a saved dataset."""

    name = "_LoadDataset"

    def __init__(self, path: str, spec: TypeSpec | None) -> None:
        self.path = os.path.join(path, "dataset.elements")
        try:
            with open(os.path.join(path, "dataset.json"), encoding="utf-8") as file:
                found = json.load(file)
        except FileNotFoundError:
            raise NotFoundError(f"There is no saved dataset in {path}.") from None
        except ValueError:
            raise DataLossError(f"{path} holds a damaged dataset: dataset.json.") from None
        self._spec = _spec_from(found["spec"])
        self._cardinality = found["cardinality"]
        if spec is not None and repr(spec) != repr(self._spec):
            raise InvalidArgumentError(
                f"The dataset in {path} has the element_spec {self._spec}, not {spec}."
            )

    def stream(self, skip=0, rows=False):
        return dropped(read_elements(self.path), skip)

    def cardinality(self):
        return self._cardinality

    def spec(self):
        return self._spec
