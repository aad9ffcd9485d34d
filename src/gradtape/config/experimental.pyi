# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.config.devices import LogicalDeviceConfiguration as _LogicalDeviceConfiguration
from typing import Any

def enable_op_determinism() -> None:
    """Make ops deterministic: on the CPU they are anyway; for GPUs this sets XLA's option.

    Returns:
        Nothing.
    """

def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Let tensor cores round the factors of float32 products to TF32, or forbid it.

    Args:
        enabled: whether it is on.

    Returns:
        Nothing.
    """

def get_device_details(device: Any) -> dict:
    """Return the name of a GPU or TPU; nothing is known of the CPU.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.

    Raises:
        ValueError if there is no such device.
    """

def get_device_policy() -> str:
    """Return what `set_device_policy` was given; "silent" at first."""

def get_memory_growth(device: Any) -> bool:
    """Return what `set_memory_growth` (or JAX's environment variable) has set.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.

    Raises:
        ValueError if there is no such device.
    """

def get_memory_info(device: Any) -> dict:
    """Return the bytes in use on a GPU or TPU: `current`, and `peak` since the start.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.

    Raises:
        ValueError if there is no such device.
    """

def get_memory_usage(device: Any) -> int:
    """Return the bytes in use on a GPU or TPU.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.

    Raises:
        ValueError if there is no such device.
    """

def get_synchronous_execution() -> bool:
    """Return True: every op is done when its call returns."""

def get_virtual_device_configuration(device: Any) -> Any:
    """Return what `set_logical_device_configuration` was given.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.

    Raises:
        ValueError if there is no such device.
    """

def get_visible_devices(device_type: Any = None) -> list:
    """Return the devices chosen by `set_visible_devices`; at first all.

    Args:
        device_type: "CPU", "GPU" or "TPU"; all if None.
    """

def list_logical_devices(device_type: Any = None) -> list:
    """Return the devices that programs may name: those of `get_visible_devices`.

    Args:
        device_type: "CPU", "GPU" or "TPU"; all if None.
    """

def list_physical_devices(device_type: Any = None) -> list:
    """Return the devices of the machine: its CPU, and the GPUs or TPUs that JAX can use.

    Args:
        device_type: "CPU", "GPU" or "TPU"; all if None.

    Example:
        >>> tf.config.list_physical_devices("TPU")
        []
    """

def reset_memory_stats(device: Any) -> None:
    """Raise: the peak cannot be reset, as JAX counts from the start of the process.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.

    Returns:
        Nothing.

    Raises:
        ValueError if there is no such device.
    """

def set_device_policy(device_policy: Any) -> None:
    """Store the policy; there is one device.

    Args:
        device_policy: has no effect; there for compatibility.

    Returns:
        Nothing.

    Raises:
        ValueError if the policy is not known.
    """

def set_memory_growth(device: Any, enable: Any) -> None:
    """Set whether a GPU's memory is allocated as needed, rather than most of it at the start.

    It is for all GPUs, and must be set before the first of them is used.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.
        enable: whether it is on.

    Returns:
        Nothing.

    Raises:
        ValueError if there is no such device.
    """

def set_synchronous_execution(enable: Any) -> None:
    """Do nothing: every op is done when its call returns.

    Args:
        enable: whether it is on.

    Returns:
        Nothing.
    """

def set_virtual_device_configuration(device: Any, logical_devices: Any) -> None:
    """Divide the CPU into devices for a strategy's replicas; a GPU remains one device.

    They are XLA's, and there must be none in use yet.

    Args:
        device: a device, as `tf.config.list_physical_devices` gives it, or its name.
        logical_devices: a configuration for each logical device.

    Returns:
        Nothing.

    Raises:
        ValueError if there is no such device.
    """

def set_visible_devices(devices: Any, device_type: Any = None) -> None:
    """Choose devices. Without a visible GPU or TPU, new tensors go to the CPU.

    Args:
        devices: devices, or their names.
        device_type: "CPU", "GPU" or "TPU"; all if None.

    Returns:
        Nothing.

    Raises:
        ValueError if there is no such device.
    """

def tensor_float_32_execution_enabled() -> bool:
    """Return whether tensor cores may round the factors of float32 products to TF32; at first, yes.

    On the CPU, products of float32 are computed in float32.
    """

VirtualDeviceConfiguration = _LogicalDeviceConfiguration
