"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable


def write_whole(path: str, pieces: Iterable) -> None:
    """Write a file so that at every moment `path` holds its old content or all of the new.

    The pieces go to a file beside it, which takes its place once it is safe on the disk. A process
    that dies in between leaves that file behind; the next attempt for the same path replaces it.
    """
    directory, name = os.path.split(os.path.abspath(path))
    partial = os.path.join(directory, f".{name}.partial")
    try:
        with open(partial, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        if os.path.exists(partial):
            os.remove(partial)
        raise
    _sync_directory(directory)


def _sync_directory(directory: str) -> None:
    """Make the new name itself survive a loss of power, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
