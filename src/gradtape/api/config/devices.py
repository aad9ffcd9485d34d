"""`tf.config`: devices, and switches of which some are kept but decide nothing here."""

from __future__ import annotations

import os
from collections import namedtuple

from gradtape.api.config.device_spec import DeviceSpec
from gradtape.api.export import export
from gradtape.backends.native import kernels as native
from gradtape.backends.xla.runtime import device as engine
from gradtape.core.convert import static_int
from gradtape.core.errors import InvalidArgumentError, UnimplementedError

PhysicalDevice = export("config.PhysicalDevice")(
    namedtuple("PhysicalDevice", ["name", "device_type"])
)
LogicalDevice = export("config.LogicalDevice")(namedtuple("LogicalDevice", ["name", "device_type"]))
LogicalDeviceConfiguration = export(
    "config.LogicalDeviceConfiguration", "config.experimental.VirtualDeviceConfiguration"
)(
    namedtuple(
        "LogicalDeviceConfiguration",
        ["memory_limit", "experimental_priority", "experimental_device_ordinal"],
        defaults=[None, None, None],
    )
)

_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_PREALLOCATE = "XLA_PYTHON_CLIENT_PREALLOCATE"
_settings: dict = {
    "synchronous_execution": True,
    "device_policy": "silent",
    "inter_op_threads": 0,
    "intra_op_threads": 0,
    "jit": "",
    "optimizer": {"disable_model_pruning": False, "disable_meta_optimizer": False},
    "logical_devices": {},
    "host_hidden": False,
}


def _physical(device: engine.Device) -> PhysicalDevice:
    return PhysicalDevice(f"/physical_device:{device.kind}:{device.index}", device.kind)


def _of_type(devices: list, device_type) -> list:
    return [d for d in devices if device_type is None or d.device_type == device_type]


def _check_device(device) -> None:
    if device != _CPU and device not in map(_physical, engine.accelerators()):
        raise ValueError(f"Unrecognized device: {device!r}")


@export("config.list_physical_devices", "config.experimental.list_physical_devices")
def list_physical_devices(device_type=None) -> list:
    """Return the devices of the machine: its CPU, and the GPUs or TPUs that JAX can use."""
    devices = [_physical(d) for d in (engine.HOST, *engine.accelerators())]
    return _of_type(devices, device_type)


@export("config.list_logical_devices", "config.experimental.list_logical_devices")
def list_logical_devices(device_type=None) -> list:
    """Return the devices that programs may name: those of `get_visible_devices`."""
    host = [
        engine.Device("CPU", i) for i in range(len(_settings["logical_devices"].get(_CPU, "1")))
    ]
    devices = [
        LogicalDevice(f"/device:{d.kind}:{d.index}", d.kind)
        for d in (*host, *engine.visible_accelerators())
    ]
    return _of_type(devices, device_type)


@export("config.get_visible_devices", "config.experimental.get_visible_devices")
def get_visible_devices(device_type=None) -> list:
    """Return the devices chosen by `set_visible_devices`; at first all."""
    host = [] if _settings["host_hidden"] else [engine.HOST]
    return _of_type([_physical(d) for d in (*host, *engine.visible_accelerators())], device_type)


@export("config.set_visible_devices", "config.experimental.set_visible_devices")
def set_visible_devices(devices, device_type=None) -> None:
    """Choose devices. Without a visible GPU or TPU, new tensors go to the CPU."""
    chosen = list(devices) if isinstance(devices, (list, set)) else [devices]
    chosen = [] if devices is None else chosen
    for device in chosen:
        _check_device(device)
        if device_type is not None and device.device_type != device_type:
            raise ValueError(f"Unrecognized device: {device!r}")
    if device_type in (None, "CPU"):
        _settings["host_hidden"] = _CPU not in chosen
    hidden = {
        d
        for d in engine.accelerators()
        if (_physical(d) not in chosen if device_type in (None, d.kind) else d in _hidden())
    }
    engine.hide(frozenset(hidden))


def _hidden() -> frozenset:
    return engine.choice.hidden


@export(
    "config.get_logical_device_configuration",
    "config.experimental.get_virtual_device_configuration",
)
def get_logical_device_configuration(device):
    """Return what `set_logical_device_configuration` was given."""
    _check_device(device)
    return _settings["logical_devices"].get(device)


@export(
    "config.set_logical_device_configuration",
    "config.experimental.set_virtual_device_configuration",
)
def set_logical_device_configuration(device, logical_devices) -> None:
    """Divide the CPU into devices for a strategy's replicas; a GPU remains one device.

    They are XLA's, and there must be none in use yet.
    """
    _check_device(device)
    if device == _CPU:
        engine.set_host_devices(len(logical_devices))
    _settings["logical_devices"][device] = logical_devices


