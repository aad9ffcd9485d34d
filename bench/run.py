"""Every workload in every library, side by side: medians, spreads and ratios.

    python bench/run.py --gradtape PYTHON --torch PYTHON --tensorflow PYTHON --jax PYTHON \\
        --autograd PYTHON [--only WORKLOAD ...] [--rounds N] [--quick] [--output FOLDER]

Each measurement is a process of its own, with a time limit; in a round all libraries take turns at
a workload, and who begins changes from round to round. README.md tells more.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import report
from libraries import FORMS, TITLES
from workloads import every_workload

HERE = Path(__file__).parent
STARTUP = ("import", "size")  # measured once for each library, not for each form


class Session:
    """All that was measured so far."""

    def __init__(self, pythons: dict[str, str], limit: float, budget: float) -> None:
        self.pythons = pythons
        self.limit = limit
        self.budget = budget
        self.records: list[dict] = []

    def forms(self, workload: str) -> list[tuple[str, str]]:
        forms = [(library, form) for library in self.pythons for form in FORMS[library]]
        if workload in STARTUP:
            forms = [(library, FORMS[library][0]) for library in self.pythons]
        return forms

    def round(self, number: int, workloads: list[str]) -> None:
        """Each workload once in each library and form that has not failed at it before."""
        for workload in workloads:
            forms = self.forms(workload)
            turn = number % len(forms)
            for library, form in forms[turn:] + forms[:turn]:
                if not self._gave_up(library, form, workload):
                    self._measure(number, library, form, workload)

    def _gave_up(self, library: str, form: str, workload: str) -> bool:
        asked = (library, form, workload)
        return any(
            (r["library"], r["form"], r["workload"]) == asked and "failure" in r
            for r in self.records
        )

    def _measure(self, number: int, library: str, form: str, workload: str) -> None:
        start = time.perf_counter()
        found = self._run(library, form, workload)
        record = {"round": number, "library": library, "form": form, "workload": workload}
        self.records.append(record | found)
        said = found.get("failure") or _short(found)
        title = TITLES[library, form]
        print(
            f"round {number}  {workload:<14} {title:<24} {said}  "
            f"[{time.perf_counter() - start:.0f} s]",
            flush=True,
        )

    def _run(self, library: str, form: str, workload: str) -> dict:
        command = [self.pythons[library], str(HERE / "measure.py"), library, form, workload]
        command += ["--budget", str(self.budget)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=self.limit, check=False
            )
        except subprocess.TimeoutExpired:
            return {"failure": f"took longer than {self.limit:.0f} s", "kind": "timeout"}
        except OSError as error:
            return {"failure": f"{command[0]}: {error.strerror}", "kind": "error"}
        try:
            found = json.loads(done.stdout.strip().splitlines()[-1])
        except (IndexError, ValueError):
            said = [line for line in done.stderr.splitlines() if line.strip()]
            text = said[-1].strip()[:300] if said else f"ended with code {done.returncode}"
            return {"failure": text, "kind": "error"}
        if "unavailable" in found:
            return {"failure": found["unavailable"], "kind": "unavailable"}
        return found


def _short(found: dict) -> str:
    if "seconds" in found:
        return report.in_seconds(found["seconds"]["median"])
    if "import" in found:
        return report.in_seconds(found["first_gradient"])
    return report.in_megabytes(found["with_dependencies"])


def conditions(options, load: float | None) -> dict:
    """What the numbers depend on. Names of machines and folders are left out on purpose."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "rounds": options.rounds,
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
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=600, help="seconds for one measurement")
    parser.add_argument("--quick", action="store_true", help="one round with short samples")
    parser.add_argument("--output", type=Path, help="folder for RESULTS.md and results.json")
    options = parser.parse_args(arguments)
    if options.quick:
        options.rounds = 1
    options.only = options.only or names
    return options


def main() -> None:
    options = parsed()
    given = {library: getattr(options, library) for library in FORMS}
    pythons = {library: python for library, python in given.items() if python}
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
    session = Session(pythons, options.limit, 0.3 if options.quick else 2.0)
    facts = conditions(options, load)
    for number in range(options.rounds):
        session.round(number, options.only)
        # After each round, so that a run that is stopped leaves what it has.
        text = report.write(session.records, facts | {"rounds": number + 1}, options.output)
    print("\n" + text)


if __name__ == "__main__":
    main()
