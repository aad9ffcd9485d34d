"""safetensors: named arrays in one file, as a JSON header and raw data. Nothing in it can run.

The format is the one of the safetensors library, which reads these files. Types it does not have
(strings, complex numbers, four-bit integers) are stored as ones it has, and the metadata says how
to read them; it also holds a checksum of each array, so that damage is noticed.
"""

from __future__ import annotations

import io
import json
import math
import os
import zlib
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np

from gradtape.core.errors import DataLossError
from gradtape.formats.atomic import write_whole

_NAMES = {
    "F64": np.float64,
    "F32": np.float32,
    "F16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "I64": np.int64,
    "I32": np.int32,
    "I16": np.int16,
    "I8": np.int8,
    "U64": np.uint64,
    "U32": np.uint32,
    "U16": np.uint16,
    "U8": np.uint8,
    "BOOL": np.bool_,
}
_DTYPES = {name: np.dtype(kind) for name, kind in _NAMES.items()}
_CODES = {dtype: name for name, dtype in _DTYPES.items()}
_COMPLEX = {"complex64": np.dtype(np.float32), "complex128": np.dtype(np.float64)}
_NARROW = {"int4": np.dtype(np.int8), "uint4": np.dtype(np.uint8)}
_KINDS, _SUMS, _HEADER = "gradtape.types", "gradtape.crc32", "gradtape.header_crc32"
_ALIGNMENT = 8
_LARGEST_HEADER = 100_000_000


# --- types that the format does not have ---------------------------------------------------------


def _to_stored(array: np.ndarray) -> tuple[np.ndarray, list | None]:
    """Return the array to store, and what must be known to get the original back."""
    if array.dtype in _CODES:
        return array, None
    if array.dtype == object:
        strings = [bytes(item) for item in array.reshape(-1)]
        lengths = np.array([len(item) for item in strings], "<i8").tobytes()
        flat = np.frombuffer(lengths + b"".join(strings), np.uint8)
        return flat, ["string", *array.shape]
    name = array.dtype.name
    if name in _COMPLEX:
        contiguous = np.ascontiguousarray(array).reshape(-1)
        return contiguous.view(_COMPLEX[name]).reshape(*array.shape, 2), [name, *array.shape]
    if name in _NARROW:
        return array.astype(_NARROW[name]), [name, *array.shape]
    raise TypeError(f"Arrays of dtype {array.dtype} cannot be saved.")


def _original(array: np.ndarray, kind: list | None) -> np.ndarray:
    if kind is None:
        return array
    name, *shape = kind
    if name in _COMPLEX:
        return array.reshape(-1).view(np.dtype(name)).reshape(shape)
    if name in _NARROW:
        return array.astype(getattr(ml_dtypes, name))
    count = math.prod(shape)
    lengths = array[: 8 * count].view("<i8").tolist()
    data, begin = array.tobytes(), 8 * count
    if len(lengths) != count or min(lengths, default=0) < 0 or begin + sum(lengths) != len(data):
        raise ValueError("the lengths of strings are not those of the data")
    strings = np.empty(count, object)
    for index, length in enumerate(lengths):
        strings[index] = data[begin : begin + length]
        begin += length
    return strings.reshape(shape)


def _check_entries(entries: dict[str, tuple[np.dtype, list[int], int, int]]) -> None:
    """Raise a ValueError unless all shapes and offsets are sizes that fit each other."""
    for name, (dtype, shape, begin, end) in entries.items():
        if not isinstance(shape, list) or not all(_is_size(n) for n in (*shape, begin, end)):
            raise ValueError(f"{name!r} has the shape {shape} and the offsets {begin}, {end}")
        if end - begin != math.prod(shape) * dtype.itemsize:
            raise ValueError(f"the shape of {name!r} does not fit its data")


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _check_kinds(kinds: Any, entries: dict) -> None:
    """Raise a ValueError unless what is told of other types fits the arrays."""
    for name, (kind, *shape) in kinds.items():
        dtype, stored, *_ = entries[name]
        expected = {"string": (np.dtype(np.uint8), stored if len(stored) == 1 else None)}
        expected |= {each: (part, [*shape, 2]) for each, part in _COMPLEX.items()}
        expected |= {each: (wide, shape) for each, wide in _NARROW.items()}
        if not all(map(_is_size, shape)) or expected.get(kind) != (dtype, stored):
            raise ValueError(f"{name!r} is said to be {kind} of shape {shape}")


# --- writing -------------------------------------------------------------------------------------


