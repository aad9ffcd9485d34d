"""Record files: pieces of bytes one after the other, each with its length and checksums.

This is the framing of TFRecord files, which TensorBoard's event files are: length, checksum of the
length, data, checksum of the data. The checksum is CRC-32C (Castagnoli), turned and shifted.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import cache
from typing import BinaryIO

import numpy as np

from gradtape.core.errors import DataLossError

_POLYNOMIAL = 0x82F63B78
_ALL_ONES = 0xFFFFFFFF
_MASK_DELTA = 0xA282EAD8
# Longer data is cut into lanes of this many bytes, which NumPy treats side by side.
_LANE = 1024
_FEW_LANES = 4


@cache
def _table() -> np.ndarray:
    """The effect of each byte value on an empty register."""
    values = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        values = (values >> 1) ^ np.where(values & 1, np.uint32(_POLYNOMIAL), np.uint32(0))
    return values


@cache
def _lane_tables() -> list[list[int]]:
    """The effect of a lane of zeros on a register, by each of the register's four bytes."""
    table = _table()
    tables = []
    for byte in range(4):
        register = np.arange(256, dtype=np.uint32) << np.uint32(8 * byte)
        for _ in range(_LANE):
            register = table[register & 0xFF] ^ (register >> 8)
        tables.append(register.tolist())
    return tables


def crc32c(data: bytes) -> int:
    """CRC-32C of the data."""
    lanes = len(data) // _LANE
    register = _ALL_ONES
    done = 0
    if lanes >= _FEW_LANES:
        done = lanes * _LANE
        columns = np.frombuffer(data, np.uint8, done).reshape(lanes, _LANE).T
        table = _table()
        registers = np.zeros(lanes, np.uint32)
        for column in columns:
            registers = table[(registers & 0xFF) ^ column] ^ (registers >> 8)
        zero, one, two, three = _lane_tables()
        for lane in registers.tolist():
            register = (
                zero[register & 0xFF]
                ^ one[(register >> 8) & 0xFF]
                ^ two[(register >> 16) & 0xFF]
                ^ three[register >> 24]
                ^ lane
            )
    single = _single_table()
    for byte in data[done:]:
        register = single[(register ^ byte) & 0xFF] ^ (register >> 8)
    return register ^ _ALL_ONES


@cache
def _single_table() -> list[int]:
    return _table().tolist()


def masked_crc32c(data: bytes) -> int:
    """The checksum as record files store it."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & _ALL_ONES


def framed(data: bytes) -> bytes:
    """One record as it stands in a file."""
    length = struct.pack("<Q", len(data))
    return b"".join(
        [
            length,
            struct.pack("<I", masked_crc32c(length)),
            data,
            struct.pack("<I", masked_crc32c(data)),
        ]
    )


def read_records(file: BinaryIO, name: str) -> Iterator[bytes]:
    """The records of an open file; `name` is for messages."""
    while True:
        start = file.read(12)
        if not start:
            return
        if len(start) == 12:
            length, checksum = struct.unpack("<QI", start)
            if masked_crc32c(start[:8]) == checksum:
                data, end = file.read(length), file.read(4)
                if len(end) == 4 and struct.unpack("<I", end)[0] == masked_crc32c(data):
                    yield data
                    continue
        raise DataLossError(f"{name} is damaged or cut off after byte {file.tell()}.")
