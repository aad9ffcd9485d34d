"""A folder with files in it, and the command run there."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest


class Folder:
    """Files to run, and `gradtape run` in a process of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, text: str) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), "utf-8")
        return file

    def gradtape(
        self, *arguments: str, path: str = "", environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """The command, with one more place where packages are installed."""
        variables = {
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, [path, os.environ.get("PYTHONPATH")])),
        }
        return subprocess.run(
            [sys.executable, "-m", "gradtape", *arguments],
            cwd=self.path,
            env={**os.environ, **variables, **(environment or {})},
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, text: str, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
        """A program of this text, run with `gradtape run`."""
        self.write("program.py", text)
        return self.gradtape("run", "program.py", *arguments, path=path)

    def prints(self, text: str, path: str = "") -> str:
        """What a program prints that ends well."""
        finished = self.run(text, path=path)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)
