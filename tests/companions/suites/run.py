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
from records import GRAPH, NOT_COLLECTED, append, cause, read
from stand_ins.checkout import link

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TOGETHER = 8  # test files that share a process
CAUSES = 25  # that the report names
LINES = 5  # that the report shows of an error of collection
AN_HOUR = 3600
# What a test says that uses TensorFlow's private code, of which gradtape has what libraries use.
PRIVATE = r"does not have tensorflow\.python|uses tensorflow\."
# What pytest says when it ran all that it was to run: all passed, some failed, there were none.
COMPLETE = (0, 1, 5)


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
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "companions")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    return parser.parse_args(argv)


def chosen_files(library: Library, arguments) -> list[str]:
    """Return the test files to run: the same for the same seed."""
    result = [file for file in library.files(arguments.source) if arguments.only in file]
    return [file for file in result if in_sample(file, arguments.files, arguments.seed)]


def file_of(test: str) -> str:
    return test.partition("::")[0]


def is_below(conftest: str, file: str, source: Path) -> bool:
    """Return whether the tests of a file use a conftest."""
    return (source / file).is_relative_to(Path(conftest).parent)


def styles(folder: Path) -> Path:
    """Return a configuration of matplotlib with a style that tfdiffeq uses, and that matplotlib had
    when it was written."""
    style = folder / "matplotlib" / "stylelib" / "seaborn-paper.mplstyle"
    style.parent.mkdir(parents=True, exist_ok=True)
    style.touch()
    return style.parents[1].resolve()


def run_files(side: str, files: list[str], log: Path, arguments, only: list[str] | None) -> None:
    """Run the tests of some files in a process; in another one, what is left when it dies.

    A process that cannot collect says nothing of single files, except of those below a conftest
    that fails: the others are tried without them, at last each alone.
    """
    python = sys.executable if side == "here" else arguments.other
    inherited = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    ours = [str(ROOT / "src")] if side == "here" else []
    theirs = [str(folder) for folder in (arguments.source / "src",) if folder.is_dir()]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(
            [str(HERE), *ours, *theirs, *map(os.path.abspath, inherited)]
        ),
        "COMPANION_SIDE": side,
        "COMPANION_LOG": str(log.resolve()),
        "COMPANION_SHARE": str(arguments.share),
        "COMPANION_EACH": str(arguments.each),
        "COMPANION_SEED": arguments.seed,
        "COMPANION_GRAPHS": LIBRARIES[arguments.name].graphs or "",
        "COMPANION_SECONDS": str(arguments.seconds),
        "COMPANION_ONLY": json.dumps(only),
        "COMPANION_CHECKOUT": str(arguments.checkout or ""),
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
    command += ["--import-mode=importlib"] if arguments.checkout else []
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
            complete = done.returncode in COMPLETE
            ended, text = f"exit status {done.returncode}", done.stderr.strip() or done.stdout
        except subprocess.TimeoutExpired:
            complete, ended, text = False, "an hour without an end", ""
        if not running.exists():
            break
        append(log, id=running.read_text("utf-8"), outcome="died", cause=ended)
    if complete:
        return
    logged = {file_of(test) for test in read(log)}
    left = [file for file in files if file not in logged]
    conftest = re.search(r"while loading conftest '(.+)'", text)
    below = [file for file in left if conftest and is_below(conftest[1], file, arguments.source)]
    below = below or (left if len(files) == 1 else [])
    why = f"{ended}: {cause(text)}" if text.strip() else ended
    for file in below:
        append(log, id=file, outcome=NOT_COLLECTED, cause=why, text=text[-6000:])
    others = [file for file in left if file not in below]
    for group in [others] if below and others else [[file] for file in others]:
        run_files(side, group, log, arguments, only)


