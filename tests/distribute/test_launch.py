"""`gradtape launch`: what each process is told, and how the job ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from gradtape.cli import launch
from gradtape.cli.arguments import UsageError
from gradtape.cli.launch import LaunchOptions, free_addresses, gpu_shares, settings
from tests.distribute.processes import environment, needs_jax


@pytest.fixture
def program(tmp_path):
    """A program with a text; called, it is launched."""

    def run(text: str, *options: str, count: int = 2, arguments: tuple[str, ...] = ()):
        file = tmp_path / "train.py"
        file.write_text(textwrap.dedent(text), "utf-8")
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "gradtape",
                "launch",
                "-n",
                str(count),
                *options,
                str(file),
                *arguments,
            ],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=500,
        )

    return run


# --- what is told --------------------------------------------------------------------------------


def test_addresses_are_different_and_free():
    result = free_addresses(3)
    assert len(set(result)) == 3
    assert all(each.startswith("127.0.0.1:") for each in result)


def test_each_process_knows_its_place(monkeypatch):
    monkeypatch.setattr(launch, "_cores", lambda: 8)
    plan = LaunchOptions(__file__, count=2, fault_timeout=7.5)
    first, second = settings(plan, {"OMP_NUM_THREADS": "3"}, ["h:1", "h:2"])
    assert json.loads(second["TF_CONFIG"]) == {
        "cluster": {"worker": ["h:1", "h:2"]},
        "task": {"type": "worker", "index": 1},
    }
    names = ("GRADTAPE_COORDINATOR", "GRADTAPE_PROCESS_COUNT", "GRADTAPE_PROCESS_ID")
    assert [first[name] for name in names] == ["h:1", "2", "0"]
    assert second["GRADTAPE_FAULT_TIMEOUT"] == "7.5"
    threads = ("GRADTAPE_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC", "OMP_NUM_THREADS")
    assert [first[name] for name in threads] == ["4", "4", "4", "3"]  # as the user set the last
    assert "JAX_PLATFORMS" not in first


def test_devices_of_the_cpu():
    (only,) = settings(
        LaunchOptions(__file__, cpu_devices=4), {"CUDA_VISIBLE_DEVICES": "0,1"}, ["h:1"]
    )
    assert (only["JAX_PLATFORMS"], only["JAX_NUM_CPU_DEVICES"]) == ("cpu", "4")


def test_gpus_are_shared_out():
    plan = LaunchOptions(__file__, count=2)
    shares = gpu_shares(plan, {"CUDA_VISIBLE_DEVICES": "4,5, 6,7"})
    assert [each["CUDA_VISIBLE_DEVICES"] for each in shares] == ["4,5", "6,7"]
    assert gpu_shares(plan, {"CUDA_VISIBLE_DEVICES": "-1"}) == [{}, {}]
    assert gpu_shares(plan, {"CUDA_VISIBLE_DEVICES": "0", "JAX_PLATFORMS": "cpu"}) == [{}, {}]
    with pytest.raises(
        UsageError, match=r"1 GPU cannot be shared equally by 2 processes. Start as"
    ):
        gpu_shares(plan, {"CUDA_VISIBLE_DEVICES": "0"})


# --- how it goes ---------------------------------------------------------------------------------


def test_output_has_the_number_of_its_process(program):
    ended = program(
        """
        import os, sys
        number = os.environ["GRADTAPE_PROCESS_ID"]
        print("one", number, sys.argv[1:])
        print("half a", end=" ")
        print("line")
        print("10 %\\r50 %\\rdone")
        sys.stderr.write("trouble without an end")
        """,
        arguments=("--epochs", "3"),
    )
    assert ended.returncode == 0, ended.stderr
    assert sorted(ended.stdout.splitlines()) == [
        "[0] done",
        "[0] half a line",
        "[0] one 0 ['--epochs', '3']",
        "[1] done",
        "[1] half a line",
        "[1] one 1 ['--epochs', '3']",
    ]
    assert sorted(ended.stderr.splitlines()) == [
        "[0] trouble without an end",
        "[1] trouble without an end",
    ]


def test_a_program_written_for_tensorflow(program):
    ended = program(
        """
        import tensorflow as tf
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        print(tape.gradient(y, x).numpy())
        """
    )
    assert sorted(ended.stdout.splitlines()) == ["[0] 6.0", "[1] 6.0"], ended.stderr


SLEEPER = """
    import os, sys, time
    if os.environ["GRADTAPE_PROCESS_ID"] == "1":
        {}
    time.sleep(900)
