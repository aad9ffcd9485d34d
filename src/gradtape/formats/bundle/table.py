"""Sorted tables of keys and values in one file, as LevelDB's: TensorFlow's index of a checkpoint.

    data blocks · an empty block · index block · footer

A block is a list of entries (shared, unshared, size, the unshared bytes of the key, value), in
which a key begins with the `shared` first bytes of the one before; then the places where nothing
is shared, and their number. After each block stand its kind and a checksum. The index block has
an entry for each data block: a key that is not before its last one, and where it stands. The
footer says where the index block stands.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from gradtape.core.errors import DataLossError
from gradtape.formats.crc32c import masked_crc32c
from gradtape.formats.errors import DecodeError
from gradtape.formats.protobuf import read_varint, varint
from gradtape.formats.snappy import decompress

_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)
_FOOTER, _TRAILER = 48, 5
_SNAPPY = 1  # the kind of a compressed block; those of TensorFlow itself are not
_BLOCK_BYTES = 262_144
_ENTRIES_BETWEEN_RESTARTS = 16
# Keys that share their beginning take more memory than they take in the file, up to this.
_KEY_BYTES, _KEY_BYTES_PER_BYTE = 1 << 20, 32


def damaged(path: str, reason: str) -> Exception:
    """Return the error for a file that is not what was written."""
    return DataLossError(
        f"{path} is damaged or incomplete: {reason}. Nothing was restored; use another copy or an "
        "earlier checkpoint."
    )


# --- reading -------------------------------------------------------------------------------------


def read_table(data: bytes, path: str) -> dict[bytes, memoryview]:
    """Return the values by key, in order."""
    view = memoryview(data)
    if len(view) < _FOOTER or view[-8:] != _MAGIC:
        raise damaged(
            path, f"its {len(view)} bytes do not end as a table does, so it is cut off or no index"
        )
    try:
        _, at = _handle(view[-_FOOTER:], 0)
        (offset, size), _ = _handle(view[-_FOOTER:], at)
        return _read_blocks(view, _block(view, offset, size, path), path)
    except DecodeError as error:
        raise damaged(path, str(error)) from error


def _read_blocks(view: memoryview, index: memoryview, path: str) -> dict[bytes, memoryview]:
    values: dict[bytes, memoryview] = {}
    last, total = None, 0
    most = _KEY_BYTES + _KEY_BYTES_PER_BYTE * len(view)
    for limit, value in _entries(index):
        (offset, size), _ = _handle(value, 0)
        for key, content in _entries(_block(view, offset, size, path)):
            if (last is not None and key <= last) or key > limit:
                raise damaged(path, f"the key {key!r} at offset {offset} is not in order")
            total += len(key)
            if total > most:
                raise damaged(path, f"its keys take more than {most} bytes")
            last = key
            values[key] = content
    return values


def _handle(view: memoryview, at: int) -> tuple[tuple[int, int], int]:
    offset, at = read_varint(view, at)
    size, at = read_varint(view, at)
    return (offset, size), at


def _block(view: memoryview, offset: int, size: int, path: str) -> memoryview:
    """Return the content of a block whose checksum is right."""
    end = offset + size
    if end + _TRAILER > len(view) - _FOOTER:
        raise damaged(
            path, f"a block of {size} bytes at offset {offset} reaches beyond its {len(view)} bytes"
        )
    kind, checksum = struct.unpack("<BI", view[end : end + _TRAILER])
    if masked_crc32c(view[offset : end + 1]) != checksum:
        raise damaged(path, f"the block at offset {offset} has the wrong checksum")
    if kind == _SNAPPY:
        return memoryview(decompress(view[offset:end]))
    if kind:
        raise damaged(path, f"the block at offset {offset} is compressed in an unknown way: {kind}")
    return view[offset:end]


def _entries(block: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    restarts = struct.unpack("<I", block[-4:])[0] if len(block) >= 4 else 0
    end = len(block) - 4 * (restarts + 1)
    if end < 0:
        raise DecodeError(f"a block of {len(block)} bytes has {restarts} restarts")
    at, key = 0, b""
    while at < end:
        shared, at = read_varint(block, at)
        unshared, at = read_varint(block, at)
        size, at = read_varint(block, at)
        if shared > len(key) or unshared + size > end - at:
            raise DecodeError(
                f"an entry shares {shared} bytes with a key of {len(key)}, and has {unshared} + "
                f"{size} bytes where {end - at} are left"
            )
        key = key[:shared] + bytes(block[at : at + unshared])
        at += unshared
        yield key, block[at : at + size]
        at += size


# --- writing -------------------------------------------------------------------------------------


class _Block:
    """The entries of a block, as they are added."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._restarts: list[int] = []
        self._count = 0
        self.last = b""

    def __len__(self) -> int:
        return len(self._bytes)

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self._count % _ENTRIES_BETWEEN_RESTARTS:
            most = min(len(key), len(self.last))
            while shared < most and key[shared] == self.last[shared]:
                shared += 1
        else:
            self._restarts.append(len(self._bytes))
        self._bytes += varint(shared) + varint(len(key) - shared) + varint(len(value))
        self._bytes += key[shared:] + value
        self._count += 1
        self.last = key

    def encode(self) -> bytes:
        """Return the block with its kind (not compressed) and checksum."""
        restarts = self._restarts or [0]
        self._bytes += struct.pack(f"<{len(restarts) + 1}I", *restarts, len(restarts)) + b"\0"
        return bytes(self._bytes) + struct.pack("<I", masked_crc32c(bytes(self._bytes)))


def encode_table(values: dict[bytes, bytes]) -> bytes:
    """Return a table of values by key."""
    out = bytearray()

    def write(block: _Block) -> bytes:
        content = block.encode()
        handle = varint(len(out)) + varint(len(content) - _TRAILER)
        out.extend(content)
        return handle

    index, block = _Block(), _Block()
    for key in sorted(values):
        if len(block) >= _BLOCK_BYTES:
            index.add(block.last, write(block))
            block = _Block()
        block.add(key, values[key])
    index.add(block.last, write(block))
    footer = write(_Block()) + write(index)
    return bytes(out) + footer.ljust(_FOOTER - len(_MAGIC), b"\0") + _MAGIC