def run_side(
    side: str, files: list[str], folder: Path, arguments, only: list[str] | None = None
) -> dict[str, dict]:
    """Run the files, or `only` some tests and whole files, and return the results by test."""
    groups = [files[i :: -(-len(files) // TOGETHER)] for i in range(-(-len(files) // TOGETHER))]
    logs = [folder / f"{side}-{i}.jsonl" for i in range(len(groups))]
    together = folder / f"{side}.jsonl"
    known = read(together) if side == "there" else {}
    # What kept a file from being collected may have been mended.
    known = {test: r for test, r in known.items() if r["outcome"] != NOT_COLLECTED}
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
        if record["outcome"] not in ("passed", GRAPH)
        and not (why and record["outcome"] == "skipped" and re.search(why, record["cause"]))
    ]
    files = sorted({file_of(test) for test in failing})
    there = run_side("there", files, folder, arguments, failing) if files else {}
    failing_files = {test for test in failing if "::" not in test}
    there = {
        test: record
        for test, record in there.items()
        if test in here or file_of(test) in failing_files or record["outcome"] == NOT_COLLECTED
    }
    others = {test: record for test, record in here.items() if test not in failing}
    print(f"{len(failing)} tests or files do not pass here: these alone were run there")
    return others | there


def report_not_collected(where: str, what: str, results: dict[str, dict]) -> bool:
    """Print which files could not be collected, and the end of each error; return whether all
    could."""
    by_error: dict[str, list[str]] = {}
    for test, record in results.items():
        if record["outcome"] == NOT_COLLECTED:
            lines = [line for line in record["text"].splitlines() if line.strip()]
            error = "\n".join(f"      {line}" for line in lines[-LINES:] or [record["cause"]])
            by_error.setdefault(error, []).append(test)
    if by_error:
        count = sum(map(len, by_error.values()))
        print(f"\nnot collected {where}: {count} file{'s' * (count > 1)}, {what}")
    for error, files in by_error.items():
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        print(f"  {files[0]}{more}\n{error}")
    return not by_error


def report(library: Library, here: dict[str, dict], there: dict[str, dict]) -> bool:
    """Print the shares by area and the causes of failures; return whether all pass."""
    other = "on JAX" if library.keras else "on TensorFlow"
    all_there = report_not_collected(other, "whose tests are not counted", there)
    all_here = report_not_collected("here", "whose tests count as not passing", here)
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
    if not wanted:
        print(f"\nnothing is compared: no test passes {other}")
        return False
    print(f"\n{'area':28}{other:>14}{'of them here':>14}{'share':>9}{'skipped here':>14}")
    total = sum(areas.values(), Counter())
    for area, counts in [*sorted(areas.items()), ("all", total)]:
        share = 100 * counts["passed"] / max(counts["tests"], 1)
        print(
            f"{area:28}{counts['tests']:14}{counts['passed']:14}{share:8.1f}%{counts['skipped']:14}"
        )
    graphs = sum(record["outcome"] == GRAPH for record in there.values())
    if graphs:
        print(f"{graphs} tests that need a graph or a session of TensorFlow 1 are not counted")
    private = sum(count for text, count in causes.items() if re.search(PRIVATE, text))
    if library.private and private:
        share = 100 * total["passed"] / max(len(wanted) - private, 1)
        print(f"{private} use private names that have no stand-in; {share:.1f}% of the others pass")
    for text, count in causes.most_common(CAUSES):
        print(f"{count:5}  {text}")
    return all_there and all_here and not causes


def main(argv=None) -> int:
    arguments = parse(argv)
    arguments.source = arguments.source.resolve()
    # Tests run in the checkout. (A link is kept: it is what makes a Python an environment's.)
    arguments.other = os.path.abspath(arguments.other)
    library = LIBRARIES[arguments.name]
    folder = arguments.results / arguments.name
    arguments.checkout = arguments.source if library.private else None
    if arguments.checkout:
        arguments.source = link(arguments.checkout, folder.resolve() / "tests")
    files = chosen_files(library, arguments)
    if not files:
        raise SystemExit(f"no test files of {arguments.name} in {arguments.source}")
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.failing:
        here = run_side("here", files, folder, arguments)
        there = run_failing(here, folder, arguments)
    else:
        there = run_side("there", files, folder, arguments)
        here = run_side("here", files, folder, arguments)
    there |= {test: record for test, record in here.items() if record["outcome"] == GRAPH}
    graphs = {test: record for test, record in there.items() if record["outcome"] == GRAPH}
    missing = {test: record for test, record in there.items() if record["outcome"] == NOT_COLLECTED}
    others = [test for test in there if test not in graphs and test not in missing]
    chosen = sample(others, arguments.share, arguments.seed, arguments.each)
    counted = graphs | missing | {test: there[test] for test in chosen}
    return 0 if report(library, here, counted) else 1


if __name__ == "__main__":
    sys.exit(main())
