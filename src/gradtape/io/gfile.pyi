# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Iterator
from gradtape.api.io.files import FileStatistics
from gradtape.api.io.files import GFile as GFile
from gradtape.core.typing import TensorLike
from typing import Any

def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file."""

def exists(path: Any) -> bool:
    """Return whether a file or folder exists."""

def get_registered_schemes() -> list[str]:
    """Return the file systems that are known: the local one."""

def glob(pattern: TensorLike) -> list[str]:
    """Return the files that match a pattern, or one of several, sorted."""

def isdir(path: Any) -> bool:
    """Return whether a folder exists."""

def join(path: Any, *paths: Any) -> str:
    """Return parts of a path, joined."""

def listdir(path: Any) -> list[str]:
    """Return the names in a folder."""

def makedirs(path: Any) -> None:
    """Make a folder and those above it; no error if it exists."""

def mkdir(path: Any) -> None:
    """Make a folder."""

def remove(path: Any) -> None:
    """Delete a file."""

def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Rename a file."""

def rmtree(path: Any) -> None:
    """Delete a folder and all that is in it."""

def stat(path: Any) -> FileStatistics:
    """Return the size and the time of change of a file."""

def walk(
    top: Any,
    topdown: bool = True,
    onerror: Any = None,
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Return (folder, its folders, its files) for each folder below one."""