def encode(arrays: dict[str, np.ndarray], metadata: dict[str, str] | None = None) -> list:
    """Return the pieces of a file: its header, and the data of one array after the other."""
    kinds: dict[str, list] = {}
    sums: dict[str, int] = {}
    header: dict[str, Any] = {}
    stored: dict[str, np.ndarray] = {}
    for name, array in arrays.items():
        flat, kind = _to_stored(np.asarray(array))
        # (np.ascontiguousarray would give rank 0 an axis.)
        stored[name] = np.asarray(flat, order="C")
        if kind is not None:
            kinds[name] = kind
    # Large items first keeps every array aligned.
    order = sorted(stored, key=lambda name: -stored[name].dtype.itemsize)
    position = 0
    pieces: list = []
    for name in order:
        array = stored[name]
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).reshape(-1).view(np.uint8)
        header[name] = {
            "dtype": _CODES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [position, position + data.nbytes],
        }
        sums[name] = zlib.crc32(data.data)
        position += data.nbytes
        pieces.append(data)
    notes = {**(metadata or {}), _SUMS: json.dumps(sums)}
    if kinds:
        notes[_KINDS] = json.dumps(kinds)
    notes[_HEADER] = _header_sum(notes, header)
    text = json.dumps({"__metadata__": notes, **header}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    return [len(text).to_bytes(8, "little"), text, *pieces]


def write(path: str, arrays: dict[str, np.ndarray], metadata: dict[str, str] | None = None) -> None:
    """Write a file, whole or not at all."""
    write_whole(path, encode(arrays, metadata))


def _header_sum(notes: dict[str, str], entries: dict) -> str:
    """Return a checksum of what the header says, however it is spaced."""
    known = {name: text for name, text in notes.items() if name != _HEADER}
    return str(zlib.crc32(json.dumps([known, entries], sort_keys=True).encode()))


# --- reading -------------------------------------------------------------------------------------


class BytesReader:
    """The header of a file in memory, and its arrays when asked for."""

    def __init__(self, data: bytes, path: str) -> None:
        self._path = path
        self._data = data
        self._parse(io.BytesIO(data), len(data))

    def _opened(self) -> BinaryIO:
        return io.BytesIO(self._data)

    def _parse(self, file: BinaryIO, size: int) -> None:
        start = file.read(8)
        length = int.from_bytes(start, "little")
        if len(start) < 8 or length > min(_LARGEST_HEADER, size - 8):
            raise self._damaged("it is cut off in its header, or is not a safetensors file")
        try:
            header = json.loads(file.read(length))
            self.metadata: dict[str, str] = header.pop("__metadata__", {})
            checksum = self.metadata.get(_HEADER)  # files of other programs have none
            if checksum is not None and checksum != _header_sum(self.metadata, header):
                raise ValueError("wrong checksum")
            self._entries: dict[str, tuple[np.dtype, list[int], int, int]] = {
                name: (_DTYPES[entry["dtype"]], entry["shape"], *entry["data_offsets"])
                for name, entry in header.items()
            }
            _check_entries(self._entries)
            self._kinds = json.loads(self.metadata.get(_KINDS, "{}"))
            _check_kinds(self._kinds, self._entries)
            self._sums: dict[str, int] = dict(json.loads(self.metadata.get(_SUMS, "{}")))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self._damaged("its header cannot be read") from error
        self._begin = 8 + length
        end = max((entry[3] for entry in self._entries.values()), default=0)
        if self._begin + end != size:
            raise self._damaged(
                f"it has {size} bytes where its header speaks of {self._begin + end}"
            )

    def _damaged(self, reason: str) -> Exception:
        return DataLossError(
            f"{self._path} is damaged or incomplete: {reason}. Nothing was read from it; use "
            "another copy or an earlier file."
        )

    @property
    def names(self) -> list[str]:
        return list(self._entries)

    def shape(self, name: str) -> list[int]:
        return self._kinds[name][1:] if name in self._kinds else self._entries[name][1]

    def dtype(self, name: str) -> np.dtype[Any]:
        if name not in self._kinds:
            return self._entries[name][0]
        kind = self._kinds[name][0]
        if kind == "string":
            return np.dtype(object)
        return np.dtype(getattr(ml_dtypes, kind) if kind in _NARROW else kind)

    def read(self, names: list[str] | None = None) -> dict[str, np.ndarray]:
        """Return arrays by name, all of them or none."""
        tensors = {}
        with self._opened() as file:
            for name in self.names if names is None else names:
                dtype, shape, begin, end = self._entries[name]
                file.seek(self._begin + begin)
                data = file.read(end - begin)
                checksum = self._sums.get(name)  # files of other programs have none
                if checksum is not None and zlib.crc32(data) != checksum:
                    raise self._damaged(f"the data of {name!r} is not what was written")
                try:
                    array = np.frombuffer(data, dtype.newbyteorder("<")).reshape(shape)
                    tensors[name] = _original(array.astype(dtype), self._kinds.get(name))
                except ValueError as error:
                    raise self._damaged(f"the shape of {name!r} does not fit its data") from error
        return tensors


class Reader(BytesReader):
    """The header of a file, and its arrays when asked for."""

    def __init__(self, path: str) -> None:
        self._path = path
        with open(path, "rb") as file:
            self._parse(file, os.fstat(file.fileno()).st_size)

    def _opened(self) -> BinaryIO:
        return open(self._path, "rb")
