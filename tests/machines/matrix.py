"""Runs the tests that compute as other machines, users and shells would run them.

    python tests/machines/matrix.py [--only NAME ...] [-- pytest's arguments]

Each row of `ROWS` chooses the extension's instructions, the kernels of OpenBLAS, the number of
threads, and a few things around the process. Together they have every level of every factor, and
the factors change independently of each other. All rows run the same tests: no result may depend on
how a BLAS rounds. What this machine cannot do (instructions that it has not got) is said, not run.
"""

from __future__ import annotations

import argparse
import locale
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMERIC = ["tests/ops", "tests/explain", "tests/backends/native", "tests/core"]
# The rest of the environment: where signals, locales, homes and users could matter.
AROUND = ["tests/cli", "tests/package", "tests/train/test_checkpoint.py"]
# What a set of instructions, or a BLAS's kernels, need of the processor.
NEEDS = {
    "portable": set(),
    "avx2": {"avx2", "fma"},
    "avx512": {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512cd"},
    "Prescott": {"pni"},
    "Nehalem": {"sse4_2"},
    "Haswell": {"avx2", "fma"},
    "Zen": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512cd"},
}


@dataclass(frozen=True)
class Row:
    instructions: str
    blas: str
    threads: int
    locale: str = ""
    ignores_interrupts: bool = False
    home_is_read_only: bool = False
    path_has_spaces: bool = False
    other_user: bool = False

    @property
    def name(self) -> str:
        return f"{self.instructions}-{self.blas}-{self.threads}"

    def missing(self, processor: set[str]) -> set[str]:
        return (NEEDS[self.instructions] | NEEDS[self.blas]) - processor

    def words(self) -> str:
        around = [
            f"locale {self.locale}" if self.locale else "",
            "SIGINT ignored" if self.ignores_interrupts else "",
            "a home that cannot be written" if self.home_is_read_only else "",
            "a path with spaces" if self.path_has_spaces else "",
            "another user" if self.other_user else "",
        ]
        return ", ".join(
            [f"{self.instructions}, OpenBLAS for {self.blas}, {self.threads} threads"]
            + [text for text in around if text]
        )


ROWS = [
    Row("portable", "Prescott", 1, "tr_TR.UTF-8", ignores_interrupts=True),
    Row("avx2", "Nehalem", 16, "C", path_has_spaces=True, other_user=True, home_is_read_only=True),
    Row("avx2", "Haswell", 2, "de_DE.UTF-8", ignores_interrupts=True, home_is_read_only=True),
    Row("portable", "Zen", 16, "", path_has_spaces=True),
    Row("avx512", "SkylakeX", 2, "tr_TR.UTF-8", other_user=True, path_has_spaces=True),
    Row("avx512", "Prescott", 1, "de_DE.UTF-8", home_is_read_only=True),
]
# LC_ALL is for C code; setlocale makes the process use it, as a program with a window does.
START = """
import locale, sys
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
# Another user: may read what root may (the interpreter can lie in its home), and write nothing.
OTHER_USER = [
    "setpriv",
    "--reuid=54321",
    "--regid=54321",
    "--clear-groups",
    "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search",
    "--bounding-set=-all,+dac_read_search",
]


def processor() -> set[str]:
    """The instructions of this machine's processor, by Linux's names."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return set(next((x.split(":")[1] for x in lines if x.startswith("flags")), "").split())


def is_installed(name: str) -> bool:
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        return False
    finally:
        locale.setlocale(locale.LC_ALL, before)
    return True


def copy_of_checkout(folder: Path) -> Path:
    """A copy at a path with spaces, with all that the tests read."""
    made = folder / "a check out"
    left_out = shutil.ignore_patterns(".git", ".venv", ".bench", "build", "__pycache__")
    shutil.copytree(ROOT, made, ignore=left_out)
    return made


def run(row: Row, pytest: list[str]) -> int:
    """Run the tests, and return pytest's exit status."""
    environment = {
        **os.environ,
        "GRADTAPE_ISA": row.instructions,
        "OPENBLAS_CORETYPE": row.blas,
        "OPENBLAS_NUM_THREADS": str(row.threads),
        "GRADTAPE_NUM_THREADS": str(row.threads),
    }
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        checkout = copy_of_checkout(folder) if row.path_has_spaces else ROOT
        environment["PYTHONPATH"] = f"{checkout}{os.pathsep}{checkout / 'src'}"
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        if row.locale:
            environment.update({"LC_ALL": row.locale, "LANG": row.locale})
        if row.home_is_read_only:
            home = folder / "home"
            home.mkdir(mode=0o555)
            # Root may write anyway; nobody can below a file.
            (home / "file").write_text("")
            environment["HOME"] = str(home / "file")
        user = OTHER_USER if row.other_user and os.getuid() == 0 else []
        temporary = folder / "temporary"
        temporary.mkdir()
        temporary.chmod(0o1777)
        environment["TMPDIR"] = str(temporary)
        environment["HYPOTHESIS_STORAGE_DIRECTORY"] = str(temporary / "hypothesis")
        command = [
            *user,
            sys.executable,
            "-c",
            START,
            "-q",
            "-p",
            "no:cacheprovider",
            "-n",
            "2",
            "-m",
            "not slow",
            *pytest,
        ]
        before = signal.getsignal(signal.SIGINT)
        if row.ignores_interrupts:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            done = subprocess.run(command, cwd=checkout, env=environment, check=False)
        finally:
            signal.signal(signal.SIGINT, before)
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="names of rows: portable-Prescott-1")
    parser.add_argument("--part", choices=["numeric", "around", "all"], default="all")
    parser.add_argument("--tests", nargs="*", help="in place of a part: files or folders")
    parser.add_argument("pytest", nargs="*", default=[])
    arguments = parser.parse_args()
    parts = (
        arguments.tests
        or {"numeric": NUMERIC, "around": AROUND, "all": NUMERIC + AROUND}[arguments.part]
    )
    failed = []
    for row in ROWS:
        if arguments.only and row.name not in arguments.only:
            continue
        print(f"== {row.words()}", flush=True)
        if missing := row.missing(processor()):
            print(f"   not run: the processor has no {', '.join(sorted(missing))}", flush=True)
            continue
        if row.locale and not is_installed(row.locale):
            print(f"   (locale {row.locale} is not installed: C's is used)", flush=True)
        if row.other_user and os.getuid() != 0:
            print("   (not root: the same user)", flush=True)
        start = time.monotonic()
        if run(row, [*parts, *arguments.pytest]):
            failed.append(row.name)
        print(f"   {time.monotonic() - start:.0f} s", flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "all rows pass")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
