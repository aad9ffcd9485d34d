"""From measurements to `RESULTS.md` (to read) and `results.json` (to compute with)."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from libraries import COMPILED, FORMS, TITLES
from timing import summary
from workloads import Workload, every_workload

OURS = ("gradtape", "eager")
PURE = ("gradtape", "no extension")


def write(records: list[dict], facts: dict, folder: Path | None) -> str:
    """The report as text; also written into a folder, with the data, if one is given."""
    results = {"conditions": facts | {"versions": _versions(records)}, "workloads": {}}
    for workload in every_workload():
        own = [r for r in records if r["workload"] == workload.name]
        if own:
            results["workloads"][workload.name] = summarized(workload, own)
    results["startup"] = _startup(records)
    text = as_markdown(results)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "RESULTS.md").write_text(text, encoding="utf-8")
        data = results | {"records": records}
        (folder / "results.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return text


# --- numbers -------------------------------------------------------------------------------------


def summarized(workload: Workload, records: list[dict]) -> dict:
    """Medians and quartiles over the turns; ratios are taken within a turn, then their median."""
    values = [r["check"] for r in records if "turns" in r]
    agreed = statistics.median(values) if values else None  # what most forms computed
    measured: dict = {"agreed": agreed, "forms": {}, "failures": {}, "ratios": []}
    for record in records:
        name = f"{record['library']} {record['form']}"
        if "failure" in record:
            measured["failures"][name] = record["failure"]
        elif not _agrees(record["check"], agreed, workload.tolerance):
            measured["failures"][name] = f"computed {record['check']:.6g} instead of {agreed:.6g}"
        else:
            measured["forms"][name] = {
                "seconds": summary(list(record["turns"].values())),
                "by_turn": record["turns"],
                **{key: record[key] for key in ("first", "memory", "check")},
            }
    measured["ratios"] = _ratios(workload, measured["forms"])
    return measured


def _agrees(value: float, agreed: float | None, tolerance: float) -> bool:
    return agreed is not None and abs(value - agreed) <= tolerance * max(abs(agreed), 1e-12)


def _ratios(workload: Workload, forms: dict) -> list[dict]:
    """gradtape's time to that of the peers that matter, with the goals."""
    peers = {name: f for name, f in forms.items() if not name.startswith("gradtape")}
    eager = {n: f for n, f in peers.items() if tuple(n.split(" ", 1)) not in COMPILED}
    compiled = {n: f for n, f in peers.items() if n not in eager}
    wanted = {"best eager": _quickest(eager), "best compiled": _quickest(compiled)}
    wanted |= {name: name for name in workload.goals if name in peers}
    measured = [
        _ratio(OURS, kind, name, forms, workload.goals.get(kind)) for kind, name in wanted.items()
    ]
    measured += [
        _ratio(PURE, name, name, forms, goal) for name, goal in workload.pure_goals.items()
    ]
    return [ratio for ratio in measured if ratio]


def _ratio(own: tuple, kind: str, peer: str | None, forms: dict, goal: float | None) -> dict | None:
    """The time of one of gradtape's forms to that of a peer; None where one of them is missing."""
    ours, theirs = forms.get(" ".join(own)), forms.get(peer)
    if not ours or not theirs:
        return None
    by_turn = theirs["by_turn"]
    ratio = summary(
        [own_time / by_turn[t] for t, own_time in ours["by_turn"].items() if t in by_turn]
    )
    least = ours["seconds"]["least"] / theirs["seconds"]["least"]
    return {
        **ratio,
        "of": " ".join(own),
        "to": kind,
        "peer": peer,
        "goal": goal,
        "met": None if goal is None else ratio["median"] <= goal,
        "least_to_least": least,
    }


def _quickest(forms: dict) -> str | None:
    return min(forms, key=lambda name: forms[name]["seconds"]["median"], default=None)


def _versions(records: list[dict]) -> dict[str, str]:
    return {r["library"]: r["version"] for r in records if "version" in r}


