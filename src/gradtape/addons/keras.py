"""Keras, for the classes of addons, and the package under which it saves them."""

from __future__ import annotations

import importlib
from typing import Any

from gradtape.keras_plug import load

keras: Any = load()
register: Any = keras.utils.register_keras_serializable(package="Addons")
in_stateless_scope: Any = importlib.import_module(
    "keras.src.backend.common.stateless_scope"
).in_stateless_scope
