"""What lookahead knows of functions by name is about functions that exist, with those arguments."""

from __future__ import annotations

import inspect

import pytest

import gradtape as tf
from gradtape.api.export import PUBLIC, lookup
from gradtape.graph.lookahead import library

BY_NAME: dict[str, list[str]] = {}
for _path in PUBLIC:
    BY_NAME.setdefault(_path.rpartition(".")[2], []).append(_path)


@pytest.mark.parametrize("table", ["STATIC_FUNCTIONS", "VALUE_FUNCTIONS", "_VALUE_ARGUMENTS"])
def test_tables_name_functions_that_exist(table):
    known = BY_NAME.keys() | set(dir(tf.GradientTape))
    known |= {library.name_of(lookup(path)) for path in PUBLIC}  # tf.strings.split: string_split
    assert set(getattr(library, table)) - known == set()


@pytest.mark.parametrize("prefix", library._VALUE_ARGUMENT_PREFIXES)
def test_prefixes_begin_names_of_functions(prefix):
    assert any(name.startswith(prefix) for name in BY_NAME)


@pytest.mark.parametrize(
    "name", [name for name, needed in library._VALUE_ARGUMENTS.items() if needed is not None]
)
def test_arguments_stand_where_the_table_says(name):
    needed = library._VALUE_ARGUMENTS[name]
    assert needed is not None
    pairs = list(zip(needed[::2], needed[1::2], strict=True))
    result = [list(inspect.signature(lookup(path)).parameters) for path in BY_NAME[name]]
    assert any(all(given[i : i + 1] == [word] for i, word in pairs) for given in result)
