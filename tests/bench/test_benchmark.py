"""The benchmark: what becomes of its measurements, and of libraries that fail."""

import importlib
import json
import os
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
MODULES = ("libraries", "memory", "report", "run", "startup", "timing", "workloads")


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
            "round": i, "library": library, "form": form, "workload": workload, "version": "1",
            "seconds": {"median": t, "least": t, "most": t}, "first": t, "check": check,
            "memory": 2**20,
        }
        for i, t in enumerate(times)
    ]  # fmt: skip


FACTS = {
    "python": "3", "system": "s", "processor": "p", "cores": 2, "rounds": 3, "quick": False,
    "load_before": 0.0,
}  # fmt: skip


def test_ratios_are_taken_within_a_round(bench, tmp_path):
    report = bench("report")
    records = measured("gradtape", "eager", [1.0, 8.0, 3.0])
    records += measured("torch", "eager", [10.0, 100.0, 20.0])
    records += measured("jax", "jit", [0.5, 4.0, 1.5])
    text = report.write(records, FACTS, tmp_path)
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    ratios = {r["to"]: r for r in results["workloads"]["square"]["ratios"]}
    assert ratios["best eager"]["median"] == pytest.approx(0.1)
    assert ratios["best compiled"]["median"] == pytest.approx(2.0)
    assert (ratios["torch eager"]["goal"], ratios["torch eager"]["met"]) == (0.1, True)
    assert "| `x**2` of a scalar | PyTorch | **0.1** | 0.08–0.15 | 0.1 | ≤ 0.1: met |" in text
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
    records.append({"round": 0, "library": "jax", "form": "jit", "workload": "square",
                    "failure": "took longer than 5 s", "kind": "timeout"})  # fmt: skip
    text = report.write(records, FACTS, None)
    assert "1. took longer than 5 s" in text
    assert "| `x**2` of a scalar | 1 s ±0% | – (1) |" in text


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins for Python are shell scripts")
def test_a_process_that_fails_or_hangs(bench, tmp_path, capsys):
    run = bench("run")
    script = tmp_path / "python"
    for body, said in (
        ("echo 'ImportError: no such library' >&2; exit 1", "ImportError: no such library"),
        ("exec sleep 30", "took longer than 1 s"),
        ('echo \'{"version": "1", "unavailable": "no loops"}\'', "no loops"),
    ):
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
        session = run.Session({"autograd": str(script)}, 1.0, 0.1)
        session.round(0, ["square"])
        session.round(1, ["square"])  # what failed is not tried again
        assert [r["failure"] for r in session.records] == [said]
    session = run.Session({"autograd": str(tmp_path / "nowhere")}, 1.0, 0.1)
    session.round(0, ["square"])
    assert "No such file" in session.records[0]["failure"]
    capsys.readouterr()


@pytest.mark.parametrize("name", ["square", "chain", "vector_chain", "mlp", "jacobian"])
def test_workloads_in_gradtape(bench, name):
    workloads, libraries = bench("workloads"), bench("libraries")
    made = next(w for w in workloads.every_workload() if w.name == name)
    step, count, number = made.make(libraries.load("gradtape", "eager"))
    for _ in range(count):
        value = step()
    expected = {"square": 6.0, "chain": 1.843123, "vector_chain": 815.16153, "mlp": 0.2067186,
                "jacobian": 295.1167}  # fmt: skip
    assert number(value) == pytest.approx(expected[name], rel=1e-4)


def test_the_names_of_forms_and_goals_exist(bench):
    workloads, libraries = bench("workloads"), bench("libraries")
    forms = {f"{name} {form}" for name, of in libraries.FORMS.items() for form in of}
    assert forms == {" ".join(form) for form in libraries.TITLES}
    for workload in workloads.every_workload():
        assert set(workload.goals) <= forms | {"best eager", "best compiled"}


def test_samples(bench):
    timing = bench("timing")
    calls = []
    samples = timing.seconds_per_call(lambda: calls.append(1), 0.05)
    assert timing.FEWEST_SAMPLES <= len(samples) <= timing.MOST_SAMPLES
    assert timing.summary([3.0, 1.0, 2.0]) == {"median": 2.0, "least": 1.0, "most": 3.0}
