"""Measures Keras on gradtape beside Keras on TensorFlow and on JAX.

    python bench/keras_bench.py --tensorflow TENSORFLOW_PYTHON --jax JAX_PYTHON

`make bench-keras` creates the environments of the peers and runs this.

Each measurement is a process of its own; the libraries take turns, and who begins changes from
round to round. A pass is an epoch of `fit`, or a loop of one's own over the same batches: eager
around a `GradientTape` (gradtape, TensorFlow), or a pure step with `jax.value_and_grad` (JAX, as it
is and compiled by `jax.jit`). `fit` is what Keras does by default: TensorFlow and JAX compile
the step, which the passes before the measured ones have done. Losses after the same passes from
the same weights must agree, or the run stops.
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

WORKLOAD_FILE = Path(__file__).parent / "keras_models.py"

# Losses that must agree, relatively: two passes of float32 sums in different orders.
CHECK_TOLERANCE = 1e-3


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    title: str
    libraries: tuple[str, ...]
    goals: dict[str, float]  # peer → the largest ratio gradtape / peer that we accept


FIT = ("gradtape", "tensorflow", "jax")
LOOP = (*FIT, "jax-jit")
AHEAD = {"tensorflow": 1.0, "jax": 1.0}
WORKLOADS = (
    Workload("loop_mlp", "MLP, a loop of one's own", LOOP, {"tensorflow": 0.5}),
    Workload("loop_cnn", "CNN, a loop of one's own", LOOP, {"tensorflow": 0.5}),
    Workload("fit_mlp", "MLP, an epoch of `fit`", FIT, {}),
    Workload("fit_cnn", "CNN, an epoch of `fit`", FIT, {}),
    Workload("fit_mlp1", "MLP, batches of 1, `fit`", FIT, AHEAD),
    Workload("fit_tiny", "two small layers, batches of 1, `fit`", FIT, AHEAD),
    Workload("fit_stack", "8 small Dense + BatchNorm + swish + Dropout, `fit`", FIT, AHEAD),
    Workload("fit_deep", "200 small layers with shortcuts, `fit`", FIT, AHEAD),
)
TITLES = {
    "gradtape": "gradtape",
    "tensorflow": "TensorFlow",
    "jax": "JAX",
    "jax-jit": "JAX, step compiled",
}


def measure(python: str, library: str, workload: Workload) -> dict:
    """One measurement in a process of its own."""
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment["JAX_PLATFORMS"] = "cpu"
    command = [python, str(WORKLOAD_FILE), library, workload.name]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise SystemExit(f"{library}, {workload.name}: the workload failed\n{finished.stderr}")
    return json.loads(finished.stdout.splitlines()[-1])


def run_rounds(pythons: dict[str, str], workloads: list[Workload], rounds: int) -> list[dict]:
    """Every library does every workload once a round; who begins changes from round to round."""
    records = []
    for number in range(rounds):
        for workload in workloads:
            order = [library for library in workload.libraries if library in pythons]
            order = order[number % len(order) :] + order[: number % len(order)]
            for library in order:
                record = measure(pythons[library], library, workload)
                record.update(library=library, workload=workload.name, round=number)
                records.append(record)
                print(f"round {number + 1}/{rounds}  {workload.name:10}{library:11}", end="")
                print(
                    f"{record['seconds'] * 1e3:10.1f} ms   loss {record['check']:.6f}", flush=True
                )
    return records


def summarize(records: list[dict], workload: Workload) -> dict:
    """Medians and ranges over the rounds; ratios are taken within a round, then their median."""
    seconds: dict[str, list[float]] = {}
    losses: dict[str, float] = {}
    for record in records:
        if record["workload"] == workload.name:
            seconds.setdefault(record["library"], []).append(record["seconds"])
            losses[record["library"]] = record["check"]
    for library, loss in losses.items():
        if not math.isclose(loss, losses["gradtape"], rel_tol=CHECK_TOLERANCE):
            raise SystemExit(f"{workload.name}: {library} got the loss {loss}, others {losses}")
    summary = {"losses": losses, "seconds": {}, "ratios": {}}
    for library, values in seconds.items():
        summary["seconds"][library] = spread(values)
        if library != "gradtape":
            pairs = zip(seconds["gradtape"], values, strict=True)
            goal = workload.goals.get(library)
            ratio = spread([ours / theirs for ours, theirs in pairs])
            ratio["of_least"] = min(seconds["gradtape"]) / min(values)
            summary["ratios"][library] = ratio | {"goal": goal}
    return summary


def spread(values: list[float]) -> dict:
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def in_unit(values: dict, scale: float) -> str:
    numbers = [values[key] * scale for key in ("median", "least", "most")]
    return "{} ({}–{})".format(*(f"{n:.0f}" if n >= 100 else f"{n:.3g}" for n in numbers))


def conditions(records: list[dict], rounds: int, load: float | None) -> dict:
    """What the numbers depend on. Names of machines and folders are left out on purpose."""
    versions = {record["library"]: record["version"] for record in records}
    return {
        "versions": {name: versions[name] for name in FIT if name in versions},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "rounds": rounds,
        "load_before": load,
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def as_markdown(results: dict) -> str:
    facts = results["conditions"]
    versions = ", ".join(f"{TITLES[name]} {version}" for name, version in facts["versions"].items())
    lines = [
        "# Keras on gradtape beside Keras on TensorFlow and on JAX",
        "",
        "Written by `bench/keras_bench.py`, which `make bench-keras` runs; its text and that of",
        "`keras_models.py` tell what is measured, and how.",
        "",
        f"{versions}; Python {facts['python']}, {facts['system']}, {facts['processor']},",
        f"{facts['cores']} cores, load before the run {facts['load_before']}. Median of"
        f" {facts['rounds']} interleaved rounds (least–most), in milliseconds for one pass over the"
        " data.",
        "",
        "| workload | " + " | ".join(TITLES.values()) + " |",
        "|---|" + "---|" * len(TITLES),
    ]
    ratios = [
        "| gradtape's time ÷ that of Keras on | median (least–most) | least ÷ least | goal |",
        "|---|---|---|---|",
    ]
    losses = ["| loss of the second pass | " + " | ".join(TITLES.values()) + " |"]
    losses.append("|---|" + "---|" * len(TITLES))
    for workload in WORKLOADS:
        summary = results["workloads"].get(workload.name)
        if summary is None:
            continue
        times = [summary["seconds"].get(library) for library in TITLES]
        cells = ["–" if each is None else in_unit(each, 1e3) for each in times]
        lines.append(f"| {workload.title} | " + " | ".join(cells) + " |")
        measured = [summary["losses"].get(library) for library in TITLES]
        cells = ["–" if each is None else f"{each:.6f}" for each in measured]
        losses.append(f"| {workload.title} | " + " | ".join(cells) + " |")
        for library, ratio in summary["ratios"].items():
            verdict = "–"
            if ratio["goal"] is not None:
                met = "met" if ratio["median"] <= ratio["goal"] else "**missed**"
                verdict = f"≤ {ratio['goal']:g}: {met}"
            cells = [in_unit(ratio, 1.0), f"{ratio['of_least']:.3g}", verdict]
            ratios.append(f"| {TITLES[library]} ({workload.title}) | " + " | ".join(cells) + " |")
    lines += ["", *ratios, "", "Equal work:", "", *losses]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gradtape", default=sys.executable, help="interpreter with gradtape")
    parser.add_argument("--tensorflow", help="interpreter with TensorFlow and Keras")
    parser.add_argument("--jax", help="interpreter with JAX and Keras")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=[w.name for w in WORKLOADS])
    parser.add_argument("--output", type=Path, help="folder for KERAS.md and keras.json")
    options = parser.parse_args()

    pythons = {"gradtape": options.gradtape, "tensorflow": options.tensorflow}
    pythons |= {"jax": options.jax, "jax-jit": options.jax}
    pythons = {library: python for library, python in pythons.items() if python}
    workloads = [w for w in WORKLOADS if not options.only or w.name in options.only]
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    records = run_rounds(pythons, workloads, options.rounds)
    results = {
        "conditions": conditions(records, options.rounds, load),
        "workloads": {w.name: summarize(records, w) for w in workloads},
    }
    report = as_markdown(results)
    print("\n" + report)
    if options.output:
        (options.output / "KERAS.md").write_text(report, encoding="utf-8")
        (options.output / "keras.json").write_text(
            json.dumps(results, indent=2) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
