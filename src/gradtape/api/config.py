"""`tf.config`: one device, the CPU, and switches that are kept but decide nothing here."""

from __future__ import annotations

from collections import namedtuple

from gradtape.api.export import export

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
_LOGICAL_CPU = LogicalDevice("/device:CPU:0", "CPU")
_settings: dict = {
    "soft_device_placement": True,
    "synchronous_execution": True,
    "device_policy": "silent",
    "tensor_float_32": True,
    "inter_op_threads": 0,
    "intra_op_threads": 0,
    "jit": "",
    "optimizer": {"disable_model_pruning": False, "disable_meta_optimizer": False},
    "logical_devices": {},
    "visible": [_CPU],
}


def _of_type(devices: list, device_type) -> list:
    return [d for d in devices if device_type is None or d.device_type == device_type]


def _known(device) -> None:
    if device != _CPU:
        raise ValueError(f"Unrecognized device: {device!r}")


@export("config.list_physical_devices", "config.experimental.list_physical_devices")
def list_physical_devices(device_type=None) -> list:
    """The devices of the machine that gradtape uses: its CPU."""
    return _of_type([_CPU], device_type)


@export("config.list_logical_devices", "config.experimental.list_logical_devices")
def list_logical_devices(device_type=None) -> list:
    """The devices that programs may name: the CPU."""
    return _of_type([_LOGICAL_CPU], device_type)


@export("config.get_visible_devices", "config.experimental.get_visible_devices")
def get_visible_devices(device_type=None) -> list:
    """The devices chosen by `set_visible_devices`."""
    return _of_type(_settings["visible"], device_type)


@export("config.set_visible_devices", "config.experimental.set_visible_devices")
def set_visible_devices(devices, device_type=None) -> None:
    """Choose devices; ops run on the CPU, chosen or not."""
    chosen = list(devices) if isinstance(devices, (list, set)) else [devices]
    for device in chosen if devices is not None else ():
        _known(device)
        if device_type is not None and device.device_type != device_type:
            raise ValueError(f"Unrecognized device: {device!r}")
    others = [d for d in _settings["visible"] if device_type and d.device_type != device_type]
    _settings["visible"] = others + (chosen if devices is not None else [])


@export("config.get_logical_device_configuration",
        "config.experimental.get_virtual_device_configuration")  # fmt: skip
def get_logical_device_configuration(device):
    """What `set_logical_device_configuration` was given."""
    _known(device)
    return _settings["logical_devices"].get(device)


@export("config.set_logical_device_configuration",
        "config.experimental.set_virtual_device_configuration")  # fmt: skip
def set_logical_device_configuration(device, logical_devices) -> None:
    """Keep the configuration; the CPU remains one device."""
    _known(device)
    _settings["logical_devices"][device] = logical_devices


@export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Whether ops may run elsewhere than asked: they do."""
    return _settings["soft_device_placement"]


@export("config.set_soft_device_placement")
def set_soft_device_placement(enabled) -> None:
    """Keep the wish; ops run on the CPU."""
    _settings["soft_device_placement"] = bool(enabled)


# --- threads -------------------------------------------------------------------------------------


@export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """The number that was set; 0 at first."""
    return _settings["inter_op_threads"]


@export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads) -> None:
    """Keep the number; ops run one after the other."""
    _settings["inter_op_threads"] = int(num_threads)


@export("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """The number that was set; 0 at first."""
    return _settings["intra_op_threads"]


@export("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads) -> None:
    """Keep the number. The threads of NumPy's BLAS follow its own environment variables."""
    _settings["intra_op_threads"] = int(num_threads)


# --- optimizer -----------------------------------------------------------------------------------


@export("config.optimizer.get_jit")
def get_jit() -> str:
    """What `set_jit` was given; nothing is compiled."""
    return _settings["jit"]


@export("config.optimizer.set_jit")
def set_jit(enabled) -> None:
    """Keep the wish; nothing is compiled."""
    _settings["jit"] = {True: "autoclustering", False: ""}.get(enabled, enabled)


@export("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict:
    """The options set; there is no graph that they could change."""
    return dict(_settings["optimizer"])


@export("config.optimizer.set_experimental_options")
def set_experimental_options(options) -> None:
    """Keep options; there is no graph that they could change."""
    _settings["optimizer"].update(options)


# --- experimental --------------------------------------------------------------------------------


@export("config.experimental.set_memory_growth")
def set_memory_growth(device, enable) -> None:
    """For GPUs, of which there is none."""
    _known(device)
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")


@export("config.experimental.get_memory_growth")
def get_memory_growth(device):
    """For GPUs, of which there is none."""
    _known(device)
    raise ValueError("Cannot get memory growth of non-GPU and non-Pluggable devices")


@export("config.experimental.get_memory_info", "config.experimental.get_memory_usage",
        "config.experimental.reset_memory_stats")  # fmt: skip
def get_memory_info(device):
    """For GPUs, of which there is none."""
    raise ValueError(f"No matching devices found for {device!r}: only GPUs keep such statistics")


@export("config.experimental.get_device_details")
def get_device_details(device) -> dict:
    """Nothing is known of the CPU."""
    _known(device)
    return {}


@export("config.experimental.enable_op_determinism")
def enable_op_determinism() -> None:
    """Nothing to do: ops give the same result every time."""


@export("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """What was last asked for; products of float32 are computed in float32."""
    return _settings["tensor_float_32"]


@export("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled) -> None:
    """Keep the wish; products of float32 are computed in float32."""
    _settings["tensor_float_32"] = bool(enabled)


@export("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """True: every op is done when its call returns."""
    return _settings["synchronous_execution"]


@export("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable) -> None:
    """Accepted; every op is done when its call returns."""
    _settings["synchronous_execution"] = True if enable is None else bool(enable)


@export("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """What `set_device_policy` was given; "silent" at first."""
    return _settings["device_policy"]


@export("config.experimental.set_device_policy")
def set_device_policy(device_policy) -> None:
    """Keep the policy; there is one device."""
    if device_policy not in (None, "silent", "silent_for_int32", "explicit", "warn"):
        raise ValueError(f"Not a valid device policy: {device_policy!r}")
    _settings["device_policy"] = device_policy or "silent"
