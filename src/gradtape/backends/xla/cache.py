"""The persistent compilation cache: compiled programs are kept on disk for later processes.

By default those of GPUs and TPUs are kept. XLA's programs for the CPU are not: they contain the
instructions of the machine that compiled them, and a home folder may be shared by machines of
several kinds. `GRADTAPE_COMPILATION_CACHE` in the environment decides otherwise: 0 keeps nothing, 1
keeps the CPU's programs, too, and any other value is the folder, in place of `gradtape/xla` in the
user's cache folder.

It is JAX's cache, so that a program's own JAX code profits as well; if the program or JAX's own
variable has named a folder already, that one stays. JAX itself deals with files that are missing,
damaged or being written by another process: it compiles then.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from pathlib import Path

from gradtape.backends.xla.require import jax

logger = logging.getLogger("gradtape")
VARIABLE = "GRADTAPE_COMPILATION_CACHE"
# Programs that compile faster than this are not worth a file.
WORTH_SECONDS = 0.2
# What the files of the folder may take when a process starts; those that were not used for the
# longest time go first. (JAX's own limit needs a package for locks, and locks for every read.)
LARGEST_BYTES = 2**31
_SWITCHED_ON, _SWITCHED_OFF = ("1", "on", "true"), ("0", "off", "false")


def usual_folder() -> Path:
    """Return the default cache folder of this user."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "gradtape" / "xla"


def wanted_folder(by_default: bool = False) -> Path | None:
    """Return the folder that the environment asks for, or None."""
    value = os.environ.get(VARIABLE, "")
    if value.lower() in _SWITCHED_OFF or not (value or by_default):
        return None
    if value and value.lower() not in _SWITCHED_ON:
        return Path(value).expanduser()
    return usual_folder()


def install(by_default: bool = False) -> None:
    """Enable JAX's compilation cache, if the environment asks for it or, by default, allows it.

    A folder that cannot be written to is no error: programs are compiled again, then.
    """
    if jax.config.jax_compilation_cache_dir:
        return
    try:
        folder = wanted_folder(by_default)
        if folder is None:
            return
        # Programs are run as they are read: nobody else may write them.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError(f"{folder} cannot be written to")
    except (OSError, RuntimeError) as error:  # the latter: this user has no home folder
        level = logging.WARNING if os.environ.get(VARIABLE) else logging.INFO
        logger.log(level, "Compiled programs are not kept on disk: %s.", error)
        return
    _shrink(folder, LARGEST_BYTES)
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", WORTH_SECONDS)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)


def _shrink(folder: Path, largest: int) -> None:
    """Delete the programs that were not used for the longest time, until the others fit."""
    files = []
    for path in folder.glob("*-cache"):
        with contextlib.suppress(OSError):  # another process deletes, too
            status = path.stat()
            files.append((max(status.st_atime, status.st_mtime), status.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= largest:
            return
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size


def described() -> str:
    """Describe the cache: its folder, and the number of programs in it, for `gradtape doctor`."""
    folder = jax.config.jax_compilation_cache_dir
    if not folder:
        return f"not kept from one process to the next: {VARIABLE}=1 does, in {usual_folder()}"
    sizes = []
    for path in Path(folder).glob("*-cache"):
        with contextlib.suppress(OSError):
            sizes.append(path.stat().st_size)
    return f"{len(sizes)} ({sum(sizes) / 1e6:.1f} MB) are kept in {folder}"
