"""Writing a checkpoint that TensorFlow reads, so that at every moment the old or the new is there.

The index is the last file to be written, and says how many shards there are. A checkpoint that
takes the place of another one has another number of shards, so that its data lies in other files
until the new index is there.
"""

from __future__ import annotations

import glob
import os
import re
import struct

import numpy as np

from gradtape.core.dtypes import from_numpy
from gradtape.core.errors import DataLossError
from gradtape.formats.atomic import replacing, write_whole
from gradtape.formats.bundle.entries import Entry, encode_entry, encode_header
from gradtape.formats.bundle.reader import encode_lengths, index_path, shard_count, shard_path
from gradtape.formats.bundle.table import encode_table, read_table
from gradtape.formats.crc32c import masked_crc32c
from gradtape.formats.protobuf import varint

_SHARD = re.compile(r"\.data-\d{5}-of-\d{5}")


def shard_paths(prefix: str) -> list[str]:
    """Return the data files of a checkpoint that are there."""
    paths = glob.glob(f"{glob.escape(prefix)}.data-*")
    return sorted(path for path in paths if _SHARD.fullmatch(path[len(prefix) :]))


def write(prefix: str, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays by name."""
    shards = 2 if _shards_in_use(prefix) == 1 else 1
    table = {b"": encode_header(shards)}
    with replacing(shard_path(prefix, 0, shards)) as partial, open(partial, "wb") as file:
        offset = 0
        for name in sorted(arrays, key=str.encode):
            array = np.asarray(arrays[name])
            raw, checksum = encode_array(array)
            file.write(raw)
            number = from_numpy(array.dtype).as_datatype_enum
            entry = Entry(number, array.shape, 0, offset, len(raw), checksum, ())
            table[name.encode()] = encode_entry(entry)
            offset += len(raw)
    for shard in range(1, shards):
        write_whole(shard_path(prefix, shard, shards), [])
    write_whole(index_path(prefix), [encode_table(table)])
    current = {shard_path(prefix, shard, shards) for shard in range(shards)}
    for old in set(shard_paths(prefix)) - current:
        os.remove(old)


def _shards_in_use(prefix: str) -> int:
    """Return the number of shards of the checkpoint that is there, 0 if there is none."""
    path = index_path(prefix)
    try:
        with open(path, "rb") as file:
            return shard_count(path, read_table(file.read(), path))
    except (FileNotFoundError, DataLossError):
        return 0


def encode_array(array: np.ndarray) -> tuple[memoryview | bytes, int]:
    """Return the bytes of an array, and their checksum."""
    if array.dtype != object:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        raw = np.ascontiguousarray(little).reshape(-1).view(np.uint8).data
        return raw, masked_crc32c(raw)
    strings = [bytes(item) for item in array.reshape(-1)]
    sizes = [len(item) for item in strings]
    lengths, content = encode_lengths(sizes), b"".join(strings)
    lengths_sum = struct.pack("<I", masked_crc32c(lengths))
    checksum = masked_crc32c(lengths + lengths_sum + content)
    return b"".join(map(varint, sizes)) + lengths_sum + content, checksum
