"""CRC-32C (Castagnoli), the checksum of record files; native, or else with NumPy."""

from __future__ import annotations

from functools import cache

import numpy as np

from gradtape.backends.native.extension import extension

_POLYNOMIAL = 0x82F63B78
_ALL_ONES = 0xFFFFFFFF
_MASK_DELTA = 0xA282EAD8
# Longer data is cut into lanes of this many bytes, which NumPy treats side by side.
_LANE = 1024
_FEW_LANES = 4


@cache
def _table() -> np.ndarray:
    """Return the effect of each byte value on an empty register."""
    values = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        values = (values >> 1) ^ np.where(values & 1, np.uint32(_POLYNOMIAL), np.uint32(0))
    return values


@cache
def _lane_tables() -> list[list[int]]:
    """Return the effect of a lane of zeros on a register, by each of the register's four bytes."""
    table = _table()
    tables = []
    for byte in range(4):
        register = np.arange(256, dtype=np.uint32) << np.uint32(8 * byte)
        for _ in range(_LANE):
            register = table[register & 0xFF] ^ (register >> 8)
        tables.append(register.tolist())
    return tables


@cache
def _single_table() -> list[int]:
    return _table().tolist()


def crc32c_with_numpy(data: bytes | memoryview) -> int:
    """Return the CRC-32C of the data."""
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


crc32c = crc32c_with_numpy if extension is None else extension.crc32c


def masked_crc32c(data: bytes | memoryview) -> int:
    """Return the checksum as files store it: turned, and with a constant added."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & _ALL_ONES
