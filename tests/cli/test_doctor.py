"""`gradtape doctor`: what it finds, and that no trouble of a part makes it fail."""

import importlib.machinery
import importlib.metadata
import importlib.util
import sys
from types import ModuleType

import pytest

from gradtape.cli import doctor
from gradtape.cli import runtime_info as machinery


@pytest.mark.keras
def test_all_is_well(folder):
    finished = folder.gradtape("doctor")
    assert finished.returncode == 0, finished.stdout
    assert f"numpy       {importlib.metadata.version('numpy')}" in finished.stdout
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
    assert "numpy is missing: pip install numpy" in shown
    assert "keras is missing: pip install keras" in shown
    assert "gradient health as .png: pip install matplotlib" in shown
    assert "XLA, and GPUs by it: pip install 'gradtape[xla]'" in shown


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
