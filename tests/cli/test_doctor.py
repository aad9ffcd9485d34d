"""`gradtape doctor`: what it finds, and that no trouble of a part makes it fail."""

import importlib.machinery
import importlib.metadata
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from gradtape.backends.native import kernels
from gradtape.cli import doctor
from gradtape.cli import runtime_info as machinery


@pytest.mark.keras
def test_all_is_well(folder):
    finished = folder.gradtape("doctor")
    assert finished.returncode == 0, finished.stdout
    assert f"numpy           {importlib.metadata.version('numpy')}" in finished.stdout
    for fact in (
        "processor",
        "devices     /device:CPU:0",
        "kernels     native",
        "XLA",
        "BLAS",
        "memory",
    ):
        assert fact in finished.stdout
    assert finished.stdout.endswith("The gradient of x**2 at 3 is 6. All is well.\n")


def test_what_is_missing_comes_with_its_remedy(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "installed_version", lambda package: None)
    assert doctor.doctor() == 1
    shown = capsys.readouterr().out
    assert "numpy is missing: pip install 'numpy>=2.0'" in shown
    assert "keras is missing: pip install 'keras<3.16,>=3.15'" in shown
    assert "gradient health as .png: pip install 'gradtape[plot]'" in shown
    assert "XLA, and GPUs by it: pip install 'gradtape[xla]'" in shown
    assert "tensors in tf.function: pip install 'gradtape[autograph]'" in shown


def test_a_wrong_gradient_is_a_trouble(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "GradientTape", _WrongTape)
    assert doctor.doctor() == 1
    assert "The gradient of x**2 at 3 came out as 5.0 instead of 6." in capsys.readouterr().out


class _WrongTape:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def gradient(self, target, source):
        return 5.0


def test_native_kernels_speak_for_themselves(folder):
    finished = folder.gradtape("doctor", environment={"GRADTAPE_NATIVE": "0"})
    assert "  kernels     native kernels: left out, as GRADTAPE_NATIVE=0 asks\n" in finished.stdout


def test_trouble_with_an_optional_part_is_a_finding(monkeypatch):
    broken = ModuleType("jax")
    broken.__spec__ = importlib.machinery.ModuleSpec("jax", None)
    monkeypatch.setitem(sys.modules, "jax", broken)
    monkeypatch.setitem(sys.modules, "gradtape.backends.xla.kernels", ModuleType("xla"))
    assert machinery.xla().startswith("does not work: AttributeError: module 'jax' has no")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert machinery.xla().startswith("not installed: pip install 'gradtape[xla]'")


def test_memory_says_what_the_environment_chose(monkeypatch):
    monkeypatch.setenv("GRADTAPE_KEEP_MEMORY", "0")
    assert "by GRADTAPE_KEEP_MEMORY=0" in machinery.memory()
    assert "GRADTAPE_KEEP_MEMORY=0" in machinery.settings()


@pytest.mark.skipif(
    "openblas" not in machinery.blas(), reason="the names of the thread counters are OpenBLAS's"
)
def test_the_threads_of_blas_are_the_ones_it_uses(folder):
    finished = folder.gradtape("doctor")  # which the fixture runs with OPENBLAS_NUM_THREADS=1
    line = next(x for x in finished.stdout.splitlines() if x.startswith("  BLAS"))
    assert line.endswith(" kernels, 1 thread")
    assert "OPENBLAS_NUM_THREADS=1" in finished.stdout


# --- remedies ------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def remedies() -> list[str]:
    """Every command that the doctor can advise."""
    commands = [remedy for _, remedy in doctor.OPTIONAL.values()]
    commands += [f"pip install '{doctor.needed(package)}'" for package in doctor.REQUIRED]
    return [*commands, machinery.how_to_build()]


def test_the_doctor_knows_what_is_needed():
    names = {re.match(r"\w+", text)[0] for text in PROJECT["dependencies"]}
    assert names == set(doctor.REQUIRED)


def test_extras_that_are_advised_exist():
    """Wherever they are: also in the messages of errors."""
    named = set()
    for file in (ROOT / "src").rglob("*.py"):
        named |= set(re.findall(r"gradtape\[(\w+)\]", file.read_text("utf-8")))
    assert named
    assert named <= set(PROJECT["optional-dependencies"])
    for package, (_, remedy) in doctor.OPTIONAL.items():
        extra = re.search(r"gradtape\[(\w+)\]", remedy)
        if extra:
            assert any(
                text.startswith(package) for text in PROJECT["optional-dependencies"][extra[1]]
            )


@pytest.mark.slow
@pytest.mark.parametrize("command", remedies())
def test_pip_takes_what_is_advised(command):
    """Without an index: what is installed satisfies it, or it is asked for by the right name."""
    _, *arguments = shlex.split(command)
    is_build = "--force-reinstall" in arguments
    options = ["--no-build-isolation"] if is_build else ["--no-index"]
    finished = subprocess.run(
        [sys.executable, "-m", "pip", *arguments, "--dry-run", *options],
        env={**os.environ, "GRADTAPE_BUILD_NATIVE": "0", "PIP_FIND_LINKS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    missing = "No matching distribution found for" in finished.stderr
    assert finished.returncode == 0 or (missing and not is_build), finished.stderr


@pytest.mark.parametrize(
    ("record", "command"),
    [
        (None, "--no-binary gradtape gradtape"),
        ('{"url": "https://example.org/gradtape.whl"}', "--no-binary gradtape gradtape"),
        ('{"url": "file:///a%20b/g", "dir_info": {}}', "'/a b/g'"),
        ('{"url": "file:///g", "dir_info": {"editable": true}}', "--editable /g"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX systems")
def test_the_extension_is_built_from_where_gradtape_was_installed_from(
    monkeypatch, record, command
):
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: _Record(record))
    again = "pip install --force-reinstall --no-deps --no-cache-dir"
    assert machinery.how_to_build() == f"{again} {command}"


class _Record:
    def __init__(self, text):
        self.text = text

    def read_text(self, name):
        return self.text


def test_where_the_extension_is_missing_the_doctor_says_how_to_build_it(monkeypatch):
    monkeypatch.setattr(kernels, "extension", None)
    monkeypatch.delenv("GRADTAPE_NATIVE", raising=False)
    lines = machinery.native().splitlines()
    assert lines[0].startswith("native kernels: not built.")
    assert "apt install g++" in lines[1]
    assert lines[2] == machinery.how_to_build()