"""


@pytest.mark.parametrize(
    ("action", "status", "text"),
    [
        ("sys.exit(3)", 3, "process 1 ended with exit status 3. The others are stopped."),
        (
            "os.kill(os.getpid(), 9)",
            137,
            "process 1 was ended by signal 9 (SIGKILL). The others are stopped.",
        ),
    ],
)
def test_when_one_fails_all_are_stopped(program, action, status, text):
    ended = program(SLEEPER.format(action))
    assert ended.returncode == status
    assert f"gradtape launch: {text}\n" in ended.stderr


def test_the_one_that_stopped_for_another_is_not_blamed(program):
    ended = program(
        """
        import os, pathlib, sys, time
        other = pathlib.Path(__file__).with_name("other")
        if os.environ["GRADTAPE_PROCESS_ID"] == "0":
            while not other.exists():
                time.sleep(0.02)
            sys.exit(69)
        other.touch()
        time.sleep(1)
        sys.exit(4)
        """
    )
    assert ended.returncode == 4
    assert "gradtape launch: process 1 ended with exit status 4.\n" in ended.stderr


def test_a_job_that_takes_too_long(program):
    ended = program("import time; time.sleep(900)", "--timeout", "1.5")
    assert ended.returncode == 124
    assert "gradtape launch: the job was stopped: it took longer than 1.5 s.\n" in ended.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_passed_on(tmp_path, number):
    file = tmp_path / "train.py"
    file.write_text(
        textwrap.dedent(
            """
            import signal, sys, time
            def hear(number, frame):
                for each in (signal.SIGINT, signal.SIGTERM):
                    signal.signal(each, signal.SIG_IGN)  # it may be asked again if it is slow
                print("heard", number)
                sys.exit(0)
            signal.signal(signal.SIGINT, hear)
            signal.signal(signal.SIGTERM, hear)
            print("ready")
            time.sleep(900)
            """
        )
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "gradtape", "launch", "-n", "2", str(file)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    ready = [process.stdout.readline() for _ in range(2)]
    assert sorted(ready) == ["[0] ready\n", "[1] ready\n"]
    process.send_signal(number)
    out, err = process.communicate(timeout=500)
    assert sorted(out.splitlines()) == [f"[0] heard {number:d}", f"[1] heard {number:d}"]
    assert process.returncode == 128 + number
    assert f"gradtape launch: stopped by {number.name}.\n" in err


def test_what_cannot_be_launched(program, tmp_path):
    def ended(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "gradtape", "launch", *arguments],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    missing = ended("-n", "2", "nowhere.py")
    assert missing.returncode == 2
    assert missing.stderr == (
        "gradtape launch: nowhere.py: no such file. Name a .py or .ipynb file.\n"
    )
    assert "a folder. Name a .py" in ended("-n", "2", str(tmp_path)).stderr
    assert "-n/--processes: 0: give a whole number of 1 or more" in ended("-n", "0", "x.py").stderr
    late = ended("-n", "1", "--timeout", "soon", "x.py")
    assert "--timeout: soon: give a number of seconds above 0" in late.stderr


@needs_jax
def test_launched_processes_compute_together(program):
    ended = program(
        """
        from gradtape.distribute.process.cluster import join
        cluster = join()
        import jax
        from jax.experimental import multihost_utils
        total = multihost_utils.process_allgather(jax.numpy.ones(1) * (cluster.process_id + 1))
        devices = jax.local_device_count(), len(jax.devices())
        print(f"sum {float(total.sum())} of {devices[0]} and {devices[1]} devices")
        """,
        "--cpu-devices",
        "2",
    )
    assert ended.returncode == 0, ended.stderr
    # Gloo's threads print, too, at any moment: also between two arguments of one `print`.
    lines = [line for line in ended.stdout.splitlines() if "sum 3.0 of 2 and 4 devices" in line]
    assert sorted(line[:4] for line in lines) == ["[0] ", "[1] "], ended.stdout
    assert os.environ.get("TF_CONFIG") is None
