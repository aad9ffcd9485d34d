"""Weights in several files ("shards") and one that lists them: all are replaced at one moment.

Keras's loader takes the names of the shards from the list, so the list is what decides. New shards
get names of their own, and a list with these names takes the place of the old one. Only then do
they get the names that Keras gives them, as links, and a list with those. Whoever reads after a
process has died in between finds the old list with the old shards or a new list with the new.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable

from gradtape.formats.atomic import replacing, sync_file, write_whole


def write_shards(path: str, write: Callable[[str], None]) -> None:
    """Replace the list of shards at `path` and its shards by what `write` makes for a path."""
    directory, name = os.path.split(os.path.abspath(path))
    with tempfile.TemporaryDirectory(prefix=f".partial.{name}.", dir=directory) as folder:
        write(os.path.join(folder, name))
        with open(os.path.join(folder, name)) as file:
            config = json.load(file)
        shards = sorted(set(os.listdir(folder)) - {name})
        used = _shards_of(path)
        numbered = ({s: f".partial.{number}.{s}" for s in shards} for number in itertools.count())
        new_names = next(names for names in numbered if used.isdisjoint(names.values()))
        try:
            _switch(folder, path, config, new_names)
        finally:
            _remove_unused(directory, shards, _shards_of(path))


def _switch(folder: str, path: str, config: dict, new_names: dict[str, str]) -> None:
    directory = os.path.dirname(os.path.abspath(path))
    for shard, new_name in new_names.items():
        sync_file(os.path.join(folder, shard))
        os.replace(os.path.join(folder, shard), os.path.join(directory, new_name))
    # The loader opens the first shard by Keras's name for it, whatever the list says.
    if os.path.exists(path) and os.path.exists(os.path.join(directory, min(new_names))):
        write_whole(path, [_listed(config, new_names)])
    for shard, new_name in new_names.items():
        with replacing(os.path.join(directory, shard)) as partial:
            _link(os.path.join(directory, new_name), partial)
    write_whole(path, [_listed(config, {})])


def _listed(config: dict, new_names: dict[str, str]) -> bytes:
    """Return the text of the list, with other names for the shards."""

    def renamed(names):
        if isinstance(names, list):
            return [renamed(name) for name in names]
        return new_names.get(names, names)

    weight_map = {variable: renamed(names) for variable, names in config["weight_map"].items()}
    return json.dumps({**config, "weight_map": weight_map}, indent=4).encode()


def _shards_of(path: str) -> set[str]:
    """Return the names in the list at `path`: none where there is no list."""
    try:
        with open(path) as file:
            shards = json.load(file)["weight_map"].values()
    except (OSError, ValueError, KeyError, AttributeError):
        return set()
    return {name for names in shards for name in (names if isinstance(names, list) else [names])}


def _link(file: str, name: str) -> None:
    """Give a file a second name, or copy it where the file system has no links."""
    if os.path.exists(name):
        os.remove(name)
    try:
        os.link(file, name)
    except OSError:
        shutil.copyfile(file, name)


def _remove_unused(directory: str, shards: list[str], used: set[str]) -> None:
    """Remove shards with names of their own that no list needs, of earlier processes too."""
    base = re.escape(shards[0].rsplit("_", 1)[0])
    own = re.compile(rf"\.partial\.(\d+\.)?{base}_\d{{5}}\.weights\.h5")
    for name in os.listdir(directory):
        if own.fullmatch(name) and name not in used:
            os.remove(os.path.join(directory, name))
