"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
from collections.abc import Generator, Iterable, Sequence


@contextlib.contextmanager
def replacing(path: str) -> Generator[str, None, None]:
    """Yield the path of a file to write, which takes the place of `path` when the block ends.

    At every moment `path` holds its old content or all of the new. The new file is made beside it,
    and is safe on the disk before it takes its place; where the block fails, it goes away. A
    process that dies in between leaves it behind; the next attempt for the same path replaces it.
    """
    path = os.path.realpath(path)  # through links, as a write in place goes
    directory, name = os.path.split(path)
    partial = os.path.join(directory, f".partial.{name}")
    try:
        yield partial
        sync_file(partial)
        if os.path.exists(path):
            shutil.copymode(path, partial)
        os.replace(partial, path)
    except BaseException:
        if os.path.exists(partial):
            os.remove(partial)
        raise
    _sync_directory(directory)


def write_whole(path: str, pieces: Iterable) -> None:
    """Write a file so that at every moment `path` holds its old content or all of the new."""
    with replacing(path) as partial, open(partial, "wb") as file:
        for piece in pieces:
            file.write(piece)


@contextlib.contextmanager
def replacing_folder(path: str, names: Sequence[str]) -> Generator[str, None, None]:
    """Yield the path of a folder to fill with `names`, which takes the place of the folder `path`.

    At every moment `path` is the old folder or all of the new. But a folder that holds more than
    these names, or in which this process works, stays: then each of the names is replaced, whole,
    in their order.
    """
    path = os.path.realpath(path)
    directory, name = os.path.split(path)
    partial = os.path.join(directory, f".partial.{name}")
    _remove_folder(partial)
    try:
        yield partial
        for folder, _, files in os.walk(partial):
            for file in files:
                sync_file(os.path.join(folder, file))
        if not os.path.exists(path):
            os.rename(partial, path)
        elif set(os.listdir(path)) <= set(names) and not os.path.samefile(path, os.getcwd()):
            shutil.copymode(path, partial)
            _exchange(partial, path)
        else:
            for each in names:
                _replace(os.path.join(partial, each), os.path.join(path, each))
    finally:
        _remove_folder(partial)
    _sync_directory(directory)


def _replace(new: str, path: str) -> None:
    """Let a file or folder, if there is one, take the place of another."""
    if os.path.isdir(new) and os.path.exists(path):
        _exchange(new, path)
    elif os.path.exists(new):
        os.replace(new, path)


def _exchange(one: str, other: str) -> None:
    """Exchange the names of two folders: at one moment on Linux, else nearly so."""
    exchange = getattr(ctypes.CDLL(None), "renameat2", None) if os.name == "posix" else None
    if exchange is not None:
        here, swapped = -100, 2  # AT_FDCWD and RENAME_EXCHANGE
        if exchange(here, os.fsencode(one), here, os.fsencode(other), swapped) == 0:
            return
    aside = f"{one}.aside"
    _remove_folder(aside)
    os.rename(other, aside)
    try:
        os.rename(one, other)
    except BaseException:
        os.rename(aside, other)
        raise
    os.rename(aside, one)


def _remove_folder(path: str) -> None:
    if os.path.exists(path):
        shutil.rmtree(path)


def sync_file(path: str) -> None:
    """Wait until the content of a file is safe on the disk."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _sync_directory(directory: str) -> None:
    """Make the new name itself survive a loss of power, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
