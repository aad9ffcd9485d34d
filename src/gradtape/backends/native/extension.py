"""The native extension module; None if it was not built, or is disabled."""

from __future__ import annotations

import importlib
import os
import warnings


def _load():
    if os.environ.get("GRADTAPE_NATIVE") == "0":
        return None
    try:
        return importlib.import_module("gradtape._native")
    except ModuleNotFoundError:  # not built: no compiler when the package was installed
        return None
    except ImportError as error:
        warnings.warn(f"gradtape's native extension cannot be loaded: {error}", stacklevel=2)
        return None


extension = _load()
