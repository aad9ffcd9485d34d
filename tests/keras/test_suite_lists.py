"""The lists by which Keras's own tests are run and counted."""

import importlib.util
from pathlib import Path

import pytest

SUITE = Path(__file__).parents[1] / "keras_suite"


@pytest.fixture(scope="module")
def run():
    spec = importlib.util.spec_from_file_location("keras_suite_run", SUITE / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_exclusion_is_a_test_that_counts_and_has_a_reason(run):
    excluded = run.exclusions()
    assert set(excluded) <= set(run.counted())
    assert all(len(reason) > 20 for reason in excluded.values())
    lines = (SUITE / "exclusions.txt").read_text("utf-8").splitlines()
    assert len(excluded) == sum(bool(line) and not line.startswith("#") for line in lines)


def test_every_test_belongs_to_an_area(run):
    assert {run.area_of(test) for test in run.counted()} == set(run.AREAS)


@pytest.mark.parametrize("fast", [False, True])
def test_groups_hold_every_file_once(run, fast):
    tests = run.counted()
    groups = run.groups_of(tests, fast)
    files = [(file, group.part) for group in groups for file in group.files]
    assert len(files) == len(set(files))
    assert {file for file, _ in files} == {test.split("::")[0] for test in tests}
    (large,) = run.PARTS
    assert sum(file == large for file, _ in files) == (1 if fast else run.PARTS[large])


def test_the_report_counts_what_failed(run, capsys):
    tests = [f"keras/src/losses/a_test.py::A::test_{i}" for i in range(4)]
    results = {tests[0]: {"outcome": "passed"}, tests[1]: {"outcome": "skipped"}}
    assert run.report(tests, results, {tests[2]: "a reason"}) == [tests[1], tests[3]]
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("losses")]
    assert line.split() == ["losses", "4", "1", "1", "2", "25.00%"]
