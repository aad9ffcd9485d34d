"""Reading a checkpoint of TensorFlow: names, shapes, types, arrays."""

from __future__ import annotations

import io
import math
import os
import stat
import struct
from contextlib import ExitStack
from typing import Any

import numpy as np

from gradtape.core import dtypes
from gradtape.core.errors import NotFoundError, UnimplementedError
from gradtape.formats import protobuf
from gradtape.formats.bundle.entries import (
    WHOLE_AXIS,
    Entry,
    Slice,
    decode_entry,
    decode_header,
    slice_key,
)
from gradtape.formats.bundle.table import damaged, read_table
from gradtape.formats.crc32c import masked_crc32c
from gradtape.formats.errors import DecodeError
from gradtape.formats.tensor_proto import BY_NUMBER

_SLICE_MARK = b"\0"  # begins the keys of slices, which have no names


def index_path(prefix: str) -> str:
    """Return the file that makes a checkpoint exist."""
    return f"{prefix}.index"


def shard_path(prefix: str, shard: int, shards: int) -> str:
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def shard_count(path: str, table: dict[bytes, memoryview]) -> int:
    """Return the number of shards that an index speaks of."""
    try:
        return decode_header(table[b""])
    except KeyError:
        raise damaged(path, "it has no header") from None
    except DecodeError as error:
        raise damaged(path, f"in its header, {error}") from error


class Reader:
    """The index of a checkpoint, and its arrays when asked for."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._path = index_path(prefix)
        table = read_table(_content(self._path), self._path)
        self._shards = shard_count(self._path, table)
        del table[b""]
        self._entries: dict[str, Entry] = {}
        self._slices: dict[bytes, Entry] = {}
        for key, value in table.items():
            try:
                entry = decode_entry(value)
            except DecodeError as error:
                raise damaged(self._path, f"in the entry of {_text(key)!r}, {error}") from error
            if key.startswith(_SLICE_MARK):
                self._slices[key] = entry
            else:
                self._entries[_text(key)] = entry

    @property
    def names(self) -> list[str]:
        return list(self._entries)

    def shape(self, name: str) -> list[int]:
        return list(self._entries[name].shape)

    def dtype(self, name: str) -> np.dtype[Any] | None:
        """Return the type of a tensor; None for a kind of object that only TensorFlow has."""
        dtype = BY_NUMBER.get(self._entries[name].dtype)
        return None if dtype is None else np.dtype(dtype.as_numpy_dtype)

    def read(self, names: list[str] | None = None) -> dict[str, np.ndarray]:
        """Return arrays by name: those named, or all that are not objects of TensorFlow."""
        with ExitStack() as stack:
            files = _Files(self._prefix, self._shards, stack)
            if names is None:
                names = [name for name in self.names if self.dtype(name) is not None]
                self._check_total(names, files)
            return {name: self._read(name, self._entries[name], files) for name in names}

    def _check_total(self, names: list[str], files: _Files) -> None:
        """Notice entries that share their bytes, of which few could fill the memory."""
        entries = [(repr(name), self._entries[name]) for name in names]
        entries += [(f"a slice, {_text(key)!r},", entry) for key, entry in self._slices.items()]
        held = {
            path: size for path, _, size in (files.located(*each, self._path) for each in entries)
        }
        for name, entry in entries:
            if not entry.slices:
                self._checked_dtype(name, entry)
        total = sum(entry.size for _, entry in entries)
        if total > sum(held.values()):
            raise damaged(
                self._path,
                f"it speaks of {total} bytes of data, and there are {sum(held.values())} of them",
            )

    def _read(self, name: str, entry: Entry, files: _Files) -> np.ndarray:
        if entry.slices:
            return self._assemble(name, entry, files)
        return self._array(repr(name), entry, files)

    def _array(self, name: str, entry: Entry, files: _Files) -> np.ndarray:
        """Return an array whose checksum is right."""
        dtype = self._checked_dtype(name, entry)
        path, raw = files.read(name, entry, self._path)
        try:
            if dtype is dtypes.string:
                return _strings(raw, math.prod(entry.shape), entry.checksum).reshape(entry.shape)
            if masked_crc32c(raw.data) != entry.checksum:
                raise DecodeError("it has the wrong checksum")
            if dtype is dtypes.bool_:
                return (raw != 0).reshape(entry.shape)
            kind = np.dtype(dtype.as_numpy_dtype)
            array = raw.view(kind.newbyteorder("<")).astype(kind, copy=False)
            return array.reshape(entry.shape)
        except ValueError as error:
            raise damaged(path, f"{name} at offset {entry.offset}: {error}") from error

    def _checked_dtype(self, name: str, entry: Entry) -> dtypes.DType:
        """Return the dtype of a tensor whose size fits its shape."""
        dtype = BY_NUMBER.get(entry.dtype)
        if dtype is None:
            raise UnimplementedError(
                f"{name} of {self._prefix} has the dtype number {entry.dtype}: an object that only "
                "TensorFlow can read. All other keys can be read."
            )
        size = math.prod(entry.shape) * np.dtype(dtype.as_numpy_dtype).itemsize
        if dtype is not dtypes.string and size != entry.size:
            raise damaged(
                self._path,
                f"{name} of {dtype.name} with shape {list(entry.shape)} does not take "
                f"{entry.size} bytes",
            )
        return dtype

    # --- slices --------------------------------------------------------------------------------

    def _assemble(self, name: str, entry: Entry, files: _Files) -> np.ndarray:
        """Return a tensor that was saved in slices."""
        key = name.encode(errors="surrogateescape")
        boxes, parts = [], []
        for extents in entry.slices:
            box = self._box(name, entry, extents)
            part = self._slices.get(slice_key(key, extents))
            if part is None:
                raise damaged(self._path, f"a slice of {name!r} is missing: {list(extents)}")
            if part.dtype != entry.dtype or part.shape != tuple(end - at for at, end in box):
                raise damaged(self._path, f"a slice of {name!r} has another dtype or shape")
            boxes.append(box)
            parts.append(part)
        covered = sum(math.prod(part.shape) for part in parts)
        if covered != math.prod(entry.shape) or _overlap(boxes):
            raise damaged(self._path, f"the slices of {name!r} are not the whole of it")
        arrays = [self._array(f"a slice of {name!r}", part, files) for part in parts]
        whole = np.empty(entry.shape, arrays[0].dtype)
        for box, array in zip(boxes, arrays, strict=True):
            whole[tuple(slice(at, end) for at, end in box)] = array
        return whole

    def _box(self, name: str, entry: Entry, extents: Slice) -> list[tuple[int, int]]:
        """Return begin and end of each axis of a slice."""
        if len(extents) != len(entry.shape):
            raise damaged(
                self._path, f"a slice of {name!r} has {len(extents)} axes, not {len(entry.shape)}"
            )
        box = [
            (0, size) if length == WHOLE_AXIS else (start, start + length)
            for (start, length), size in zip(extents, entry.shape, strict=True)
        ]
        sides = zip(box, entry.shape, strict=True)
        if not all(0 <= at <= end <= size for (at, end), size in sides):
            raise damaged(
                self._path, f"a slice of {name!r} lies outside of its shape {list(entry.shape)}"
            )
        return box


def _overlap(boxes: list[list[tuple[int, int]]]) -> bool:
    """Return whether two of the slices have an element in common."""
    array = np.array(boxes, np.int64).reshape(len(boxes), -1, 2)
    array = array[(array[..., 0] < array[..., 1]).all(1)]
    begins, ends = array[..., 0], array[..., 1]
    return any(
        ((begins[:index] < ends[index]) & (begins[index] < ends[:index])).all(1).any()
        for index in range(1, len(array))
    )


class _Files:
    """The shards that have been opened."""

    def __init__(self, prefix: str, shards: int, stack: ExitStack) -> None:
        self._prefix, self._shards, self._stack = prefix, shards, stack
        self._open: dict[int, tuple[str, io.FileIO, int]] = {}

    def located(self, name: str, entry: Entry, index: str) -> tuple[str, io.FileIO, int]:
        """Return the path of the shard that holds a tensor's bytes, its file and its size."""
        if not 0 <= entry.shard < self._shards:
            raise damaged(index, f"{name} is in shard {entry.shard} of {self._shards}")
        if entry.shard not in self._open:
            self._open[entry.shard] = self._opened(entry.shard)
        path, file, held = self._open[entry.shard]
        if entry.offset < 0 or entry.size < 0 or entry.offset + entry.size > held:
            raise damaged(
                path, f"{name} has {entry.size} bytes at offset {entry.offset}, and it has {held}"
            )
        return path, file, held

    def read(self, name: str, entry: Entry, index: str) -> tuple[str, np.ndarray]:
        """Return the path of a tensor's shard, and the tensor's bytes."""
        path, file, _ = self.located(name, entry, index)
        raw = np.empty(entry.size, np.uint8)
        file.seek(entry.offset)
        done = 0
        while done < entry.size:  # the system reads 2 GB at a time
            count = file.readinto(raw[done:].data)
            if not count:
                raise damaged(path, f"it ended while {name} at offset {entry.offset} was read")
            done += count
        return path, raw

    def _opened(self, shard: int) -> tuple[str, io.FileIO, int]:
        path = shard_path(self._prefix, shard, self._shards)
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise damaged(path, "it is no file")
            file = self._stack.enter_context(io.FileIO(path))
        except FileNotFoundError:
            raise NotFoundError(
                f"{path} is missing: the checkpoint {self._prefix} has its data in {self._shards} "
                "file(s) of that kind. Copy them together with the index."
            ) from None
        return path, file, os.fstat(file.fileno()).st_size


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _text(key: bytes) -> str:
    return key.decode(errors="surrogateescape")


