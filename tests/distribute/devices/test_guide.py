"""The programs of docs/distribute.md run, on eight devices."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parents[3] / "docs" / "distribute.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


def test_there_are_programs():
    assert len(PROGRAMS) == 3


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_the_programs_run(number):
    names: dict = {}
    exec(compile(PROGRAMS[number], f"docs/distribute.md, program {number}", "exec"), names)
    if number == 0:
        assert names["strategy"].num_replicas_in_sync == 8
        assert float(names["loss"]) >= 0
    elif number == 1:
        assert len(names["first"]._data.addressable_shards) == 8
    else:
        kernel = names["model"].layers[0].kernel
        assert {s.data.shape for s in kernel._value._data.addressable_shards} == {(16, 16)}
