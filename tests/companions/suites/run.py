"""Run a library's own tests on gradtape and on TensorFlow, and compare them test by test.

    python tests/companions/suites/run.py NAME --source CHECKOUT --other PYTHON

NAME is a row of `libraries.py`, CHECKOUT its repository, and PYTHON an environment with TensorFlow
in which the library's dependencies are installed; the Python that runs this one has them, too, and
gradtape. The library itself comes from the checkout, so that both sides have the same. A library
made for Keras is compared with itself on Keras's JAX backend: PYTHON has JAX then.

The measure is the share of the tests that pass on the other side which pass here, by area. Results
lie in build/companions/NAME, a JSON line a test. Those of the other side are kept for the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libraries import LIBRARIES, Library, in_sample, sample

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TOGETHER = 8  # test files that share a process
CAUSES = 25  # that the report names
AN_HOUR = 3600


def parse(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", choices=sorted(LIBRARIES))
    parser.add_argument("--source", type=Path, required=True, help="the library's repository")
    parser.add_argument("--other", required=True, help="a Python with TensorFlow, or with JAX")
    parser.add_argument("--only", default="", help="a pattern: files whose path contains it")
    parser.add_argument("--files", type=float, default=1.0, help="share of the files, at random")
    parser.add_argument("--share", type=float, default=1.0, help="share of each file's tests")
    parser.add_argument("--each", type=int, default=10**6, help="at most so many of each file")
    parser.add_argument("--seed", default="1", help="what the random choice depends on")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time of a test")
    parser.add_argument(
        "--failing",
        action="store_true",
        help="run on the other side only what fails here, and take it that the rest passes there",
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    return parser.parse_args(argv)


def chosen_files(library: Library, arguments) -> list[str]:
    """Return the test files to run: the same for the same seed."""
    result = [file for file in library.files(arguments.source) if arguments.only in file]
    return [file for file in result if in_sample(file, arguments.files, arguments.seed)]


def file_of(test: str) -> str:
    return test.partition("::")[0]


def read(log: Path) -> dict[str, dict]:
    if not log.exists():
        return {}
    return {record["id"]: record for record in map(json.loads, log.read_text("utf-8").splitlines())}


def styles(folder: Path) -> Path:
    """Return a configuration of matplotlib with a style that tfdiffeq uses, and that matplotlib had
    when it was written."""
    style = folder / "matplotlib" / "stylelib" / "seaborn-paper.mplstyle"
    style.parent.mkdir(parents=True, exist_ok=True)
    style.touch()
    return style.parents[1].resolve()


def run_files(side: str, files: list[str], log: Path, arguments, only: list[str] | None) -> None:
    """Run the tests of some files in a process; in another one, what is left when it dies."""
    python = sys.executable if side == "here" else arguments.other
    inherited = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    ours = [str(ROOT / "src")] if side == "here" else []
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(HERE), *ours, *map(os.path.abspath, inherited)]),
        "COMPANION_SIDE": side,
        "COMPANION_LOG": str(log.resolve()),
        "COMPANION_SHARE": str(arguments.share),
        "COMPANION_EACH": str(arguments.each),
        "COMPANION_SEED": arguments.seed,
        "COMPANION_GRAPHS": LIBRARIES[arguments.name].graphs or "",
        "COMPANION_SECONDS": str(arguments.seconds),
        "COMPANION_ONLY": json.dumps(only),
        "COMPANION_SERVED": LIBRARIES[arguments.name].served,
        "OPENBLAS_NUM_THREADS": "1",
        "TF_NUM_INTRAOP_THREADS": "1",
        "TF_NUM_INTEROP_THREADS": "1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": str(styles(log.parent)),
    }
    if LIBRARIES[arguments.name].keras:
        environment["KERAS_BACKEND"] = "gradtape" if side == "here" else "jax"
    command = [python, "-m", "pytest", "-q", "-p", "companion_plugin", "-p", "no:cacheprovider"]
    command += ["-p", "no:xdist", f"--rootdir={arguments.source}", "-W", "ignore"]
    command += ["--continue-on-collection-errors", *files]
    running = log.with_suffix(".running")
    while True:
        running.unlink(missing_ok=True)
        try:
            done = subprocess.run(
                command,
                env=environment,
                cwd=arguments.source,
                capture_output=True,
                text=True,
                check=False,
                timeout=AN_HOUR,
            )
            ended = f"exit status {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = "an hour without an end"
        if not running.exists():
            return
        record = {"id": running.read_text("utf-8"), "outcome": "died", "cause": ended}
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def run_side(
    side: str, files: list[str], folder: Path, arguments, only: list[str] | None = None
) -> dict[str, dict]:
    """Run the files, or `only` some tests and whole files, and return the results by test."""
    groups = [files[i :: -(-len(files) // TOGETHER)] for i in range(-(-len(files) // TOGETHER))]
    logs = [folder / f"{side}-{i}.jsonl" for i in range(len(groups))]
    together = folder / f"{side}.jsonl"
    known = read(together) if side == "there" else {}
    for log, group in zip(logs, groups, strict=True):
        records = [r for test, r in known.items() if file_of(test) in group]
        log.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        finished = pool.map(
            lambda group, log: run_files(
                side, group, log, arguments, only and [t for t in only if file_of(t) in group]
            ),
            groups,
            logs,
        )
        for i, _ in enumerate(finished):
            print(f"{side}: {i + 1} of {len(groups)} groups of files", flush=True)
    results = {test: record for log in logs for test, record in read(log).items()}
    for log in logs:
        log.unlink()
    kept = "".join(json.dumps(record) + "\n" for record in (known | results).values())
    together.write_text(kept, "utf-8")
    return results


def run_failing(here: dict[str, dict], folder: Path, arguments) -> dict[str, dict]:
    """Run on the other side what does not pass here. The rest counts as if it passed there."""
    why = LIBRARIES[arguments.name].skipped
    failing = [
        test
        for test, record in here.items()
        if record["outcome"] not in ("passed", "graph")
        and not (why and record["outcome"] == "skipped" and re.search(why, record["cause"]))
    ]
    files = sorted({file_of(test) for test in failing})
    there = run_side("there", files, folder, arguments, failing) if files else {}
    failing_files = {test for test in failing if "::" not in test}
    there = {t: r for t, r in there.items() if t in here or file_of(t) in failing_files}
    others = {test: record for test, record in here.items() if test not in failing}
    print(f"{len(failing)} tests or files do not pass here: these alone were run there")
    return others | there


def report(library: Library, here: dict[str, dict], there: dict[str, dict]) -> bool:
    """Print the shares by area and the causes of failures; return whether all pass."""
    wanted = [test for test, record in there.items() if record["outcome"] == "passed"]
    areas: dict[str, Counter] = {}
    causes: Counter = Counter()
    for test in wanted:
        record = here.get(test) or here.get(file_of(test)) or {"outcome": "not run"}
        counts = areas.setdefault(library.area_of(test), Counter())
        counts["tests"] += 1
        counts[record["outcome"]] += 1
        if record["outcome"] != "passed":
            causes[f"{record['outcome']}: {record.get('cause', '')}"] += 1
    other = "on JAX" if library.keras else "on TensorFlow"
    print(f"\n{'area':28}{other:>14}{'of them here':>14}{'share':>9}{'skipped here':>14}")
    total = sum(areas.values(), Counter())
    for area, counts in [*sorted(areas.items()), ("all", total)]:
        share = 100 * counts["passed"] / max(counts["tests"], 1)
        print(
            f"{area:28}{counts['tests']:14}{counts['passed']:14}{share:8.1f}%{counts['skipped']:14}"
        )
    graphs = sum(record["outcome"] == "graph" for record in there.values())
    if graphs:
        print(f"{graphs} tests that build graphs of TensorFlow 1 were run on neither side")
    for cause, count in causes.most_common(CAUSES):
        print(f"{count:5}  {cause}")
    return not causes


def main(argv=None) -> int:
    arguments = parse(argv)
    arguments.source = arguments.source.resolve()
    # Tests run in the checkout. (A link is kept: it is what makes a Python an environment's.)
    arguments.other = os.path.abspath(arguments.other)
    library = LIBRARIES[arguments.name]
    files = chosen_files(library, arguments)
    if not files:
        raise SystemExit(f"no test files of {arguments.name} in {arguments.source}")
    folder = ROOT / "build" / "companions" / arguments.name
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.failing:
        here = run_side("here", files, folder, arguments)
        there = run_failing(here, folder, arguments)
    else:
        there = run_side("there", files, folder, arguments)
        here = run_side("here", files, folder, arguments)
    graphs = {test: record for test, record in there.items() if record["outcome"] == "graph"}
    others = [test for test in there if test not in graphs]
    chosen = sample(others, arguments.share, arguments.seed, arguments.each)
    return 0 if report(library, here, graphs | {test: there[test] for test in chosen}) else 1


if __name__ == "__main__":
    sys.exit(main())
