"""Numbers that nobody gave a seed for: the same in every run, after whichever other tests."""

import random
import secrets
import sys
import zlib

import numpy as np

_bits = random.Random()


def install() -> None:
    """Let gradtape draw from here where there is no seed, and not from the system."""
    secrets.randbits = _bits.getrandbits


def start(test: str) -> None:
    """Begin a test of this name: what others have set and drawn does not matter."""
    for generator in (random, _bits):
        generator.seed(test)
    np.random.seed(zlib.crc32(test.encode()))  # noqa: NPY002 (from which Keras draws)
    if "gradtape" in sys.modules:
        sys.modules["gradtape"].random.set_seed(None)
