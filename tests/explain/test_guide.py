"""The guide docs/explain.md: its programs print what it says they print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = (Path(__file__).parents[2] / "docs" / "explain.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"<!-- (\S+\.py) -->\n```python\n(.*?)```", GUIDE, re.S)
COMMANDS = re.findall(r"```console\n\$ gradtape (.*?)\n(.*?)```", GUIDE, re.S)


def compared(text: str) -> list[list[str]]:
    """The words of each line: without times (and so the widths of columns), with four digits."""
    text = re.sub(r"[\d.]+ (µs|ms|s)\b", "TIME", text)
    text = re.sub(r"\d+\.\d{4,}", lambda number: f"{float(number[0]):.4g}", text)
    lines = [[w for w in line.split() if set(w) != {"-"}] for line in text.splitlines()]
    return [line for line in lines if line]


def test_the_guide_has_programs():
    assert len(PROGRAMS) >= 6
    assert len(COMMANDS) >= 7


@pytest.mark.parametrize(("command", "printed"), COMMANDS, ids=[c for c, _ in COMMANDS])
def test_what_a_command_prints(command, printed, tmp_path):
    for name, text in PROGRAMS:
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gradtape", *command.split()],
        cwd=tmp_path,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    shown = compared(done.stdout.replace(f"{tmp_path}{os.sep}", ""))
    expected = compared(printed)
    if command.endswith("network.py"):  # lines and ops are in the order of their times
        shown, expected = sorted(shown), sorted(expected)
    assert shown == expected
