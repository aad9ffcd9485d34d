"""Draws the plots of the benchmarks from the data in `bench/`."""

from __future__ import annotations

import importlib
import json
import math
import sys
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from tools.site import drawing

OURS = "gradtape eager"
MARKS = "o^svD<>X"


def draw(root: Path, source: Path) -> dict[str, str]:
    """Draw all plots; return, by name, what goes into the page."""
    sys.path.insert(0, str(root / "bench"))
    results = json.loads((root / "bench" / "results.json").read_text(encoding="utf-8"))
    keras = json.loads((root / "bench" / "keras.json").read_text(encoding="utf-8"))
    charts = {
        "steps": (lambda figure: _steps(figure, results), (8.5, 8), "time of each peer's step"),
        "start": (lambda figure: _start(figure, results), (8, 2.6), "start and size"),
        "memory": (lambda figure: _memory(figure, results), (8, 3), "peak memory of a step"),
        "keras": (lambda figure: _keras(figure, keras), (8, 3.2), "Keras on three backends"),
    }
    result = {}
    for name, (function, size, text) in charts.items():
        drawing.save(f"charts/{name}", function, size)
        result[f"chart-{name}"] = drawing.tags(f"charts/{name}", text)
    return result


def _titles() -> tuple[dict[str, str], dict[str, str]]:
    """Return the titles of workloads and of forms, as the report has them."""
    workloads = {w.name: w.title.replace("`", "") for w in _module("workloads").every_workload()}
    forms = {" ".join(key): title for key, title in _module("libraries").TITLES.items()}
    return workloads, forms


def _module(name: str) -> Any:
    return importlib.import_module(name)


def _steps(figure: Figure, results: dict[str, Any]) -> None:
    """A row for each workload: the time of each form, as a multiple of gradtape's."""
    workloads, forms = _titles()
    axes = figure.subplots()
    names = list(results["workloads"])[::-1]
    others = [form for form in forms if form != OURS]
    for form, mark in zip(others, MARKS, strict=True):
        rows = []
        for row, name in enumerate(names):
            measured = results["workloads"][name]["forms"]
            if form in measured:
                ratio = _median(measured[form]) / _median(measured[OURS])
                rows.append((ratio, row))
        if rows:
            axes.scatter(*zip(*rows, strict=True), marker=mark, label=forms[form], s=26)
    axes.axvline(1, linestyle="-", linewidth=1, color="gray")
    axes.set(xscale="log", yticks=range(len(names)), xlabel="time ÷ gradtape's time")
    axes.set_yticklabels([workloads[name] for name in names])
    axes.grid(axis="both", alpha=0.25)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)


def _median(measured: dict[str, Any]) -> float:
    return measured["seconds"]["median"]


def _start(figure: Figure, results: dict[str, Any]) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    _, forms = _titles()
    startup = results["startup"]
    titles = [forms.get(f"{name} eager", name) for name in startup]
    seconds = [facts["first_gradient"]["median"] for facts in startup.values()]
    sizes = [facts["with_dependencies"] / 2**20 for facts in startup.values()]
    for axes, values, text in (
        (left, [round(s, 3) for s in seconds], "seconds to the first gradient"),
        (right, [round(s) for s in sizes], "MiB installed, with what it needs"),
    ):
        bars = axes.barh(titles, values)
        axes.bar_label(bars, fmt="%.4g", padding=3)
        axes.set_title(text)
        axes.margins(x=0.15)
    left.invert_yaxis()


def _memory(figure: Figure, results: dict[str, Any]) -> None:
    workloads, forms = _titles()
    shown = ("cnn", "gpt")
    for axes, name in zip(figure.subplots(1, 2), shown, strict=True):
        measured = results["workloads"][name]["forms"]
        values = [measured[f]["memory"] / 2**20 if f in measured else math.nan for f in forms]
        bars = axes.barh(list(forms.values()), values)
        texts = ["not measured" if math.isnan(value) else f"{value:.0f}" for value in values]
        axes.bar_label(bars, texts, padding=3)
        axes.set_title(workloads[name], fontsize=9)
        axes.set_xlabel("MiB")
        axes.margins(x=0.15)
        axes.invert_yaxis()


def _keras(figure: Figure, results: dict[str, Any]) -> None:
    module = _module("keras_bench")
    titles = {w.name: w.title.replace("`", "") for w in module.WORKLOADS}
    axes = figure.subplots()
    names, backends = list(results["workloads"]), list(module.TITLES)
    height = 0.8 / len(backends)
    for number, backend in enumerate(backends):
        rows = [
            (row + number * height, 1000 * results["workloads"][name]["seconds"][backend]["median"])
            for row, name in enumerate(names)
            if backend in results["workloads"][name]["seconds"]
        ]
        bars = axes.barh(*zip(*rows, strict=True), height, label=module.TITLES[backend])
        axes.bar_label(bars, fmt="%.0f", padding=3, fontsize=8)
    axes.set(yticks=[r + 1.5 * height for r in range(len(names))], xlabel="ms for a pass over data")
    axes.set_yticklabels([titles[name] for name in names])
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.legend()