def _strings(raw: np.ndarray, count: int, checksum: int) -> np.ndarray:
    """Return strings: all lengths, a checksum of them, and all bytes."""
    ends = np.flatnonzero(raw < 0x80)
    if len(ends) < count:
        raise DecodeError(f"{len(raw)} bytes are not {count} strings")
    at = int(ends[count - 1]) + 1 if count else 0
    lengths = protobuf.unpack_integers(raw[:at].data)
    left = len(raw) - at - 4
    if left < 0 or (lengths < 0).any() or (lengths > left).any() or lengths.sum() != left:
        raise DecodeError(f"the strings do not take the {max(left, 0)} bytes that are there")
    # Checksums are of lengths of fixed size.
    plain = io.BytesIO()
    plain.write(encode_lengths(lengths.tolist()))
    plain.write(raw[at:].data)
    summed = plain.getbuffer()
    begin = len(summed) - left - 4
    if int.from_bytes(raw[at : at + 4].tobytes(), "little") != masked_crc32c(summed[:begin]):
        raise DecodeError("the lengths of the strings have the wrong checksum")
    if masked_crc32c(summed) != checksum:
        raise DecodeError("it has the wrong checksum")
    data = raw[at + 4 :].tobytes()
    strings = np.empty(count, object)
    begin = 0
    for index, length in enumerate(lengths.tolist()):
        strings[index] = data[begin : begin + length]
        begin += length
    return strings


def encode_lengths(lengths: list[int]) -> bytes:
    """Return lengths as checksums see them: 32 bits each, or 64 where they need them."""
    return b"".join(struct.pack("<I" if size < 1 << 32 else "<Q", size) for size in lengths)
