"""The benchmark: what becomes of its measurements, and of libraries that fail."""

import importlib
import itertools
import json
import os
import sys
import time
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
MODULES = (
    "libraries",
    "measure",
    "memory",
    "report",
    "run",
    "startup",
    "timing",
    "turns",
    "workloads",
)


@pytest.fixture
def bench(monkeypatch):
    """Imports a module of the benchmark, whose modules are not in a package."""
    monkeypatch.syspath_prepend(str(BENCH))
    yield importlib.import_module
    for name in list(sys.modules):
        if name.split(".")[0] in MODULES:
            del sys.modules[name]


def measured(library, form, times, workload="square", check=6.0):
    return [
        {
            "library": library,
            "form": form,
            "workload": workload,
            "version": "1",
            "turns": dict(enumerate(times)),
            "first": times[0],
            "check": check,
            "memory": 2**20,
        }
    ]


FACTS = {
    "python": "3",
    "system": "s",
    "processor": "p",
    "cores": 2,
    "turns": 3,
    "quick": False,
    "load_before": 0.0,
}


def test_ratios_are_taken_within_a_turn(bench, tmp_path):
    report = bench("report")
    records = measured("gradtape", "eager", [1.0, 8.0, 3.0])
    records += measured("gradtape", "no extension", [3.0, 24.0, 9.0])
    records += measured("torch", "eager", [10.0, 100.0, 20.0])
    records += measured("jax", "jit", [0.5, 4.0, 1.5])
    text = report.write(records, FACTS, tmp_path)
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    result = results["workloads"]["square"]["ratios"]
    ratios = {r["to"]: r for r in result if r["of"] == "gradtape eager"}
    assert ratios["best eager"]["median"] == pytest.approx(0.1)
    assert ratios["best compiled"]["median"] == pytest.approx(2.0)
    assert (ratios["torch eager"]["goal"], ratios["torch eager"]["met"]) == (0.1, True)
    assert "| `x**2` of a scalar | PyTorch | **0.1** | 0.09–0.125 | 0.1 | ≤ 0.1: met |" in text
    assert "PyTorch, without the extension | **0.3** | 0.27–0.375 | 0.3 | ≤ 0.4: met |" in text
    assert (tmp_path / "RESULTS.md").read_text(encoding="utf-8") == text


def test_who_computes_something_else_is_not_counted(bench):
    report = bench("report")
    records = measured("gradtape", "eager", [1.0]) + measured("torch", "eager", [1.0])
    records += measured("tensorflow", "eager", [0.1], check=5.0)
    text = report.write(records, FACTS, None)
    assert "computed 5 instead of 6" in text
    assert "best eager, PyTorch" in text
    assert "best eager, TensorFlow" not in text


def test_a_failure_is_told_and_loses_nothing_else(bench):
    report = bench("report")
    records = measured("gradtape", "eager", [1.0])
    records.append(
        {
            "library": "jax",
            "form": "jit",
            "workload": "square",
            "failure": "took longer than 5 s",
            "kind": "timeout",
        }
    )
    text = report.write(records, FACTS, None)
    assert "1. took longer than 5 s" in text
    assert "| `x**2` of a scalar | 1 s ±0% | – (1) |" in text


# The beginning of a stand-in for Python that plays measure.py.
READY = """echo 'measured: {"version": "1", "first": 1, "check": 6, "memory": null}'"""


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins for Python are shell scripts")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo 'ImportError: no such library' >&2; exit 1", "ImportError: no such library"),
        ("exec sleep 30", "took longer than 1 s"),
        ("""echo 'measured: {"version": "1", "unavailable": "no loops"}'""", "no loops"),
        (f"{READY}; read line; echo 'it broke' >&2; exit 3", "it broke"),
        (f"{READY}; read line; exec sleep 30", "took longer than 1 s"),
        (f"{READY}; read line; exit 3", "ended with code 3"),
    ],
)
def test_a_process_that_fails_or_hangs(bench, tmp_path, capsys, body, said):
    session = bench("run").Session({"autograd": python_of(tmp_path, body)}, 1.0, 2, 1.0)
    session.measure("square")
    assert [r["failure"] for r in session.records] == [said]
    assert said in capsys.readouterr().out


def test_a_python_that_is_not_there(bench, tmp_path, capsys):
    session = bench("run").Session({"autograd": str(tmp_path / "nowhere")}, 1.0, 2, 1.0)
    session.measure("square")
    assert "No such file" in session.records[0]["failure"]
    capsys.readouterr()


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins for Python are shell scripts")
def test_forms_take_turns_and_slow_ones_fewer(bench, tmp_path, capsys, monkeypatch):
    turns = bench("turns")
    monkeypatch.setattr(turns, "PAUSE", 0.0)
    log = tmp_path / "log"
    fast = f"{READY}; while read line; do echo q >>{log}; echo 'measured: 0.5'; done"
    slow = f"{READY}; while read line; do echo s >>{log}; sleep 0.3; echo 'measured: 2.0'; done"
    pythons = {"autograd": python_of(tmp_path / "1", fast), "jax": python_of(tmp_path / "2", slow)}
    session = bench("run").Session(pythons, 60.0, 8, 1.0)
    session.measure("square")
    result = {r["library"]: r["turns"] for r in session.records}
    assert result == {
        "autograd": dict.fromkeys(range(8), 0.5),
        "jax": dict.fromkeys((0, 3, 6), 2.0),
    }
    # Who begins changes: the slow one was second in the turns 0 and 6, first in the turn 3.
    assert "".join(log.read_text().split()) == "qsqqsqqqqsq"
    capsys.readouterr()


def python_of(folder: Path, body: str) -> str:
    folder.mkdir(exist_ok=True)
    script = folder / "python"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return str(script)


@pytest.mark.parametrize("name", ["square", "chain", "vector_chain", "mlp", "jacobian"])
def test_workloads_in_gradtape(bench, name):
    workloads, libraries = bench("workloads"), bench("libraries")
    made = next(w for w in workloads.every_workload() if w.name == name)
    step, count, number = made.make(libraries.load("gradtape", "eager"))
    for _ in range(count):
        value = step()
    expected = {
        "square": 6.0,
        "chain": 1.843123,
        "vector_chain": 815.16153,
        "mlp": 0.2067186,
        "jacobian": 295.1167,
    }
    assert number(value) == pytest.approx(expected[name], rel=1e-4)


def test_the_names_of_forms_and_goals_exist(bench):
    workloads, libraries = bench("workloads"), bench("libraries")
    forms = {f"{name} {form}" for name, of in libraries.FORMS.items() for form in of}
    assert forms == {" ".join(form) for form in libraries.TITLES}
    for workload in workloads.every_workload():
        assert set(workload.goals) <= forms | {"best eager", "best compiled"}


def test_samples(bench, monkeypatch):
    timing = bench("timing")
    calls, clock = [], itertools.count(0.0, 0.01)
    with monkeypatch.context() as patch:  # each look at the clock is 10 ms after the one before
        patch.setattr(timing.time, "perf_counter", lambda: next(clock))
        assert timing.calls_per_sample(lambda: None) == round(timing.SAMPLE_SECONDS / 0.01)
    assert timing.seconds_per_call(lambda: calls.append(time.sleep(0.01)), 3) >= 0.01
    assert len(calls) == 6  # half of them are not timed
    assert timing.summary([3.0, 1.0, 2.0]) == {
        "median": 2.0,
        "low": 1.5,
        "high": 2.5,
        "least": 1.0,
        "most": 3.0,
    }