def _startup(records: list[dict]) -> dict:
    measured: dict[str, dict] = {}
    for library in FORMS:
        own = [r for r in records if r["library"] == library]
        imports = [r for r in own if "import" in r]
        sizes = [r for r in own if "with_dependencies" in r]
        facts: dict = {}
        if imports:
            facts["import"] = summary([r["import"] for r in imports])
            facts["first_gradient"] = summary([r["first_gradient"] for r in imports])
        if sizes:
            facts |= {key: sizes[0][key] for key in ("own", "with_dependencies")}
        if facts:
            measured[library] = facts
    return measured


# --- words ---------------------------------------------------------------------------------------


def in_seconds(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1 or unit == "µs":
            return f"{_three(seconds * scale)} {unit}"
    raise AssertionError


def _three(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def in_megabytes(count: float) -> str:
    return f"{_three(count / 2**20)} MiB"


def _cell(seconds: dict) -> str:
    """A median, and how far the quartiles lie apart."""
    apart = (seconds["high"] - seconds["low"]) / seconds["median"]
    return f"{in_seconds(seconds['median'])} ±{apart / 2:.0%}"


def as_markdown(results: dict) -> str:
    return "\n".join(
        [
            *_head(results["conditions"]),
            *_times(results["workloads"]),
            *_goals(results["workloads"]),
            *_rates(results["workloads"]),
            *_memory(results["workloads"]),
            *_beginnings(results),
            *_checks(results["workloads"]),
        ]
    )


def _head(facts: dict) -> list[str]:
    versions = ", ".join(
        f"{TITLES[name, FORMS[name][0]].split(',')[0].replace('.jit', '')} {version}"
        for name, version in facts["versions"].items()
    )
    lines = [
        "# Side by side",
        "",
        "Written by `bench/run.py`, which `make bench` runs; README.md in this folder tells how it",
        "measures.",
        "",
        f"{versions}; Python {facts['python']}, {facts['system']}, {facts['processor']}, "
        f"{facts['cores']} cores, load before the run {facts['load_before']}. "
        f"Median of {facts['turns']} turns, ± half of what lies between the quartiles.",
        "",
    ]
    if facts["quick"]:
        lines += ["**A quick run of few turns. Not for quoting.**", ""]
    return lines


def _columns(workloads: dict) -> list[tuple[str, str]]:
    seen = {name for w in workloads.values() for name in (*w["forms"], *w["failures"])}
    return [form for form in TITLES if " ".join(form) in seen]


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    made = ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
    return [*made, ""]


def _times(workloads: dict) -> list[str]:
    if not workloads:
        return []
    columns = _columns(workloads)
    notes: list[str] = []
    rows = []
    for workload in every_workload():
        measured = workloads.get(workload.name)
        if measured is None:
            continue
        cells = [workload.title]
        for form in columns:
            name = " ".join(form)
            if name in measured["forms"]:
                cells.append(_cell(measured["forms"][name]["seconds"]))
            else:
                text = measured["failures"].get(name, "")
                cells.append("–" if not text else f"– ({_note(notes, text)})")
        rows.append(cells)
    titles = [TITLES[form] for form in columns]
    listed = [f"{number}. {text}" for number, text in enumerate(notes, 1)]
    return [
        "## Time of a step",
        "",
        *_table(["", *titles], rows),
        *listed,
        *([""] if notes else []),
    ]


def _note(notes: list[str], text: str) -> int:
    text = text.replace("\n", " ").replace("|", "\\|")
    if text not in notes:
        notes.append(text)
    return notes.index(text) + 1


def _goals(workloads: dict) -> list[str]:
    rows = []
    for workload in every_workload():
        for ratio in workloads.get(workload.name, {}).get("ratios", []):
            peer = TITLES[tuple(ratio["peer"].split(" ", 1))]
            kind = f"{ratio['to']}, {peer}" if ratio["to"].startswith("best") else peer
            if ratio["of"] == " ".join(PURE):
                kind += ", without the extension"
            verdict = ""
            if ratio["goal"] is not None:
                verdict = f"≤ {ratio['goal']:g}: {'met' if ratio['met'] else '**missed**'}"
            spread = f"{ratio['low']:.3g}–{ratio['high']:.3g}"
            least = f"{ratio['least_to_least']:.3g}"
            rows.append(
                [workload.title, kind, f"**{ratio['median']:.3g}**", spread, least, verdict]
            )
    if not rows:
        return []
    head = ["gradtape's time ÷ that of", "", "median", "quartiles", "least ÷ least", "goal"]
    return ["## Ratios", "", *_table(head, rows)]


def _rates(workloads: dict) -> list[str]:
    rows = []
    for workload in every_workload():
        measured = workloads.get(workload.name)
        if workload.flops and measured:
            for name, form in measured["forms"].items():
                rate = workload.flops / form["seconds"]["least"] / 1e9
                title = TITLES[tuple(name.split(" ", 1))]
                rows.append([workload.title, title, f"{rate:.0f} GFLOP/s"])
    lines = ["## Rate of arithmetic, best turn", "", *_table(["", "", ""], rows)] if rows else []
    ours = " ".join(OURS)
    both = [workloads.get(name, {}).get("forms", {}).get(ours) for name in ("conv", "sgemm")]
    if all(both):
        flops = {w.name: w.flops for w in every_workload()}
        rates = [
            flops[name] / form["seconds"]["least"]
            for name, form in zip(("conv", "sgemm"), both, strict=True)
        ]
        share = rates[0] / rates[1]
        verdict = "met" if share >= 0.85 else "**missed**"
        lines += [
            f"gradtape's convolution reaches {share:.0%} of its matrix product's rate "
            f"(goal ≥ 85 %: {verdict}).",
            "",
        ]
    return lines


def _memory(workloads: dict) -> list[str]:
    rows = []
    shown = [w for w in every_workload() if w.shows_memory and w.name in workloads]
    for workload in shown:
        for name, form in workloads[workload.name]["forms"].items():
            if form["memory"] is not None:
                title = TITLES[tuple(name.split(" ", 1))]
                rows.append([workload.title, title, in_megabytes(form["memory"])])
    if not rows:
        return []
    text = "How far the process grew during its first steps, beyond data and parameters."
    verdicts = [line for w in shown if (line := _memory_verdict(w, workloads[w.name]["forms"]))]
    return ["## Peak memory of a step", "", text, "", *_table(["", "", ""], rows), *verdicts]


def _memory_verdict(workload: Workload, forms: dict) -> str:
    ours, theirs = (forms.get(name, {}).get("memory") for name in (" ".join(OURS), "torch eager"))
    if not ours or not theirs:
        return ""
    verdict = "met" if ours <= theirs else "**missed**"
    return f"{workload.title}: {ours / theirs:.2f} of PyTorch's (goal ≤ 1: {verdict}).\n"


def _beginnings(results: dict) -> list[str]:
    lines: list[str] = []
    rows = []
    for library, facts in results["startup"].items():
        title = TITLES[library, FORMS[library][0]].replace(".jit", "")
        cells = [title]
        times, sizes = ("import", "first_gradient"), ("own", "with_dependencies")
        cells += [_cell(facts[key]) if key in facts else "" for key in times]
        cells += [in_megabytes(facts[key]) if key in facts else "" for key in sizes]
        rows.append(cells)
    if rows:
        head = ["", "import", "until the first gradient", "installed", "with what it needs"]
        lines += ["## Beginning", "", *_table(head, rows)]
    compiled = [
        [w.title, TITLES[form], in_seconds(measured["forms"][" ".join(form)]["first"])]
        for w in every_workload()
        if (measured := results["workloads"].get(w.name)) and w.goals.keys() & {"best eager"}
        for form in TITLES
        if form in (OURS, *COMPILED) and " ".join(form) in measured["forms"]
    ]
    if compiled:
        lines += [
            "### The first step, with what is compiled then",
            "",
            *_table(["", "", ""], compiled),
        ]
    return lines


def _checks(workloads: dict) -> list[str]:
    rows = []
    for workload in every_workload():
        measured = workloads.get(workload.name)
        if measured is None or measured["agreed"] is None:
            continue
        values = [f["check"] for f in measured["forms"].values()]
        apart = max((abs(v / measured["agreed"] - 1) for v in values), default=0.0)
        rows.append([workload.title, f"{measured['agreed']:.7g}", str(len(values)), f"{apart:.1e}"])
    text = [
        "The loss after some steps, the derivative, or the sum of the sizes of all gradients. A",
        "form that computes something else is not counted above.",
    ]
    head = ["", "value", "forms that agree", "largest deviation"]
    return ["## Equal work", "", *text, "", *_table(head, rows)] if rows else []
