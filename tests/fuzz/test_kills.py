"""A process that is killed while it saves leaves the old state or the new one, whole."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KILLS = 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes to kill are forked")
@pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="needs Keras")
@pytest.mark.parametrize(
    "kinds",
    [
        "keras h5 weights",
        "sharded folder",
        "backup finished_backup",
        "checkpoint written manager dataset",
        "tf_checkpoint tf_written tf_manager either_format",
    ],
)
def test_saving_can_be_killed(kinds):
    names = kinds.split()
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "tests.fuzz.kills.run",
        "--kills",
        str(KILLS * len(names)),
        "--kinds",
        *names,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert done.stdout.count("neither old nor new 0") == len(names), done.stdout
