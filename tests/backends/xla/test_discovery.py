"""Which GPUs there are is found without importing JAX. The machine is played here."""

from __future__ import annotations

import sys

import pytest

from gradtape.backends.xla.runtime import device as devices
from gradtape.core.errors import InvalidArgumentError


def installed(*names: str):
    """`find_spec` where only these packages are."""
    return lambda name: object() if name in names else None


@pytest.fixture
def machine(monkeypatch):
    """A machine with NVIDIA's driver, two GPUs, and JAX with its plug-in."""
    monkeypatch.setattr(devices.os.path, "exists", lambda path: path == "/dev/nvidiactl")
    monkeypatch.setattr(devices.glob, "glob", lambda pattern: ["/dev/nvidia0", "/dev/nvidia1"])
    monkeypatch.setattr(devices, "find_spec", installed("jax", "jax_cuda12_plugin"))
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("JAX_PLATFORMS", raising=False)
    yield monkeypatch
    assert "jax" not in sys.modules


def count() -> int:
    return len(devices.accelerators())


def test_the_driver_shows_gpus(machine):
    assert devices.accelerators() == [devices.Device("GPU", 0), devices.Device("GPU", 1)]


@pytest.mark.parametrize(
    ("visible", "expected"), [("", 0), ("-1", 0), ("1", 1), ("0,1", 2), ("0,-1,1", 1), ("0,1,2", 2)]
)
def test_cuda_visible_devices(machine, visible, expected):
    machine.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert count() == expected


def test_jax_platforms(machine):
    machine.setenv("JAX_PLATFORMS", "cpu")
    assert count() == 0
    machine.setenv("JAX_PLATFORMS", "cuda,cpu")
    assert count() == 2


def test_without_the_plug_in_or_the_driver(machine):
    machine.setattr(devices, "find_spec", installed("jax"))
    assert count() == 0
    machine.setattr(devices, "_known_to_jax", list)
    with pytest.raises(devices.InvalidArgumentError, match="JAX is installed without its part for"):
        devices.find("GPU", 0)
    machine.setattr(devices, "find_spec", installed("jax", "jax_cuda12_plugin"))
    machine.setattr(devices.os.path, "exists", lambda path: False)
    assert count() == 0


def test_without_jax(machine):
    machine.setattr(devices, "find_spec", installed())
    with pytest.raises(devices.InvalidArgumentError, match=r"JAX is not installed.*jax\[cuda13\]"):
        devices.find("GPU", 0)


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("CPU", devices.HOST),
        ("/gpu:1", devices.Device("GPU", 1)),
        ("GPU", devices.Device("GPU", 0)),
    ],
)
def test_the_environment_names_the_default(machine, name, device):
    machine.setattr(devices, "_default", [])
    machine.setenv("GRADTAPE_DEVICE", name)
    assert devices.default_device() == device


def test_a_default_that_is_no_device(machine):
    machine.setattr(devices, "_default", [])
    machine.setenv("GRADTAPE_DEVICE", "GPU:one")
    with pytest.raises(InvalidArgumentError, match=r"must name a device, .*GPU:one"):
        devices.default_device()
