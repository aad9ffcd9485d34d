"""A pytest plug-in that makes XLA on the host the default device: any tests, on a device.

python -m pytest -p tests.xla.on_device tests/engine
"""

from __future__ import annotations

from gradtape.engine import device


def pytest_configure(config) -> None:
    device._default[:] = [device.find("XLA", 0)]
    device.start_using_devices()
