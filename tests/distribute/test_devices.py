"""Runs the tests of the folder `devices`, each file in a process with eight devices of XLA."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.distribute.processes import environment, needs_jax

HERE = Path(__file__).parent
# On a busy machine, threads may be late; XLA ends the process if one is for 40 seconds.
FLAGS = (
    "--xla_force_host_platform_device_count=8 "
    "--xla_cpu_collective_call_terminate_timeout_seconds=300"
)


@needs_jax
@pytest.mark.parametrize("file", sorted(p.name for p in (HERE / "devices").glob("test_*.py")))
def test_on_eight_devices(file):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    done = subprocess.run(
        [*command, str(HERE / "devices" / file)],
        env=environment(XLA_FLAGS=FLAGS, GRADTAPE_TEST_DEVICES="8", KERAS_BACKEND="gradtape"),
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " skipped" not in done.stdout.splitlines()[-1]
