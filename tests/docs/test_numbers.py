"""Measured numbers on pages are those of bench/: nothing is rounded by hand or out of date."""

from __future__ import annotations

import json
import re

import pytest

from tests.docs.blocks import ROOT

BENCH = ROOT / "bench"
REPORTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(BENCH.glob("*.md")))
MEASURED = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?) (?:µs|ms|s|KiB|MiB|GiB)\b")
PAGES = ["benchmarks.md", "performance.md", "gpu.md", "migration/tensorflow.md"]


@pytest.mark.parametrize("name", PAGES)
def test_measured_numbers_are_in_a_report(name):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    numbers = MEASURED.findall(text)
    assert numbers
    known = set(re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", REPORTS))
    assert not [number for number in numbers if number not in known]


def test_the_conditions_are_those_of_the_data():
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    conditions = json.loads((BENCH / "results.json").read_text(encoding="utf-8"))["conditions"]
    versions = [version.partition("+")[0] for version in conditions["versions"].values()]
    facts = [*versions, conditions["python"], conditions["system"], conditions["processor"]]
    facts += [f"{conditions['turns']} times", f"load before the run {conditions['load_before']}"]
    assert not [fact for fact in facts if fact not in text]
