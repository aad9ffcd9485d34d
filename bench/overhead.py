"""Measures gradtape beside PyTorch and TensorFlow; README.md in this folder says how and what.

    python bench/overhead.py --torch TORCH_PYTHON --tensorflow TENSORFLOW_PYTHON

`make bench` creates the environments of the peers and runs this.
"""

import argparse
import dataclasses
import json
import math
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent

# Results that must agree between libraries, relatively: float32 sums in different orders.
CHECK_TOLERANCE = 1e-4


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    title: str
    unit: str
    scale: float
    goals: dict[str, float]  # peer → the largest ratio gradtape / peer that we accept


WORKLOADS = (
    Workload("square", "`x**2` and its gradient", "µs", 1e6, {"torch": 0.4, "tensorflow": 0.05}),
    Workload("chain", "200 scalar operations and their gradient", "ms", 1e3, {"torch": 0.6}),
    Workload("mlp", "MLP training step, 784-256-256-10, batch 128", "ms", 1e3, {"torch": 1.0}),
    Workload("import", "`import`, once NumPy is loaded", "s", 1.0, {}),
)
SCRIPTS = {"gradtape": "with_tape.py", "tensorflow": "with_tape.py", "torch": "with_torch.py"}
TITLES = {"gradtape": "gradtape", "torch": "PyTorch", "tensorflow": "TensorFlow"}


def measure(python: str, library: str, workload: Workload) -> dict:
    """One measurement in a process of its own."""
    if workload.name == "import":
        arguments = ["import_time.py", library]
    else:
        arguments = [SCRIPTS[library], library, workload.name]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # import times count from bytecode
    command = [python, str(HERE / "workloads" / arguments[0]), *arguments[1:]]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise SystemExit(f"{library}, {workload.name}: the workload failed\n{finished.stderr}")
    return json.loads(finished.stdout.splitlines()[-1])


def run_rounds(pythons: dict[str, str], workloads: list[Workload], rounds: int) -> list[dict]:
    """Every library does every workload once a round; who begins changes from round to round."""
    records = []
    for number in range(rounds):
        for workload in workloads:
            order = list(pythons)
            order = order[number % len(order) :] + order[: number % len(order)]
            for library in order:
                record = measure(pythons[library], library, workload)
                record.update(library=library, workload=workload.name, round=number)
                records.append(record)
                shown = record["seconds"] * workload.scale
                print(f"round {number + 1}/{rounds}  {workload.name:7} {library:11}", end="")
                print(f"{shown:10.3f} {workload.unit}", flush=True)
    return records


def compare_checks(records: list[dict], workload: Workload) -> float | None:
    """The result all libraries agree on; an error where they did different work."""
    checks = {r["library"]: r["check"] for r in records if r["workload"] == workload.name}
    reference = checks["gradtape"]
    for library, check in checks.items():
        if reference is not None and not math.isclose(check, reference, rel_tol=CHECK_TOLERANCE):
            raise SystemExit(f"{workload.name}: {library} got {check}, gradtape {reference}")
    return reference


def summarise(records: list[dict], workload: Workload, libraries: list[str]) -> dict:
    """Medians and ranges over the rounds; ratios are taken within a round, then their median."""
    seconds = {
        library: [
            record["seconds"]
            for record in records
            if (record["library"], record["workload"]) == (library, workload.name)
        ]
        for library in libraries
    }
    summary = {"check": compare_checks(records, workload), "seconds": {}, "ratios": {}}
    for library, values in seconds.items():
        summary["seconds"][library] = spread(values)
        if library != "gradtape":
            pairs = zip(seconds["gradtape"], values, strict=True)
            ratio = spread([ours / theirs for ours, theirs in pairs])
            ratio["of_least"] = min(seconds["gradtape"]) / min(values)
            goal = workload.goals.get(library)
            ratio["goal"] = goal
            ratio["met"] = None if goal is None else ratio["median"] <= goal
            summary["ratios"][library] = ratio
    return summary


def spread(values: list[float]) -> dict:
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def conditions(records: list[dict], rounds: int, load: float | None) -> dict:
    """What the numbers depend on. Names of machines and folders are left out on purpose."""
    versions = {record["library"]: record["version"] for record in records}
    return {
        "versions": versions,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "rounds": rounds,
        "load_before": load,
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def as_markdown(results: dict) -> str:
    facts = results["conditions"]
    libraries = list(facts["versions"])
    versions = ", ".join(f"{TITLES[name]} {facts['versions'][name]}" for name in libraries)
    lines = [
        "# Overhead beside PyTorch and TensorFlow",
        "",
        "Written by `make bench`; README.md in this folder tells how it measures.",
        "",
        f"{versions}; Python {facts['python']}, {facts['system']}, {facts['processor']},",
        f"{facts['cores']} cores, load before the run {facts['load_before']}. Median of"
        f" {facts['rounds']} interleaved rounds (least–most).",
        "",
        "| workload | " + " | ".join(TITLES[name] for name in libraries) + " |",
        "|---|" + "---|" * len(libraries),
    ]
    ratio_lines = [
        "| gradtape's time ÷ | median (least–most) | least ÷ least | goal |",
        "|---|---|---|---|",
    ]
    for workload in WORKLOADS:
        summary = results["workloads"].get(workload.name)
        if summary is None:
            continue
        cells = [
            in_unit(summary["seconds"][library], workload.scale) + f" {workload.unit}"
            for library in libraries
        ]
        lines.append(f"| {workload.title} | " + " | ".join(cells) + " |")
        for library, ratio in summary["ratios"].items():
            verdict = "–"
            if ratio["goal"] is not None:
                verdict = f"≤ {ratio['goal']:g}: {'met' if ratio['met'] else '**missed**'}"
            cells = [in_unit(ratio, 1.0), f"{ratio['of_least']:.3g}", verdict]
            ratio_lines.append(
                f"| {TITLES[library]}'s, {workload.title} | " + " | ".join(cells) + " |"
            )
    checks = [
        f"- {workload.title}: {results['workloads'][workload.name]['check']:.6f}"
        for workload in WORKLOADS
        if results["workloads"].get(workload.name, {}).get("check") is not None
    ]
    lines += ["", *ratio_lines, "", "All libraries computed the same:", "", *checks]
    return "\n".join(lines) + "\n"


def in_unit(values: dict, scale: float) -> str:
    least, median, most = (f"{values[key] * scale:.3g}" for key in ("least", "median", "most"))
    return f"{median} ({least}–{most})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gradtape", default=sys.executable, help="interpreter with gradtape")
    parser.add_argument("--torch", help="interpreter with PyTorch")
    parser.add_argument("--tensorflow", help="interpreter with TensorFlow")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="+", choices=[w.name for w in WORKLOADS])
    parser.add_argument("--output", type=Path, help="folder for RESULTS.md and results.json")
    options = parser.parse_args()

    pythons = {"gradtape": options.gradtape, "torch": options.torch}
    pythons["tensorflow"] = options.tensorflow
    pythons = {library: python for library, python in pythons.items() if python}
    workloads = [w for w in WORKLOADS if not options.only or w.name in options.only]
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    records = run_rounds(pythons, workloads, options.rounds)
    results = {
        "conditions": conditions(records, options.rounds, load),
        "workloads": {w.name: summarise(records, w, list(pythons)) for w in workloads},
    }
    report = as_markdown(results)
    print("\n" + report)
    if options.output:
        (options.output / "RESULTS.md").write_text(report, encoding="utf-8")
        (options.output / "results.json").write_text(
            json.dumps(results, indent=2) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
