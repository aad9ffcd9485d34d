"""Run Keras's own tests, which its wheel ships, on the gradtape backend, and count.

    python tests/keras_suite/run.py [--fast] [AREA…]

It needs what the tests import beside Keras: `make keras-suite` makes such an environment.

The measure is the share of the tests that pass on Keras's JAX backend (`jax_pass.txt.gz`) which
pass here; of what Keras writes for TensorFlow alone, of those that pass there
(`tensorflow_pass.txt.gz`). Tests that cannot are listed with the reason in `exclusions.txt`; they
are not run, and count as not passed. The exit status is 1 if any other test does not pass.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
AREAS = (
    "initializers",
    "regularizers",
    "losses",
    "metrics",
    "random",
    "optimizers",
    "models",
    "trainers",
    "callbacks",
    "saving",
    "backend/common",
    "layers/preprocessing",
    "layers",
    "utils",
    "ops",
)
# An area is a process; but this one's folders have one each, so that two jobs share the work,
BY_FOLDER = {"layers"}
# and the largest file is run in parts, as a process with all of it would need several gigabytes.
PARTS = {"keras/src/ops/numpy_test.py": 4}
# What a quick run leaves out: functions with every pair of dtypes. That is two fifths of all tests,
# and most of the time, which JAX takes for compiling what they are compared with.
SLOW = "keras/src/ops/numpy_test.py::NumpyDtypeTest::"
SHOWN = 60  # failures to name in the report; --log keeps them all


def keras_folder() -> Path:
    spec = importlib.util.find_spec("keras")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0])


def counted() -> list[str]:
    """The tests that pass on JAX; of some folders, those that pass on TensorFlow."""
    result = []
    for name in ("jax_pass.txt.gz", "tensorflow_pass.txt.gz"):
        with gzip.open(HERE / name, "rt", encoding="utf-8") as file:
            result += [line.strip() for line in file if line.strip()]
    return result


def exclusions() -> dict[str, str]:
    """Excluded tests with the reason: each reason is a comment line above its tests."""
    result, reason = {}, ""
    for line in (HERE / "exclusions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            result[line.strip()] = reason
    return result


def area_of(test: str) -> str:
    path = test.removeprefix("keras/src/")
    return next((area for area in AREAS if path.startswith(area + "/")), "other")


class Group(NamedTuple):
    """Test files that share a process; of one file, perhaps, only a part."""

    files: tuple[str, ...]
    part: int = 0
    parts: int = 1

    def __str__(self) -> str:
        if len(self.files) > 1:
            return f"{area_of(self.files[0])} ({len(self.files)} files)"
        part = f", part {self.part + 1} of {self.parts}" if self.parts > 1 else ""
        return self.files[0] + part


def groups_of(tests: list[str], fast: bool) -> list[Group]:
    """The files of the tests in groups that each get a process, the largest file first."""
    together: dict[str, list[str]] = {}
    for file in sorted({test.split("::")[0] for test in tests}):
        key = area_of(file)
        if file in PARTS:
            key = file
        elif key in BY_FOLDER:
            key = str(Path(file).parent)
        together.setdefault(key, []).append(file)
    result = []
    for files in together.values():
        count = 1 if fast else PARTS.get(files[0], 1)
        result += [Group(tuple(files), i, count) for i in range(count)]
    return sorted(result, key=lambda group: group.parts, reverse=True)


def run_group(group: Group, arguments, log: Path) -> str:
    root = keras_folder().parent
    inherited = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    environment = os.environ | {
        # The tests run in a folder of their own, where relative paths mean nothing.
        "PYTHONPATH": os.pathsep.join([str(HERE), *map(os.path.abspath, inherited)]),
        "KERAS_SUITE_LOG": str(log),
        "KERAS_SUITE_PART": f"{group.part}/{group.parts}",
        "KERAS_SUITE_SKIP": SLOW if arguments.fast else "",
        "KERAS_HOME": str(log.parent / "keras"),
        "OPENBLAS_NUM_THREADS": "1",
        "JAX_PLATFORMS": "cpu",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(HERE / "pytest.ini"),
        f"--rootdir={root}",
        "--continue-on-collection-errors",
        *[str(root / file) for file in group.files],
    ]
    began = time.monotonic()
    done = subprocess.run(
        command, env=environment, cwd=log.parent, capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - began
    last = done.stdout.strip().splitlines()[-1:] or done.stderr.strip().splitlines()[-3:]
    return f"{seconds:7.1f} s  {group}: {' '.join(last)}"


def report(wanted: list[str], results: dict[str, dict], excluded: dict[str, str]) -> list[str]:
    """Print the shares by area; the tests that should have passed and did not."""
    print(f"\n{'area':22}{'there':>8}{'passed':>8}{'excluded':>10}{'failed':>8}{'share':>9}")
    total, failed = Counter(), []
    for area in (*AREAS, "all"):
        counts: Counter = Counter()
        if area == "all":
            counts = total
        else:
            for test in wanted:
                if area_of(test) != area:
                    continue
                passed = results.get(test, {}).get("outcome") == "passed"
                counts["tests"] += 1
                if passed:
                    counts["passed"] += 1
                elif test in excluded:
                    counts["excluded"] += 1
                else:
                    counts["failed"] += 1
                    failed.append(test)
            total.update(counts)
        if counts["tests"]:
            share = 100 * counts["passed"] / counts["tests"]
            print(
                f"{area:22}{counts['tests']:8}{counts['passed']:8}{counts['excluded']:10}"
                f"{counts['failed']:8}{share:8.2f}%"
            )
    return failed


def parse(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("areas", nargs="*", help=f"areas to run, of {', '.join(AREAS)}; all")
    parser.add_argument("--fast", action="store_true", help="leave out every pair of dtypes")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--log", type=Path, help="where to keep the results, one JSON line a test")
    return parser.parse_args(argv)


def main(argv=None) -> int:
    arguments = parse(argv)
    chosen = arguments.areas or list(AREAS)
    unknown = sorted(set(chosen) - set(AREAS))
    if unknown:
        raise SystemExit(f"unknown areas: {', '.join(unknown)}")
    excluded = exclusions()
    wanted = [
        test
        for test in counted()
        if area_of(test) in chosen and not (arguments.fast and test.startswith(SLOW))
    ]
    groups = groups_of(wanted, arguments.fast)
    with tempfile.TemporaryDirectory() as folder:
        logs = [Path(folder, f"{i}", "log.jsonl") for i in range(len(groups))]
        for log in logs:
            log.parent.mkdir()
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for line in pool.map(run_group, groups, [arguments] * len(groups), logs):
                print(line, flush=True)
        lines = [
            line for log in logs if log.exists() for line in log.read_text("utf-8").splitlines()
        ]
    if arguments.log:
        arguments.log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    results = {record["id"]: record for record in map(json.loads, lines)}
    failed = report(wanted, results, excluded)
    for test in failed[:SHOWN]:
        print(f"{results.get(test, {}).get('outcome', 'not run')}: {test}")
    if len(failed) > SHOWN:
        print(f"… and {len(failed) - SHOWN} more")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
