"""Which of JAX's devices a strategy has its replicas on. This module imports JAX."""

from __future__ import annotations

from typing import Any

from gradtape.api.config.device_spec import DeviceSpec
from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import device as devices


def all_local_devices() -> list:
    """Return the GPUs or TPUs of this process that the program may use; without any, those of the
    CPU."""
    accelerators = [device.in_jax for device in devices.visible_accelerators()]
    return accelerators or list(jax.local_devices(backend="cpu"))


def all_devices() -> list:
    """Return the usable devices of all processes, in the order of the processes."""
    accelerators = devices.visible_accelerators()
    platform = "cpu" if not accelerators else accelerators[0].in_jax.platform
    return sorted(jax.devices(platform), key=lambda device: (device.process_index, device.id))


def named_devices(names: list) -> list:
    """Return JAX's devices by TensorFlow's names, such as "GPU:0" or "/device:CPU:1"."""
    chosen = [_find_device(getattr(name, "name", name), names) for name in names]
    if len(set(chosen)) < len(chosen):
        raise ValueError(
            f"MirroredStrategy: a device is named twice in {names}. Name each once, or leave "
            "`devices` out for all of them."
        )
    return chosen


def _find_device(name: str, names: list) -> Any:
    spec = DeviceSpec.from_string(f"/{name.lstrip('/')}")
    kind, index = str(spec.device_type or "").upper(), spec.device_index or 0
    if kind in ("CPU", "XLA"):
        there = list(jax.local_devices(backend="cpu"))
        if index < len(there):
            return there[index]
        raise ValueError(
            f"MirroredStrategy: there is no device {kind}:{index}: XLA has {_count(there)} on this "
            f"CPU, and {len(names)} were named. To have more, set "
            f"JAX_NUM_CPU_DEVICES={max(len(names), index + 1)} "
            "before the program starts, or call tf.config.set_logical_device_configuration at "
            "its beginning."
        )
    there = [device for device in devices.visible_accelerators() if device.kind == kind]
    if index < len(there):
        return there[index].in_jax
    raise ValueError(
        f"MirroredStrategy: there is no device {name!r}: this process has {_count(there)} of that "
        f"kind. Leave `devices` out to use all devices there are: "
        f"{', '.join(d.short_name for d in (devices.HOST, *devices.visible_accelerators()))}."
    )


def _count(devices: list) -> str:
    return "1 device" if len(devices) == 1 else f"{len(devices)} devices"
