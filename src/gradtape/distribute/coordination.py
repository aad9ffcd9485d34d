"""The key-value store of JAX's coordination service: how the processes tell each other of them.

JAX offers the service's store to its own modules and to checkpointing libraries, under a private
name that has been the same since JAX 0.4. It is named here and nowhere else. Where it is missing,
`store()` is None: JAX's own supervision still stops the job, in JAX's words.
"""

from __future__ import annotations

import importlib
from typing import Any

_PREFIX = "gradtape/"


def _state() -> Any:
    try:
        return importlib.import_module("jax._src.distributed").global_state
    except (ImportError, AttributeError):
        return None


def coordinator_address() -> str:
    """Where the processes of this job meet; "" if JAX does not tell."""
    return getattr(_state(), "coordinator_address", None) or ""


class Store:
    """Short texts that every process of the job can write and read."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def write(self, key: str, text: str) -> None:
        """Write or overwrite."""
        self._client.key_value_set(_PREFIX + key, text, allow_overwrite=True)

    def read(self, key: str, seconds: float) -> str:
        """What is written, or will be within some seconds; else an error."""
        return self._client.blocking_key_value_get(_PREFIX + key, max(1, int(1000 * seconds)))

    def glance(self, key: str, seconds: float) -> str | None:
        """What is written, or will be within some seconds; else None."""
        try:
            return self.read(key, seconds)
        except Exception as error:
            if "DEADLINE_EXCEEDED" in str(error):
                return None
            raise

    def folder(self, key: str) -> dict[str, str]:
        """All that is written under a key."""
        start = f"{_PREFIX}{key}/"
        return {
            name.removeprefix(start): text for name, text in self._client.key_value_dir_get(start)
        }


def store() -> Store | None:
    """The store of the job that this process has joined; None if there is none."""
    client = getattr(_state(), "client", None)
    needed = ("key_value_set", "blocking_key_value_get", "key_value_dir_get")
    if client is None or not all(hasattr(client, name) for name in needed):
        return None
    return Store(client)
