"""`tf.io`: files, raw bytes and base 64; and `tf.io.gfile` for the local file system."""

from __future__ import annotations

import base64
import glob as python_glob
import os
import shutil
import stat as python_stat
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.backends.constants import MAX_BYTES
from gradtape.core.convert import to_tensor_hinted
from gradtape.core.dtypes import as_dtype, string
from gradtape.core.errors import (
    AlreadyExistsError,
    DataLossError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    PermissionDeniedError,
)
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.graph.control.effects import on_each_call
from gradtape.graph.tracing import Obstacle


def path_of(name: Any) -> str:
    """Return a path given as text, bytes, a path object or a string tensor."""
    if isinstance(name, Tensor):
        name = name.numpy()
    path = os.fspath(name)
    path = path.decode() if isinstance(path, bytes) else path
    if "://" in path and not path.startswith("file://"):
        raise NotFoundError(
            f"{path}: only the local file system is known here, not {path.split('://')[0]}://"
        )
    return path.removeprefix("file://")


class translated:
    """The operating system's errors become those of `tf.errors`."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind, error, traceback) -> None:
        if isinstance(error, FileNotFoundError):
            raise NotFoundError(f"{self._path}; No such file or directory") from None
        if isinstance(error, FileExistsError):
            raise AlreadyExistsError(f"{self._path}; File exists") from None
        if isinstance(error, PermissionError):
            raise PermissionDeniedError(f"{self._path}; Permission denied") from None
        if isinstance(error, OSError):
            raise FailedPreconditionError(f"{self._path}; {error.strerror}") from None


def _bytes(values) -> np.ndarray:
    tensor = to_tensor_hinted(values, string)
    if tensor.dtype.name != "string":
        raise InvalidArgumentError(f"a string tensor is needed, got dtype {tensor.dtype.name}")
    return np.asarray(tensor.numpy(), object)


def _each(function, array: np.ndarray) -> Tensor:
    result = np.empty(array.shape, object)
    result.reshape(-1)[:] = [function(item) for item in array.reshape(-1)]
    return Tensor(result)


# --- files and bytes -----------------------------------------------------------------------------


@export("io.read_file")
def read_file(filename, name=None) -> Tensor:
    """Return the bytes of a file, as a string."""
    trace = get_state().trace
    if trace is not None:
        trace.fail("tf.io.read_file reads the file on each call", Obstacle.OTHER)
    path = path_of(filename)
    with translated(path), open(path, "rb") as file:
        return Tensor(np.array(file.read(), object))


@export("io.write_file")
@on_each_call
def write_file(filename, contents, name=None) -> None:
    """Write a string to a file; its folder is made, if need be."""
    path = path_of(filename)
    content = _bytes(contents)
    if content.ndim:
        raise ops.ShapeError(f"write_file: contents must be a scalar, got shape {content.shape}")
    with translated(path):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(bytes(content[()]))


@export("io.matching_files")
def matching_files(pattern, name=None) -> Tensor:
    """Return the files that match a pattern, or one of several, sorted."""
    patterns = [p.decode() for p in _bytes(pattern).reshape(-1)]
    paths = sorted({f for p in patterns for f in python_glob.glob(path_of(p))})
    return Tensor(np.array([f.encode() for f in paths], object))


@export("io.match_filenames_once")
def match_filenames_once(pattern, name=None) -> Variable:
    """Return a variable with the files that match a pattern now."""
    return Variable(matching_files(pattern), trainable=False, name=name)


@export("io.decode_raw")
def decode_raw(input_bytes, out_type, little_endian=True, fixed_length=None, name=None) -> Tensor:
    """Return the numbers that strings of bytes hold, along a new last axis."""
    dtype = as_dtype(out_type)
    kind = np.dtype(dtype.as_numpy_dtype)
    array = _bytes(input_bytes)
    rows = []
    if fixed_length is not None and not 0 <= fixed_length < MAX_BYTES:
        raise ValueError(f"decode_raw: fixed_length must be a size in bytes, got {fixed_length}.")
    for item in array.reshape(-1):
        if fixed_length is not None:
            item = item[:fixed_length].ljust(fixed_length, b"\0")
        if len(item) % kind.itemsize:
            raise InvalidArgumentError(
                f"decode_raw: input has {len(item)} bytes, which is no multiple of the "
                f"{kind.itemsize} bytes of {dtype.name}"
            )
        rows.append(np.frombuffer(item, kind))
    if len({len(row) for row in rows}) > 1:
        raise InvalidArgumentError(
            "decode_raw requires input strings to all be the same size, or a fixed_length"
        )
    values = np.stack(rows) if rows else np.zeros((0, 0), kind)
    if not little_endian and kind.itemsize > 1:
        values = values.byteswap()
    return Tensor(values.reshape(*array.shape, values.shape[-1]).astype(kind))


@export("io.encode_base64")
def encode_base64(input, pad=False, name=None) -> Tensor:
    """Encode strings in web-safe base 64."""
    encode = base64.urlsafe_b64encode
    return _each(lambda b: encode(b) if pad else encode(b).rstrip(b"="), _bytes(input))


@export("io.decode_base64")
def decode_base64(input, name=None) -> Tensor:
    """Decode strings from web-safe base 64, padded or not."""

    def decode(text: bytes) -> bytes:
        try:
            return base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))
        except ValueError as error:
            raise InvalidArgumentError(f"decode_base64: {error}") from None

    return _each(decode, _bytes(input))


@export("io.decode_compressed")
def decode_compressed(bytes, compression_type="", name=None) -> Tensor:
    """Decompress strings from ZLIB or GZIP."""
    kinds = {"": None, "ZLIB": zlib.MAX_WBITS, "GZIP": 16 + zlib.MAX_WBITS}
    if compression_type not in kinds:
        raise InvalidArgumentError(
            "decode_compressed: only ZLIB, GZIP or none supported compressions, not "
            f"{compression_type!r}"
        )
    width = kinds[compression_type]

    def unpack(item):
        try:
            return item if width is None else zlib.decompress(item, width)
        except zlib.error as error:
            raise DataLossError(f"decode_compressed: {error}") from None

    return _each(unpack, _bytes(bytes))


# --- gfile ---------------------------------------------------------------------------------------


@export("io.gfile.GFile")
class GFile:
    """A file of the local file system: Python's own, with TensorFlow's errors."""

    def __init__(self, name, mode="r", encoding="utf-8") -> None:
        self._path, self._mode = path_of(name), mode
        known = None if "b" in mode else encoding
        with translated(self._path):
            self._file = open(self._path, mode, encoding=known)  # noqa: SIM115 (closed by close)

    @property
    def name(self) -> str:
        return self._path

    @property
    def mode(self) -> str:
        return self._mode

    def size(self) -> int:
        """Return the number of bytes."""
        return os.path.getsize(self._path)

    def read(self, n=-1):
        """Return the rest of the file, or n characters of it."""
        return self._file.read(n)

    def __getattr__(self, name: str):
        if name == "_file":
            raise AttributeError(name)
        return getattr(self._file, name)

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *exception) -> None:
        self._file.close()

    def __iter__(self):
        return iter(self._file)

    def __next__(self):
        return next(self._file)


@export("io.gfile.exists")
def exists(path) -> bool:
    """Return whether a file or folder exists."""
    return os.path.exists(path_of(path))


@export("io.gfile.isdir")
def isdir(path) -> bool:
    """Return whether a folder exists."""
    return os.path.isdir(path_of(path))


@export("io.gfile.glob")
def glob(pattern) -> list[str]:
    """Return the files that match a pattern, or one of several, sorted."""
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    return sorted({f for p in patterns for f in python_glob.glob(path_of(p))})


@export("io.gfile.listdir")
def listdir(path) -> list[str]:
    """Return the names in a folder."""
    path = path_of(path)
    with translated(path):
        return os.listdir(path)


@export("io.gfile.makedirs")
def makedirs(path) -> None:
    """Make a folder and those above it; no error if it exists."""
    path = path_of(path)
    with translated(path):
        os.makedirs(path, exist_ok=True)


@export("io.gfile.mkdir")
def mkdir(path) -> None:
    """Make a folder."""
    path = path_of(path)
    with translated(path):
        os.mkdir(path)


@export("io.gfile.remove")
def remove(path) -> None:
    """Delete a file."""
    path = path_of(path)
    with translated(path):
        os.remove(path)


@export("io.gfile.rmtree")
def rmtree(path) -> None:
    """Delete a folder and all that is in it."""
    path = path_of(path)
    with translated(path):
        shutil.rmtree(path)


def _source_and_target(src, dst, overwrite: bool) -> tuple[str, str]:
    source, target = path_of(src), path_of(dst)
    if not overwrite and os.path.exists(target):
        raise AlreadyExistsError(f"{target}; file already exists")
    return source, target


@export("io.gfile.rename")
def rename(src, dst, overwrite=False) -> None:
    """Rename a file."""
    source, target = _source_and_target(src, dst, overwrite)
    with translated(source):
        os.replace(source, target)


@export("io.gfile.copy")
def copy(src, dst, overwrite=False) -> None:
    """Copy a file."""
    source, target = _source_and_target(src, dst, overwrite)
    with translated(source):
        shutil.copyfile(source, target)


@export("io.gfile.join")
def join(path, *paths) -> str:
    """Return parts of a path, joined."""
    return os.path.join(path_of(path), *map(path_of, paths))


@export("io.gfile.walk")
def walk(top, topdown=True, onerror=None) -> Iterator[tuple[str, list[str], list[str]]]:
    """Return (folder, its folders, its files) for each folder below one."""
    return os.walk(path_of(top), topdown, onerror)


class FileStatistics:
    """The result of `stat`: length in bytes, modification time in nanoseconds, file or folder."""

    def __init__(self, length: int, mtime_nsec: int, is_directory: bool) -> None:
        self.length, self.mtime_nsec, self.is_directory = length, mtime_nsec, is_directory


@export("io.gfile.stat")
def stat(path) -> FileStatistics:
    """Return the size and the time of change of a file."""
    path = path_of(path)
    with translated(path):
        status = os.stat(path)
    return FileStatistics(status.st_size, status.st_mtime_ns, python_stat.S_ISDIR(status.st_mode))


@export("io.gfile.get_registered_schemes")
def get_registered_schemes() -> list[str]:
    """Return the file systems that are known: the local one."""
    return ["", "file"]