@export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Return whether the CPU is used in place of a device that does not exist."""
    return engine.choice.falls_back


@export("config.set_soft_device_placement")
def set_soft_device_placement(enabled) -> None:
    """Set whether `tf.device` of a missing device means the CPU, or is an error."""
    engine.choice.falls_back = bool(enabled)


# --- threads -------------------------------------------------------------------------------------


@export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """Return the number that was set; 0 at first."""
    return _settings["inter_op_threads"]


@export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads) -> None:
    """Store the number; ops run one after the other."""
    _settings["inter_op_threads"] = static_int(num_threads, "num_threads")


@export("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """Return the number that was set; 0 at first."""
    return _settings["intra_op_threads"]


@export("config.threading.set_intra_op_parallelism_threads", "config.set_num_threads")
def set_intra_op_parallelism_threads(num_threads) -> None:
    """Set how many threads native kernels may use; 0: as many as there are processors."""
    number = static_int(num_threads, "num_threads")
    if not 0 <= number < 2**31:
        raise ValueError(
            "num_threads must be 0 (all processors) or more, and less than 2**31, got "
            f"{num_threads!r}."
        )
    _settings["intra_op_threads"] = number
    native.set_num_threads(number)


# --- optimizer -----------------------------------------------------------------------------------


@export("config.optimizer.get_jit")
def get_jit() -> str:
    """Return what `set_jit` was given; nothing is compiled."""
    return _settings["jit"]


@export("config.optimizer.set_jit")
def set_jit(enabled) -> None:
    """Store the setting; nothing is compiled."""
    _settings["jit"] = {True: "autoclustering", False: ""}.get(enabled, enabled)


@export("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict:
    """Return the options set; there is no graph that they could change."""
    return dict(_settings["optimizer"])


@export("config.optimizer.set_experimental_options")
def set_experimental_options(options) -> None:
    """Store the options; there is no graph that they could change."""
    _settings["optimizer"].update(options)


# --- experimental --------------------------------------------------------------------------------


def _gpu(device, what: str) -> None:
    _check_device(device)
    if device.device_type != "GPU":
        raise ValueError(f"Cannot {what} non-GPU and non-Pluggable devices")


@export("config.experimental.set_memory_growth")
def set_memory_growth(device, enable) -> None:
    """Set whether a GPU's memory is allocated as needed, rather than most of it at the start.

    It is for all GPUs, and must be set before the first of them is used.
    """
    _gpu(device, "set memory growth on")
    if engine.jax_has_started():
        raise RuntimeError("Physical devices cannot be modified after being initialized")
    os.environ[_PREALLOCATE] = "false" if enable else "true"


@export("config.experimental.get_memory_growth")
def get_memory_growth(device) -> bool:
    """Return what `set_memory_growth` (or JAX's environment variable) has set."""
    _gpu(device, "get memory growth of")
    return os.environ.get(_PREALLOCATE, "true").lower() in ("false", "0")


@export("config.experimental.get_memory_info")
def get_memory_info(device) -> dict:
    """Return the bytes in use on a GPU or TPU: `current`, and `peak` since the start."""
    spec = DeviceSpec.from_string(f"/{str(device).lstrip('/')}")
    if spec.device_type in (None, "CPU", "XLA"):
        raise ValueError(
            f"No matching devices found for {device!r}: only GPUs and TPUs keep such statistics"
        )
    try:
        jax_device = engine.find(str(spec.device_type), spec.device_index).in_jax
    except InvalidArgumentError as error:
        raise ValueError(f"No matching devices found for {device!r}: {error.message}") from None
    statistics = jax_device.memory_stats() or {}
    return {
        "current": statistics.get("bytes_in_use", 0),
        "peak": statistics.get("peak_bytes_in_use", 0),
    }


@export("config.experimental.get_memory_usage")
def get_memory_usage(device) -> int:
    """Return the bytes in use on a GPU or TPU."""
    return get_memory_info(device)["current"]


@export("config.experimental.reset_memory_stats")
def reset_memory_stats(device) -> None:
    """Raise: the peak cannot be reset, as JAX counts from the start of the process."""
    get_memory_info(device)
    raise UnimplementedError(
        "reset_memory_stats: JAX keeps the peak from the start of the process on. Take the "
        "difference of get_memory_info(device)['current'], or start a process for each measurement."
    )


@export("config.experimental.get_device_details")
def get_device_details(device) -> dict:
    """Return the name of a GPU or TPU; nothing is known of the CPU."""
    _check_device(device)
    if device.device_type == "CPU":
        return {}
    index = int(device.name.rpartition(":")[2])
    return {"device_name": engine.find(device.device_type, index).in_jax.device_kind}


@export("config.experimental.enable_op_determinism")
def enable_op_determinism() -> None:
    """Make ops deterministic: on the CPU they are anyway; for GPUs this sets XLA's option."""
    engine.set_options(deterministic=True)


@export("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """Return whether tensor cores may round the factors of float32 products to TF32; at first, yes.

    On the CPU, products of float32 are computed in float32.
    """
    return engine.options["tensor_float_32"]


@export("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled) -> None:
    """Let tensor cores round the factors of float32 products to TF32, or forbid it."""
    engine.set_options(tensor_float_32=bool(enabled))


@export("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """Return True: every op is done when its call returns."""
    return _settings["synchronous_execution"]


@export("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable) -> None:
    """Do nothing: every op is done when its call returns."""
    _settings["synchronous_execution"] = True if enable is None else bool(enable)


@export("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """Return what `set_device_policy` was given; "silent" at first."""
    return _settings["device_policy"]


@export("config.experimental.set_device_policy")
def set_device_policy(device_policy) -> None:
    """Store the policy; there is one device."""
    if device_policy not in (None, "silent", "silent_for_int32", "explicit", "warn"):
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    _settings["device_policy"] = device_policy or "silent"
