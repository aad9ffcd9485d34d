"""What datasets of files share: the names of the files, and how these are opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from gradtape import ops
from gradtape.api.io.files import path_of, translated
from gradtape.api.specs import TensorSpec
from gradtape.core.convert import to_tensor_hinted
from gradtape.core.dtypes import string
from gradtape.core.tensor import Tensor
from gradtape.data.arguments import integer
from gradtape.data.dataset import Dataset
from gradtape.data.nodes import (
    UNKNOWN,
    Failure,
    PipelineNode,
    UnaryNode,
    as_object,
    chained,
    raised,
    without_first,
)
from gradtape.data.sources import Slices
from gradtape.data.transforms import Interleave
from gradtape.formats.compression import open_file


def names_node(filenames) -> PipelineNode:
    """Return the names of files (a string, several, or a dataset of them) as elements."""
    if isinstance(filenames, Dataset):
        node, dtype = filenames._node, getattr(filenames.element_spec, "dtype", None)
    else:
        paths = filenames if isinstance(filenames, (list, tuple)) else [filenames]
        names = [path if ops.is_tensor_like(path) else _text(path) for path in paths]
        tensor = to_tensor_hinted(names[0] if len(names) == 1 else names, string)
        node, dtype = None, tensor.dtype
        if dtype is string:
            node = Slices(Tensor(np.asarray(tensor._data).reshape(-1)))
    if dtype is not string or node is None:
        kind = getattr(dtype, "name", dtype)
        raise TypeError(
            f"The `filenames` argument must contain `tf.string` elements. Got `{kind}` elements."
        )
    return node


def _text(path):
    return path_of(path) if hasattr(path, "__fspath__") else path


def open_translated(name: str, compression: str, buffer_size: int | None = None) -> BinaryIO:
    """Return a file open for reading; the errors are those of `tf.errors`."""
    path = path_of(name)
    with translated(path):
        return open_file(path, compression, buffer_size)


class FileSource(UnaryNode):
    """Strings from files, one file after the other; subclasses say how a file is read."""

    def __init__(self, names: PipelineNode, compression, buffer_size=None) -> None:
        super().__init__(names)
        self.compression = compression or ""
        self.buffer_size = None if buffer_size is None else integer(buffer_size, "buffer_size")

    def read(self, file: BinaryIO, name: str) -> Iterator[bytes]:
        """Yield the strings of an open file."""
        raise NotImplementedError

    def stream(self, skip=0, rows=False):
        # A damaged file is over; those after it are read nevertheless.
        strings = chained(map(self._strings_in, self.source.stream()))
        return map(_as_tensor, without_first(strings, skip) if skip else strings)

    def _strings_in(self, element: Tensor) -> Iterator[bytes]:
        name = element._host_data().item().decode()
        with open_translated(name, self.compression, self.buffer_size) as file:
            yield from self.read(file, name)

    def cardinality(self):
        return UNKNOWN

    def spec(self):
        return TensorSpec((), string)


def _as_tensor(value: Any) -> Tensor:
    if type(value) is Failure:
        value = raised(value)
    return Tensor(as_object(value))


def read_files(filenames, reads, source: type[FileSource], *options) -> PipelineNode:
    """Return the strings of files, of which `reads` are open at once; None: one after the other."""
    names = names_node(filenames)
    whole = source(names, *options)
    if reads is None:
        return whole
    count = integer(reads, "num_parallel_reads")

    def of_one(name):
        return Dataset(source(names_node(name), *options))

    node = Interleave(names, of_one, count, 1, parallel=True)
    node.name = whole.name
    return node
