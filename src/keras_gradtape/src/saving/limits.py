"""How much a file of Keras's may unpack to, if it packs it more than a hundredfold.

Keras refuses what claims four gigabytes: a file of some megabytes could still fill the memory. What
Keras writes is not compressed, so that a lower limit refuses nothing of it.
"""

from __future__ import annotations

from types import ModuleType

_LIMITS = (
    "_ZIP_MEMBER_BOMB_FLOOR_BYTES",
    "_ZIP_EXTRACT_BOMB_FLOOR_BYTES",
    "_NPZ_MEMBER_BOMB_FLOOR_BYTES",
    "_H5_DATASET_BOMB_FLOOR_BYTES",
)
MAX_UNPACKED = 64 << 20


def install(module: ModuleType) -> None:
    """Lower the limits of Keras's module that reads models; versions differ in which it has."""
    for name in _LIMITS:
        if name in vars(module):
            setattr(module, name, min(getattr(module, name), MAX_UNPACKED))
