"""Record files: pieces of bytes one after the other, each with its length and checksums.

This is the framing of TFRecord files, which TensorBoard's event files are: length, checksum of the
length, data, checksum of the data.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from gradtape.backends.native.extension import extension
from gradtape.core.errors import DataLossError, OpError
from gradtape.formats.compression import most_bytes_left
from gradtape.formats.crc32c import masked_crc32c

_HEADER, _FOOTER = 12, 4
_READ_AT_ONCE = 256 * 1024
_LARGEST_PIECE = 4 * 1024 * 1024
# Why `split_records` stopped; src/native/formats/records.cpp has the same numbers.
_INCOMPLETE, _BAD_LENGTH, _BAD_DATA = 0, 1, 2


def frame_record(data: bytes) -> bytes:
    """Return one record as it stands in a file."""
    length = struct.pack("<Q", len(data))
    return b"".join(
        [
            length,
            struct.pack("<I", masked_crc32c(length)),
            data,
            struct.pack("<I", masked_crc32c(data)),
        ]
    )


def split_in_python(data: bytes) -> tuple[list[bytes], int, int]:
    """Return the whole records at the beginning of the data, their size, and why it stopped."""
    records, at, view = [], 0, memoryview(data)
    while len(data) - at >= _HEADER:
        length, checksum = struct.unpack_from("<QI", data, at)
        if masked_crc32c(view[at : at + 8]) != checksum:
            return records, at, _BAD_LENGTH
        end = at + _HEADER + length
        if end + _FOOTER > len(data):
            break
        record = data[at + _HEADER : end]
        if masked_crc32c(record) != struct.unpack_from("<I", data, end)[0]:
            return records, at, _BAD_DATA
        records.append(record)
        at = end + _FOOTER
    return records, at, _INCOMPLETE


split_records = split_in_python if extension is None else extension.split_records


def read_records(file: BinaryIO, name: str, read_at_once: int = _READ_AT_ONCE) -> Iterator[bytes]:
    """Return the records of an open file; `name` is for messages.

    Where the file is damaged, all records before are yielded first. Nothing is read for a record
    that is longer than what is left of the file.
    """
    return chain.from_iterable(_groups(file, name, read_at_once))


def _groups(file: BinaryIO, name: str, read_at_once: int) -> Iterator[list[bytes]]:
    number = offset = 0
    rest = b""
    wanted = read_at_once
    while True:
        new, problem = _read(file, wanted)
        data = rest + new if rest else new
        records, used, stop = split_records(data)
        if records:
            yield records
        number, offset, rest = number + len(records), offset + used, data[used:]
        if stop != _INCOMPLETE:
            raise _damaged(stop, offset, f"record {number} of {name}")
        if problem is not None:
            raise DataLossError(
                f"truncated record at {offset}: record {number} of {name}: {problem}"
            )
        missing = 0
        if rest:
            length = struct.unpack_from("<Q", rest)[0] if len(rest) >= _HEADER else 0
            missing = _HEADER + length + _FOOTER - len(rest)
            if not new or missing > most_bytes_left(file):
                raise DataLossError(
                    f"truncated record at {offset}: record {number} of {name}: the file ends "
                    f"{missing} bytes before the record, or earlier"
                )
        elif not new:
            return
        wanted = max(read_at_once, missing)


def _read(file: BinaryIO, count: int) -> tuple[bytes, OpError | None]:
    """Return this many bytes or what there is, and why there is no more if the file is damaged.

    They are read in pieces, so that a length that is not true costs no memory.
    """
    pieces: list[bytes] = []
    problem = None
    while count:
        try:
            piece = file.read1(min(count, _LARGEST_PIECE))  # pyright: ignore[reportAttributeAccessIssue] (files that are buffered)
        except DataLossError as error:
            problem = error
            break
        if not piece:
            break
        pieces.append(piece)
        count -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces), problem


def _damaged(stop: int, offset: int, where: str) -> OpError:
    if stop == _BAD_DATA:
        return DataLossError(
            f"corrupted record at {offset}: {where}: its data has another checksum"
        )
    question = " (Is this even a TFRecord file?)" if offset == 0 else ""
    return DataLossError(
        f"corrupted record at {offset}{question}: {where}: its length has another checksum"
    )
