"""Files that may be compressed with GZIP or ZLIB, read a piece at a time."""

from __future__ import annotations

import io
import os
import zlib
from typing import BinaryIO

from gradtape.core.errors import DataLossError, InvalidArgumentError

COMPRESSIONS = ("", "GZIP", "ZLIB")
_WINDOW = {"GZIP": 16 + zlib.MAX_WBITS, "ZLIB": zlib.MAX_WBITS}
_PIECE = 64 * 1024
# DEFLATE makes at most this many bytes of one.
_LARGEST_RATIO = 1032


def check_compression(name: str) -> str:
    """Return the name of a compression, which must be a known one."""
    if name not in COMPRESSIONS:
        raise InvalidArgumentError(
            f"Unsupported compression_type: {name}. Use '', 'GZIP' or 'ZLIB'."
        )
    return name


def open_file(path: str, compression: str, buffer_size: int | None = None) -> BinaryIO:
    """Return a file open for reading; what is read from it is not compressed."""
    size = max(buffer_size or 0, _PIECE)
    if not check_compression(compression):
        return open(path, "rb", buffering=size)
    return io.BufferedReader(Inflated(open(path, "rb"), path, compression), size)


def read_file(path: str, compression: str) -> bytes:
    """Return the contents of a file."""
    with open_file(path, compression) as file:
        return file.read()


def most_bytes_left(file: BinaryIO) -> int:
    """Return a bound on the number of bytes that can still be read."""
    raw = getattr(file, "raw", None)
    try:
        if isinstance(raw, Inflated):
            return raw.most_bytes_left() + _PIECE
        return os.fstat(file.fileno()).st_size - file.tell()
    except (AttributeError, io.UnsupportedOperation):  # no file of the system's, but in memory
        position = file.tell()
        end = file.seek(0, io.SEEK_END)
        file.seek(position)
        return end - position


class Inflated(io.RawIOBase):
    """The contents of a compressed file: one stream, or several after each other."""

    def __init__(self, file: BinaryIO, name: str, compression: str) -> None:
        self._file, self._name, self._window = file, name, _WINDOW[compression]
        self._stream = zlib.decompressobj(self._window)
        self._waiting = b""
        self._begun = False  # the present stream has been given bytes

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def most_bytes_left(self) -> int:
        """Return a bound on what the rest of the file can become."""
        packed = os.fstat(self._file.fileno()).st_size - self._file.tell() + len(self._waiting)
        return (packed + _PIECE) * _LARGEST_RATIO

    def readinto(self, buffer) -> int:
        while True:
            if self._stream.eof:  # another stream may follow
                self._waiting = self._stream.unused_data
                self._stream, self._begun = zlib.decompressobj(self._window), False
            if not self._waiting:
                self._waiting = self._file.read(_PIECE)
            at_end = not self._waiting
            if at_end and not self._begun:
                return 0
            self._begun = True
            try:
                data = self._stream.decompress(self._waiting, len(buffer))
            except zlib.error as error:
                raise DataLossError(f"{self._name}: inflate() failed: {error}") from None
            self._waiting = self._stream.unconsumed_tail
            if data:
                buffer[: len(data)] = data
                return len(data)
            if at_end and not self._stream.eof:
                raise DataLossError(f"{self._name}: the compressed data ends too early")
