"""The key-value store of JAX's coordination service: how processes exchange messages.

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
    """Return the address of the coordinator; "" if JAX does not know it."""
    return getattr(_state(), "coordinator_address", None) or ""


class KeyValueStore:
    """Short texts that every process of the job can write and read."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def write(self, key: str, text: str) -> None:
        """Write or overwrite."""
        self._client.key_value_set(_PREFIX + key, text, allow_overwrite=True)

    def read(self, key: str, seconds: float) -> str:
        """Return the value of a key, waiting up to `seconds` for it; raise an error after that."""
        return self._client.blocking_key_value_get(_PREFIX + key, max(1, int(1000 * seconds)))

    def glance(self, key: str, seconds: float) -> str | None:
        """Return the value of a key, waiting up to `seconds` for it; None after that."""
        try:
            return self.read(key, seconds)
        except Exception as error:  # of JAX' client, which has no class for it
            if "DEADLINE_EXCEEDED" in str(error):
                return None
            raise

    def folder(self, key: str) -> dict[str, str]:
        """Return all that is written under a key."""
        start = f"{_PREFIX}{key}/"
        return {
            name.removeprefix(start): text for name, text in self._client.key_value_dir_get(start)
        }


def store() -> KeyValueStore | None:
    """Return the store of the job that this process has joined; None if there is none."""
    client = getattr(_state(), "client", None)
    needed = ("key_value_set", "blocking_key_value_get", "key_value_dir_get")
    if client is None or not all(hasattr(client, name) for name in needed):
        return None
    return KeyValueStore(client)
