"""What devices do while a profile runs: JAX's own profile, if JAX has started."""

from __future__ import annotations

import glob
import importlib
import logging
import os
import shutil
import sys
import tempfile
from typing import Any

from gradtape.profiler.planes import ENVIRONMENT, HOST, encoded_planes, moved_plane, read_plane

logger = logging.getLogger("gradtape")
# What JAX knows of the host's threads. TensorBoard reads one plane `/host:CPU`, which is ours, and
# shows planes with such names below it.
_HOST_IN_JAX = "/device:CUSTOM:JAX on the host"


class DeviceProfile:
    """JAX's profile, which is written into a folder of its own, and read from there."""

    def __init__(self, python_level: int) -> None:
        self._python_level = python_level  # whether JAX, too, records the calls of Python
        self._jax: Any = None
        self._folder: str | None = None

    def start(self) -> None:
        """Start JAX's profile, if the program has used JAX."""
        bridge = sys.modules.get("jax._src.xla_bridge")
        if not getattr(bridge, "_backends", None):  # its profile would start JAX
            return
        jax = importlib.import_module("jax")
        self._folder = tempfile.mkdtemp(prefix="gradtape-profile-")
        try:
            make_options = getattr(jax.profiler, "ProfileOptions", None)  # not in every JAX
            if make_options is None:
                jax.profiler.start_trace(self._folder)
            else:
                options = make_options()
                options.python_tracer_level = self._python_level
                jax.profiler.start_trace(self._folder, profiler_options=options)
        except Exception as error:  # the program has one of its own: then it is no part of ours
            logger.warning("tf.profiler: the profile lacks the devices: %s", error)
            self.discard()
        else:
            self._jax = jax

    def stop(self) -> None:
        """End JAX's profile."""
        if self._jax is None:
            return
        try:
            self._jax.profiler.stop_trace()
        except Exception as error:  # the program has ended it
            logger.warning("tf.profiler: the profile lacks the devices: %s", error)
        self._jax = None

    def planes(self, began_at: int) -> list[bytes]:
        """Return the planes of devices, with times since our profile began."""
        if self._folder is None:
            return []
        pattern = os.path.join(self._folder, "plugins", "profile", "*", "*.xplane.pb")
        result = []
        for path in sorted(glob.glob(pattern)):
            with open(path, "rb") as file:
                planes = encoded_planes(file.read())
            named = [(read_plane(plane), plane) for plane in planes]
            starts = [read.facts.get("profile_start_time") for read, _ in named]
            later = next((start - began_at for start in starts if start), 0)
            for read, plane in named:
                if read.name == HOST:
                    result.append(moved_plane(plane, _HOST_IN_JAX, later))
                elif read.name != ENVIRONMENT:
                    result.append(moved_plane(plane, read.name, later))
        return result

    def discard(self) -> None:
        """Remove JAX's files."""
        folder, self._folder = self._folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
