"""Elements that are kept: in memory, or in files of records that can be read again."""

from __future__ import annotations

import itertools
import json
import os
import warnings
from collections.abc import Callable, Iterator

import numpy as np

from gradtape import ops
from gradtape.api.specs import NoneTensorSpec, TensorSpec, TypeSpec
from gradtape.core.errors import DataLossError, InvalidArgumentError, NotFoundError
from gradtape.core.tensor import Tensor
from gradtape.data import structure
from gradtape.data.nodes import Failure, PipelineNode, UnaryNode, attempts, drop_first, resumed
from gradtape.formats import safetensors
from gradtape.formats.atomic import write_whole
from gradtape.formats.records import frame_record, read_records

_FORMAT = "gradtape-elements-1"


class MemoryCache(UnaryNode):
    """The elements of the first complete pass, again in every later one."""

    name = "CacheDataset"

    def __init__(self, source: PipelineNode) -> None:
        super().__init__(source)
        self._kept: list | None = None

    def stream(self, skip=0, rows=False):
        if self._kept is not None:
            return iter(self._kept[skip:] if skip else self._kept)
        return drop_first(resumed(self._keeping(attempts(self.source.stream()))), skip)

    def _keeping(self, source):
        kept = []
        try:
            for element in source:
                if type(element) is not Failure:
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


class FileCache(UnaryNode):
    """The elements of the first complete pass, kept in a file."""

    name = "CacheDataset"

    def __init__(self, source: PipelineNode, path: str) -> None:
        super().__init__(source)
        self.path = f"{path}.elements"

    def stream(self, skip=0, rows=False):
        if os.path.exists(self.path):
            return drop_first(read_elements(self.path), skip)
        stream = write_through(self.path, attempts(self.source.stream()))
        return drop_first(resumed(stream), skip)


def encode_element(element) -> bytes:
    """Return an element as bytes: its form and its tensors."""
    flat = structure.flatten(element)
    for leaf in flat:
        if leaf is not None and not isinstance(leaf, Tensor):
            raise TypeError(f"Elements with a {type(leaf).__name__} cannot be kept in a file.")
    arrays = {str(i): np.asarray(x._data) for i, x in enumerate(flat) if x is not None}
    form = json.dumps(_form(element))
    return b"".join(bytes(p) for p in safetensors.encode(arrays, {"form": form}))


def _form(value):
    """Return a structure in JSON: tuples are lists, dictionaries objects, components null or
    true."""
    if isinstance(value, dict):
        return {str(key): _form(value[key]) for key in value}
    if structure.is_nested(value):
        return [_form(item) for item in value]
    return value is not None


def _from_form(form, flat):
    if isinstance(form, dict):
        result = {key: _from_form(form[key], flat) for key in sorted(form)}
        return {key: result[key] for key in form}
    if isinstance(form, list):
        return tuple(_from_form(item, flat) for item in form)
    result = next(flat)
    return result if form else None


def decode_element(data: bytes, path: str):
    """Return the element that bytes mean. Named tuples come back as tuples."""
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


def write_through(path: str, source: Iterator) -> Iterator:
    """Yield the elements of `source`, which are written to a file that appears when all are
    there; and failures, which are not."""
    partial = f"{path}.partial"
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    try:
        with open(partial, "wb") as file:
            file.write(frame_record(_FORMAT.encode()))
            count = 0
            for element in source:
                if type(element) is not Failure:
                    file.write(frame_record(encode_element(element)))
                    count += 1
                yield element
            file.write(frame_record(f"end {count}".encode()))
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def read_elements(path: str) -> Iterator:
    """Yield the elements of a file."""
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


# The elements go to the file that is not in use, and dataset.json, which replaces its former self
# at once, says which of them it describes.
_ELEMENTS = ("dataset.elements", "dataset.1.elements")


def save(node: PipelineNode, path: str, shard_func: Callable | None = None) -> None:
    """Write all elements, and their spec, into a folder; with the shard of each, if asked for."""
    os.makedirs(path, exist_ok=True)
    try:
        used = _description(path).get("elements", _ELEMENTS[0])
    except (NotFoundError, DataLossError):
        used = _ELEMENTS[1]
    target = _ELEMENTS[used == _ELEMENTS[0]]
    count, shards = 0, []
    for element in write_through(os.path.join(path, target), node.stream()):
        count += 1
        shards += _shard_of(element, shard_func)
    description = {
        "spec": _spec_form(node.spec()),
        "cardinality": count,
        "elements": target,
        "shards": shards,
    }
    write_whole(os.path.join(path, "dataset.json"), [json.dumps(description).encode()])
    former = os.path.join(path, used)
    if os.path.exists(former):
        os.remove(former)


def _description(path: str) -> dict:
    """Return what the folder of a saved dataset says of it."""
    try:
        with open(os.path.join(path, "dataset.json"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        raise NotFoundError(f"There is no saved dataset in {path}.") from None
    except ValueError:
        raise DataLossError(f"{path} holds a damaged dataset: dataset.json.") from None


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


def _shard_of(element, shard_func: Callable | None) -> list[int]:
    return [int(ops.to_tensor(structure.call(shard_func, element)))] if shard_func else []


class Loaded(PipelineNode):
    """The elements of a saved dataset, or those of one of its shards."""

    name = "_LoadDataset"

    def __init__(self, path: str, spec: TypeSpec | None, shard: int | None = None) -> None:
        self.path, self.shard = path, shard
        result = _description(path)
        self.shards: list[int] = result.get("shards", [])
        self._spec = _spec_from(result["spec"])
        self._cardinality = result["cardinality"]
        if spec is not None and repr(spec) != repr(self._spec):
            raise InvalidArgumentError(
                f"The dataset in {path} has the element_spec {self._spec}, not {spec}."
            )

    def stream(self, skip=0, rows=False):
        elements = _description(self.path).get("elements", _ELEMENTS[0])
        stream = read_elements(os.path.join(self.path, elements))
        if self.shard is not None:
            stream = itertools.compress(stream, (each == self.shard for each in self.shards))
        return drop_first(stream, skip)

    def cardinality(self):
        return self._cardinality if self.shard is None else self.shards.count(self.shard)

    def in_shards(self) -> list[Loaded]:
        """Return the shards; all as one, if the dataset was saved without."""
        numbers = sorted(set(self.shards))
        return [Loaded(self.path, None, number) for number in numbers] or [self]

    def spec(self):
        return self._spec
