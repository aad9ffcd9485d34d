"""The persistent compilation cache: `GRADTAPE_COMPILATION_CACHE` in the environment.

Its value is a folder, or 1 for the default: `gradtape/xla` in the user's cache folder. It is
JAX's cache, so that a program's own JAX code profits as well; if the program or JAX's own
variable has named a folder already, that one stays.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gradtape.backends.xla.require import jax

VARIABLE = "GRADTAPE_COMPILATION_CACHE"
# Programs that compile faster than this are not worth a file.
WORTH_SECONDS = 0.2
_SWITCHED_ON, _SWITCHED_OFF = ("1", "on", "true"), ("", "0", "off", "false")


def usual_folder() -> Path:
    """Return the default cache folder of this user."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "gradtape" / "xla"


def wanted_folder() -> Path | None:
    """Return the folder that the environment asks for, or None."""
    value = os.environ.get(VARIABLE, "")
    if value.lower() in _SWITCHED_OFF:
        return None
    return usual_folder() if value.lower() in _SWITCHED_ON else Path(value).expanduser()


def install() -> None:
    """Enable JAX's compilation cache, if the environment asks for it."""
    folder = wanted_folder()
    if folder is None or jax.config.jax_compilation_cache_dir:
        return
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", WORTH_SECONDS)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)


def described() -> str:
    """Describe the cache: its folder, and the number of programs in it, for `gradtape doctor`."""
    folder = jax.config.jax_compilation_cache_dir
    if not folder:
        return f"not kept from one process to the next: {VARIABLE}=1 does, in {usual_folder()}"
    files = [path for path in Path(folder).glob("*-cache") if path.is_file()]
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    return f"{len(files)} ({megabytes:.1f} MB) are kept in {folder}"
