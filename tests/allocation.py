"""How much memory a call asks for: in place of timings, whether it copies a table."""

import _thread
import tracemalloc

import pytest

from gradtape.core.native import extension


def peak_of(call) -> int:
    """The most bytes that a call has asked for at once."""
    if extension is None and _thread._count():
        pytest.skip("without the extension, arrays are copied while other threads are alive")
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
