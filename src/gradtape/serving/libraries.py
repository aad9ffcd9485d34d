"""Installed packages made for TensorFlow: which of them gradtape serves, and what replaces others.

A library in the list gets gradtape as its `tensorflow`. All others do not: a package that works
with several frameworks, and asks whether TensorFlow is there, would take gradtape for all of it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable

# Libraries that are written in Python for TensorFlow alone, or that import it wherever they run.
SERVED = frozenset(
    """
    tensorflow_probability tensorflow_datasets tensorflow_hub tensorflow_recommenders
    tensorflow_ranking tensorflow_graphics tensorflow_model_optimization
    gpflow gpflux trieste markovflow sonnet graph_nets sionna spektral stellargraph zfit
    zfit_interface zfit_physics tf_quant_finance tfdiffeq deepxde edward2 larq tf_explain
    tf_agents tf_slim check_shapes keras_hub keras_nlp keras_rs
    """.split()
)
# Packages made for TensorFlow that do not work without it. (So are all `tensorflow_*`.)
COMPANIONS = frozenset("tfx tflearn tensorlayer tensor2tensor".split())
INSTEAD = {
    "tensorflow_io": "Read files with tf.io and tf.data, or with a package for their format.",
}
# What pip calls a package whose name it does not have.
DISTRIBUTIONS = {"sonnet": "dm-sonnet", "tf_agents": "tf-agents", "tf_slim": "tf-slim"}


class ConfigurationError(Exception):
    """The program's pyproject.toml cannot be used."""


def is_companion(top: str) -> bool:
    """Return whether a package's name says that it is made for TensorFlow."""
    return top.startswith("tensorflow_") or top in COMPANIONS or top in SERVED


def advice(top: str, installed: bool) -> str:
    """Return why the import of such a package fails, and what helps."""
    if top in SERVED and not installed:
        name = DISTRIBUTIONS.get(top, top.replace("_", "-"))
        return f"{top} is not installed: pip install --no-deps {name}, and what else it imports."
    text = f"{top} is made for TensorFlow itself."
    if top in INSTEAD:
        return f"{text} {INSTEAD[top]}"
    return (
        f"{text} To try it with gradtape, write gradtape run --serve {top}." if installed else text
    )


def served_by(folder: str, names: Iterable[str] = ()) -> frozenset[str]:
    """Return the libraries to serve: the list here, those named, and those that the nearest
    pyproject.toml at or above a folder names in `[tool.gradtape] serve`."""
    return SERVED.union(names, _configured(os.path.realpath(folder)))


def _configured(folder: str) -> list[str]:
    while True:
        path = os.path.join(folder, "pyproject.toml")
        try:
            with open(path, "rb") as file:
                table = tomllib.load(file)
        except OSError:
            above = os.path.dirname(folder)
            if above == folder:
                return []
            folder = above
            continue
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            return []  # what else reads the file says what is wrong with it
        tools = table.get("tool", {})
        settings = tools.get("gradtape", {}) if isinstance(tools, dict) else {}
        names = settings.get("serve", []) if isinstance(settings, dict) else settings
        if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
            raise ConfigurationError(
                f"{path}: [tool.gradtape] serve is {names!r}; give a list of the names of "
                'packages, as in serve = ["gpflow"].'
            )
        return names
