"""Who asks for TensorFlow: the program, a library that is served, or another module."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Set

import gradtape

# They are what serves: what they look for is TensorFlow itself.
NEVER = ("keras", "keras_gradtape", "gradtape")
# They resolve a name that a test gives, `patch("tensorflow.sqrt")`; who runs the tests calls them.
PATCHERS = ("unittest.mock", "mock.mock")


class Importers:
    """Distinguishes the program's own modules and served libraries from other packages."""

    def __init__(self, folder: str, libraries: Set[str]) -> None:
        self._home = os.path.join(os.path.realpath(folder), "")
        self._libraries = libraries
        self._known: dict[str, bool] = {}
        paths = sysconfig.get_paths()
        folders = [paths[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
        folders += [*site.getsitepackages(), site.getusersitepackages()]
        folders.append(os.path.dirname(gradtape.__file__))
        self._installed = tuple({os.path.join(os.path.realpath(p), "") for p in folders})

    def own_file(self, file: str) -> bool:
        """Return whether a file belongs to the program, or at least to no installed package."""
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._look(os.path.realpath(file))
        return known

    def _look(self, file: str) -> bool:
        # A virtual environment inside the program's folder is not the program.
        inside = file.startswith(self._home)
        folders = (file[len(self._home) :] if inside else file).split(os.sep)
        if "site-packages" in folders or "dist-packages" in folders:
            return False
        # Nor is a Python that is installed below the program; the program may lie in one, though.
        return not any(
            file.startswith(folder) and not self._home.startswith(folder)
            for folder in self._installed
        )

    def serves(self, namespace: dict | None, depth: int) -> bool:
        """Return whether the importing module, which has this namespace, gets gradtape."""
        frame = None
        while True:
            if namespace is not None:
                name = namespace.get("__name__") or ""
                file = namespace.get("__file__")
                top = name.partition(".")[0]
                if top in NEVER:
                    return False
                if top in self._libraries or name in PATCHERS:
                    return True
                if isinstance(file, str) and name != "pkgutil":  # it resolves names for others
                    return self.own_file(file)
                if name == "__main__":  # `python -c`; with a file, it may be `python -m installed`
                    return True
            # Code without a file, made by `exec`: its caller counts.
            frame = sys._getframe(depth + 1) if frame is None else frame.f_back
            if frame is None:
                return False
            namespace = frame.f_globals
