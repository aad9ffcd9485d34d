"""The memory of this process, as the system counts it."""

from __future__ import annotations

from pathlib import Path

_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def _field(name: str) -> int | None:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    sizes = [line.split()[1] for line in lines if line.startswith(name)]
    return int(sizes[0]) * 1024 if sizes else None


def now() -> int | None:
    """Bytes of main memory that the process occupies; None where that is not known."""
    return _field("VmRSS:")


def peak() -> int | None:
    """The most that it occupied since `forget_peak`, or since it began."""
    return _field("VmHWM:")


def forget_peak() -> bool:
    """Let `peak` begin anew; whether that was possible (on Linux it is)."""
    try:
        _FORGET.write_text("5")
    except OSError:
        return False
    return True
