"""Every workload in every library, side by side: medians, spreads and ratios.

    python bench/run.py --gradtape PYTHON --torch PYTHON --tensorflow PYTHON --jax PYTHON \\
        --autograd PYTHON [--only WORKLOAD ...] [--turns N] [--quick] [--output FOLDER]

Each form of each library is a process of its own, with a time limit; at a workload they take turns,
and who begins changes from turn to turn. README.md tells more.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
from pathlib import Path

import report
from libraries import FORMS, TITLES
from turns import Failure, Process, take_turns
from workloads import every_workload

STARTUP = ("import", "size")  # measured once for each library, not for each form


class Session:
    """All that was measured so far: one record for each library and form at each workload."""

    def __init__(self, pythons: dict[str, str], limit: float, turns: int, budget: float) -> None:
        self.pythons = pythons
        self.limit = limit
        self.turns = turns
        self.budget = budget
        self.records: list[dict] = []

    def measure(self, workload: str) -> None:
        if workload in STARTUP:
            for library in self.pythons:
                self._begin(library, workload)
            return
        records, processes = {}, {}
        for key in [(library, form) for library in self.pythons for form in FORMS[library]]:
            records[key], processes[key] = self._prepare(*key, workload)
        ready = {key: process for key, process in processes.items() if process}
        samples = take_turns(ready, self.turns, self.budget)
        for key, process in ready.items():
            process.end()
            measured = samples[key]
            records[key] |= (
                _failed(measured) if isinstance(measured, Failure) else {"turns": measured}
            )
        for record in records.values():
            self._keep(record)

    def _prepare(self, library: str, form: str, workload: str):
        """A record and a process that waits for its turn; the record of a failure and None."""
        record = {"library": library, "form": form, "workload": workload}
        process = None
        try:
            process = Process(self.pythons[library], library, form, workload, self.limit)
            return record | process.ready(), process
        except Failure as failure:
            if process:
                process.end()
            return record | _failed(failure), None

    def _begin(self, library: str, workload: str) -> None:
        """Starts anew as often as there are turns: it is the beginning that is measured."""
        for _ in range(1 if workload == "size" else min(self.turns, 7)):
            record, process = self._prepare(library, FORMS[library][0], workload)
            if process:
                process.end()
            self._keep(record)
            if "failure" in record:
                return

    def _keep(self, record: dict) -> None:
        self.records.append(record)
        title = TITLES[record["library"], record["form"]]
        said = record.get("failure") or _short(record)
        print(f"{record['workload']:<14} {title:<24} {said}", flush=True)


def _failed(failure: Failure) -> dict:
    return {"failure": str(failure), "kind": failure.kind}


def _short(measured: dict) -> str:
    if "turns" in measured:
        return report.in_seconds(statistics.median(measured["turns"].values()))
    if "import" in measured:
        return report.in_seconds(measured["first_gradient"])
    return report.in_megabytes(measured["with_dependencies"])


def conditions(options, load: float | None) -> dict:
    """What the numbers depend on. Names of machines and folders are left out on purpose."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "turns": options.turns,
        "quick": options.quick,
        "load_before": load,
        "limit": options.limit,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def parsed(arguments=None) -> argparse.Namespace:
    names = [w.name for w in every_workload()] + list(STARTUP)
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for library in FORMS:
        given = sys.executable if library == "gradtape" else None
        parser.add_argument(f"--{library}", default=given, help=f"a Python with {library}")
    parser.add_argument(
        "--only", nargs="+", choices=names, metavar="WORKLOAD", help=", ".join(names)
    )
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--limit", type=float, default=600, help="seconds for one answer")
    parser.add_argument("--quick", action="store_true", help="three turns only")
    parser.add_argument("--output", type=Path, help="folder for RESULTS.md and results.json")
    options = parser.parse_args(arguments)
    if options.quick:
        options.turns = 3
    options.only = options.only or names
    return options


def main() -> None:
    options = parsed()
    given = {library: getattr(options, library) for library in FORMS}
    pythons = {library: python for library, python in given.items() if python}
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    session = Session(pythons, options.limit, options.turns, budget=20.0)
    facts = conditions(options, load)
    text = ""
    for workload in options.only:
        session.measure(workload)
        # After each, so that a run that is stopped leaves what it has.
        text = report.write(session.records, facts, options.output)
    print("\n" + text)


if __name__ == "__main__":
    main()
