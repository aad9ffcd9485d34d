# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Iterator
from gradtape.api.io.files import FileStatistics
from gradtape.api.io.files import GFile as GFile
from gradtape.core.typing import TensorLike
from typing import Any

def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copy a file.

    Args:
        src: the path of what there is.
        dst: the path of what is to be.
        overwrite: whether to replace what is there.

    Returns:
        Nothing.

    Raises:
        tf.errors.NotFoundError if there is no such file.
    """

def exists(path: Any) -> bool:
    """Return whether a file or folder exists.

    Args:
        path: a path, as text or as a path object.

    Raises:
        TypeError if `path` has a type that it does not take.

    Example:
        >>> tf.io.gfile.exists("no such file")
        False
    """

def get_registered_schemes() -> list[str]:
    """Return the file systems that are known: the local one."""

def glob(pattern: TensorLike) -> list[str]:
    """Return the files that match a pattern, or one of several, sorted.

    Args:
        pattern: names of files, with wildcards.

    Raises:
        TypeError if `pattern` has a type that it does not take.
    """

def isdir(path: Any) -> bool:
    """Return whether a folder exists.

    Args:
        path: a path, as text or as a path object.

    Raises:
        TypeError if `path` has a type that it does not take.
    """

def join(path: Any, *paths: Any) -> str:
    """Return parts of a path, joined.

    Args:
        path: a path, as text or as a path object.
        *paths: parts of a path.

    Raises:
        TypeError if `path` or `paths` has a type that it does not take.
    """

def listdir(path: Any) -> list[str]:
    """Return the names in a folder.

    Args:
        path: a path, as text or as a path object.

    Raises:
        tf.errors.NotFoundError if there is no such folder.
    """

def makedirs(path: Any) -> None:
    """Make a folder and those above it; no error if it exists.

    Args:
        path: a path, as text or as a path object.

    Returns:
        Nothing.

    Raises:
        tf.errors.FailedPreconditionError if a part of the path is a file.
    """

def mkdir(path: Any) -> None:
    """Make a folder.

    Args:
        path: a path, as text or as a path object.

    Returns:
        Nothing.

    Raises:
        tf.errors.NotFoundError if there is no folder for it.
    """

def remove(path: Any) -> None:
    """Delete a file.

    Args:
        path: a path, as text or as a path object.

    Returns:
        Nothing.

    Raises:
        tf.errors.NotFoundError if there is no such file.
    """

def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Rename a file.

    Args:
        src: the path of what there is.
        dst: the path of what is to be.
        overwrite: whether to replace what is there.

    Returns:
        Nothing.

    Raises:
        tf.errors.NotFoundError if there is no such file.
    """

def rmtree(path: Any) -> None:
    """Delete a folder and all that is in it.

    Args:
        path: a path, as text or as a path object.

    Returns:
        Nothing.

    Raises:
        tf.errors.NotFoundError if there is no such folder.
    """

def stat(path: Any) -> FileStatistics:
    """Return the size and the time of change of a file.

    Args:
        path: a path, as text or as a path object.

    Raises:
        tf.errors.NotFoundError if there is no such file.
    """

def walk(
    top: Any,
    topdown: bool = True,
    onerror: Any = None,
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Return (folder, its folders, its files) for each folder below one.

    Args:
        top: the folder to begin with.
        topdown: whether a folder comes before what is in it.
        onerror: called with an error.

    Raises:
        TypeError if `top` has a type that it does not take.
    """
