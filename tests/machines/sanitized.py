"""Builds the extension with a sanitizer, beside the ordinary one, and runs Python with it.

    python tests/machines/sanitized.py address -m pytest tests/backends/native
    python tests/machines/sanitized.py thread tests/machines/soak.py

The build lies in build/<sanitizer>, with a copy of the packages around it, so that the extension
of the ordinary build stays as it is. GCC is needed, with its libasan, libubsan and libtsan.
"""

from __future__ import annotations

import argparse
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
SUPPRESSED = Path(__file__).with_name("thread_suppressions.txt")
# Python is not made for these, so their run-time libraries have to be there before it; C++'s too,
# or exceptions are not intercepted.
LIBRARIES = {"address": ["libasan.so", "libstdc++.so"], "thread": ["libtsan.so", "libstdc++.so"]}
FLAGS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
    "thread": ["-fsanitize=thread"],
}
# Linked into the extension, whose own calls of it they are.
ADDED = {"address": [str(Path(__file__).with_name("throwing_new.cpp"))], "thread": []}
REPORTS = "report"  # the beginning of the files' names
# What is said where there is not enough memory, which is no mistake.
NO_MEMORY = re.compile(r"(=+\d*=+)?WARNING: AddressSanitizer failed to allocate .*")
# PYTHONMALLOC: each Python object is memory of its own, watched like all other. Of the memory at
# once a process gets less than it may ask for: it shares the machine. (With throwing_new.cpp, new
# is malloc, and what C++'s library has got by new is freed.)
OPTIONS = {
    "address": {
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024:"
        "alloc_dealloc_mismatch=0",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",
    },
    "thread": {
        "TSAN_OPTIONS": f"halt_on_error=0:exitcode=66:second_deadlock_stack=1:history_size=4:"
        f"suppressions='{SUPPRESSED}'",
    },
}


def compiler() -> list[str]:
    return shlex.split(os.environ.get("CXX", "g++"))


def build(sanitizer: str) -> Path:
    """Compile what has changed, and return the folder to be put in front of sys.path."""
    with mock.patch("setuptools.setup") as setup:
        runpy.run_path("setup.py")
    (native,) = setup.call_args.kwargs["ext_modules"]
    folder = Path("build", sanitizer)
    objects, packages = folder / "objects", folder / "src"
    includes = [f"-I{path}" for path in (*native.include_dirs, sysconfig.get_path("include"))]
    # Unoptimized code is too slow to test with, fully optimized code too slow to compile. Warnings
    # are the ordinary build's matter.
    own = ["-O1", "-g1", "-fno-omit-frame-pointer", "-w"]
    flags = [*native.extra_compile_args, *FLAGS[sanitizer], *own]
    newest_header = max(Path(path).stat().st_mtime for path in (*native.depends, __file__))

    def compile_one(source: str) -> Path:
        made = objects / Path(os.path.relpath(source, ROOT)).with_suffix(".o")
        newest = max(Path(source).stat().st_mtime, newest_header)
        if not made.exists() or made.stat().st_mtime < newest:
            made.parent.mkdir(parents=True, exist_ok=True)
            command = [*compiler(), "-fPIC", *includes, *flags]
            subprocess.run([*command, "-c", source, "-o", made], check=True)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # The largest first.
        sources = [*native.sources, *ADDED[sanitizer]]
        sources.sort(key=lambda path: "vectors_" not in path)
        made = list(pool.map(compile_one, sources))
    shutil.rmtree(packages, ignore_errors=True)
    for package in ("gradtape", "keras_gradtape"):
        without = shutil.ignore_patterns("*.so", "__pycache__")
        shutil.copytree(Path("src", package), packages / package, ignore=without)
    extension = packages / "gradtape" / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    own = ["-shared", "-pthread", "-Wl,-Bsymbolic-functions"]  # before those of the library
    link = [*compiler(), *own, *FLAGS[sanitizer], *made, "-o", extension]
    subprocess.run(link, check=True)
    return packages


def library(name: str) -> str:
    result = subprocess.run(
        [*compiler(), f"-print-file-name={name}"], check=True, capture_output=True, text=True
    ).stdout.strip()
    if not os.path.isabs(result):
        sys.exit(f"{' '.join(compiler())} has no {name}: install GCC's sanitizers")
    return os.path.realpath(result)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run Python with a sanitized extension")
    parser.add_argument("sanitizer", choices=sorted(FLAGS))
    parser.add_argument("python", nargs=argparse.REMAINDER, help="Python's arguments")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    packages = build(arguments.sanitizer)
    path = [str(packages.resolve()), str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        **OPTIONS[arguments.sanitizer],
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
        "OPENBLAS_NUM_THREADS": "1",
        "LD_PRELOAD": " ".join(map(library, LIBRARIES[arguments.sanitizer])),
    }
    # Reports go to files, which pytest does not swallow.
    reports = packages.resolve().parent
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
        environment[name] = f"{environment.get(name, '')}:log_path='{reports / REPORTS}'"
    for old in reports.glob(f"{REPORTS}.*"):
        old.unlink()
    # ThreadSanitizer's shadow does not fit every layout that a kernel may choose at random.
    same_layout = ["setarch", "-R"] if arguments.sanitizer == "thread" else []
    status = subprocess.run(
        [*same_layout, sys.executable, *arguments.python], env=environment, check=False
    ).returncode
    result = {path.name: said(path) for path in sorted(reports.glob(f"{REPORTS}.*"))}
    for name, words in result.items():
        if words:
            print(f"\n{name}:\n{words}")
    return status or any(result.values())


def said(report: Path) -> str:
    """What a sanitizer has found, without what it says of missing memory."""
    lines = report.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if not NO_MEMORY.fullmatch(line.strip()))


if __name__ == "__main__":
    sys.exit(main())
