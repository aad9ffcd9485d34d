"""Devices: the available ones, their names, and the one where new tensors are created.

The host's CPU, with NumPy, is `/CPU:0`. GPUs and TPUs are those that JAX can use. `/XLA:0` is XLA
on the host's CPU: the same code as for a GPU, on any machine with JAX.

By default, new tensors are created on a GPU (or TPU) if there is one and JAX has its plug-in, as in
TensorFlow; else on the host. `GRADTAPE_DEVICE=XLA:0` (or CPU, GPU:1) in the environment sets
another default. JAX is imported when a device is first used.
"""

from __future__ import annotations

import glob
import itertools
import logging
import os
import sys
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from gradtape.core.errors import InvalidArgumentError, OpError
from gradtape.core.placement import PLACERS
from gradtape.core.state import EMPTY, call_with, get_state, set_state
from gradtape.core.tensor import Tensor

_PLUGINS = ("jax_cuda12_plugin", "jax_cuda13_plugin", "jax_rocm60_plugin", "jax_rocm7_plugin")
_INSTALL = 'pip install "gradtape[xla]" "jax[cuda13]"'
logger = logging.getLogger("gradtape")
_VARIABLE = "GRADTAPE_DEVICE"  # in the environment: the default device
_PREFIX = "/job:localhost/replica:0/task:0"


@dataclass(frozen=True)
class Device:
    """A device: its kind (CPU, XLA, GPU, TPU) and its index among those."""

    kind: str
    index: int

    @property
    def name(self) -> str:
        """Return the name, as in a tensor's `.device`."""
        return f"{_PREFIX}/device:{self.kind}:{self.index}"

    @property
    def short_name(self) -> str:
        return f"/{self.kind}:{self.index}"

    @property
    def in_jax(self) -> Any:
        """Return JAX's object for the device."""
        return _jax_devices("cpu" if self.kind == "XLA" else self.kind.lower())[self.index]


HOST = Device("CPU", 0)


# --- which there are -----------------------------------------------------------------------------


def _jax_devices(platform: str) -> list:
    """Return JAX's devices of a platform; an empty list if it has none."""
    from gradtape.backends.xla.require import jax

    try:
        devices = list(jax.local_devices(backend=platform))
    except RuntimeError:
        return []
    if platform != "cpu" and devices:
        from gradtape.backends.xla import cache

        cache.install(by_default=True)
    return devices


def _platforms_allow_accelerators() -> bool:
    """Return whether JAX_PLATFORMS allows anything but the CPU."""
    platforms = os.environ.get("JAX_PLATFORMS", "")
    return not platforms or any(p not in ("cpu", "") for p in platforms.split(","))


def _shown_to_cuda() -> int | None:
    """Return the number of GPUs in CUDA_VISIBLE_DEVICES; None if it is not set."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return None
    entries = [entry.strip() for entry in visible.split(",")]
    # CUDA ignores what follows an invalid entry.
    return len(list(itertools.takewhile(lambda entry: entry not in ("", "-1"), entries)))


def may_have_gpu() -> bool:
    """Return whether NVIDIA's driver and JAX's plug-in for it exist, without importing JAX."""
    return (
        os.path.exists("/dev/nvidiactl")
        and _shown_to_cuda() != 0
        and _platforms_allow_accelerators()
        and _has_plugin()
    )


def _has_plugin() -> bool:
    return find_spec("jax") is not None and any(find_spec(name) for name in _PLUGINS)


def _may_have_other_accelerator() -> bool:
    """Return whether there may be GPUs of other vendors, or TPUs, so that JAX has to be asked."""
    shown = any(map(os.path.exists, ("/dev/kfd", "/dev/dxg"))) or find_spec("libtpu") is not None
    return shown and _platforms_allow_accelerators() and find_spec("jax") is not None


def accelerators() -> list[Device]:
    """Return the GPUs or TPUs that JAX can use; JAX is not imported if there can be none."""
    if "jax" not in sys.modules:
        if may_have_gpu():
            count = len(glob.glob("/dev/nvidia[0-9]*"))
            if count:
                shown = _shown_to_cuda()
                return [
                    Device("GPU", i) for i in range(count if shown is None else min(count, shown))
                ]
        elif not _may_have_other_accelerator():
            return []
    return _known_to_jax()


def _known_to_jax() -> list[Device]:
    try:
        gpus = [Device("GPU", i) for i in range(len(_jax_devices("gpu")))]
        return gpus or [Device("TPU", i) for i in range(len(_jax_devices("tpu")))]
    except ImportError:  # too old to be used
        return []


class _Choice:
    """The program's choices: hidden accelerators, and whether to fall back to the host."""

    hidden: frozenset[Device] = frozenset()
    falls_back = True  # "soft placement": the host replaces a missing device


choice = _Choice()
_default: list[Device] = []  # [0]: the default device, once it is known
_warned: set[str] = set()


def hide(devices: frozenset[Device]) -> None:
    """Hide these accelerators, and only these, from now on."""
    choice.hidden = devices
    _default.clear()


def visible_accelerators() -> list[Device]:
    return [device for device in accelerators() if device not in choice.hidden]


def default_device() -> Device:
    """Return the device of new tensors outside of `tf.device` blocks."""
    if not _default and _VARIABLE in os.environ:
        _default.append(_named_in_environment())
    if not _default:
        accelerators = visible_accelerators()
        works = bool(accelerators) and _works(accelerators[0])
        _default.append(accelerators[0] if works else HOST)
    return _default[0]


def _named_in_environment() -> Device:
    name = os.environ[_VARIABLE]
    kind, _, index = name.strip("/ ").partition(":")
    if not kind or not (index or "0").isdecimal():
        raise InvalidArgumentError(
            f"{_VARIABLE} must name a device, as XLA:0, CPU or GPU:1 do; it is {name!r}."
        )
    return find(kind, int(index or 0))


def _works(device: Device) -> bool:
    """Return whether JAX can use a device that the driver reports; warn if it cannot."""
    try:
        if device.in_jax is not None:
            return True
    except (ImportError, IndexError, RuntimeError) as error:
        logger.warning(
            "%s is there, but JAX cannot use it (%s): tensors stay on the host. To use it: %s.",
            device.short_name,
            error,
            _INSTALL,
        )
    return False


# --- names ---------------------------------------------------------------------------------------


def find(kind: str, index: int | None) -> Device:
    """Return the device of a kind and index; raise an error that lists devices and remedies."""
    kind, index = kind.upper(), index or 0
    if kind == "CPU":
        if index:
            raise _unknown(f"/CPU:{index}", "gradtape has one device /CPU:0, the host")
        return HOST
    if kind == "XLA":
        count = len(_jax_devices("cpu"))  # raises, with what to install, where JAX is missing
        if index >= count:
            raise _unknown(f"/XLA:{index}", f"XLA has {count} device on the host")
        return Device("XLA", index)
    if find_spec("jax") is None:
        raise _unknown(f"/{kind}:{index}", f"JAX is not installed. To use GPUs: {_INSTALL}")
    device = Device(kind, index)
    if device in accelerators() or device in _known_to_jax():
        return device
    if kind == "GPU" and os.path.exists("/dev/nvidiactl") and not _has_plugin():
        raise _unknown(
            device.short_name,
            f"JAX is installed without its part for GPUs. To use them: {_INSTALL}",
        )
    raise _unknown(device.short_name, "this machine has none, or its driver does not show it")


def _unknown(name: str, why: str) -> OpError:
    known = ", ".join(d.short_name for d in (HOST, *visible_accelerators()))
    return InvalidArgumentError(f"There is no device {name}: {why}. Devices here: {known}.")


def find_or_host(kind: str, index: int | None) -> Device:
    """Return the device, or (unless the program forbade it) the host, with one warning."""
    try:
        return find(kind, index)
    except InvalidArgumentError as error:
        if not choice.falls_back or kind.upper() == "XLA":
            raise
        if kind not in _warned:
            _warned.add(kind)
            logger.warning("%s Ops run on the host.", error.message)
        return HOST


# --- options -------------------------------------------------------------------------------------

options = {"tensor_float_32": True, "deterministic": False}


def set_options(**changes: bool) -> None:
    """Change how XLA computes; compiled programs are compiled again."""
    options.update(changes)
    if "gradtape.backends.xla.kernels" in sys.modules:
        apply_options()


def apply_options() -> None:
    from gradtape.backends.xla import kernels as xla
    from gradtape.backends.xla.runtime.deferral import QUEUE
    from gradtape.backends.xla.runtime.tensor import EAGER

    QUEUE.run()  # what was called before is computed as it was asked for then
    for name, value in options.items():
        setattr(xla.settings, name, value)
    EAGER.forget()


def set_host_devices(count: int) -> None:
    """Make XLA divide the host's CPU into that many devices, for replicas."""
    if find_spec("jax") is None:
        if count > 1:
            logger.warning(
                "tf.config.set_logical_device_configuration: %d devices were asked for, and they "
                "are JAX's, which is not installed: there is one. To have them: %s.",
                count,
                'pip install "gradtape[xla]"',
            )
        return
    if "jax" not in sys.modules:
        os.environ["JAX_NUM_CPU_DEVICES"] = str(count)  # JAX reads it when it is imported
        return
    from gradtape.backends.xla.require import jax

    try:
        jax.config.update("jax_num_cpu_devices", count)
    except RuntimeError:
        if len(_jax_devices("cpu")) != count:
            raise RuntimeError(
                "Virtual devices cannot be modified after being initialized"
            ) from None


def jax_has_started() -> bool:
    """Return whether devices are in use, so that their memory cannot be configured any more."""
    return bool(_default) and _default[0] is not HOST


# --- which one is used ---------------------------------------------------------------------------

_current: ContextVar[Device | None] = ContextVar("gradtape_device", default=None)


def current() -> Device:
    """Return the device where new tensors are created."""
    return _current.get() or default_device()


def requested() -> Device | None:
    """Return the device of the innermost `tf.device` block; None outside of all."""
    return _current.get()


class scope:
    """Creates new tensors of the block on a device (None: on the default device).

    It is no generator: one that a program enters and never leaves would be closed when it is
    collected.
    """

    def __init__(self, device: Device | None) -> None:
        self._device = device
        self._tokens: list = []  # of the blocks that are open

    def __enter__(self) -> None:
        if self._device is not None and self._device is not HOST:
            start_using_devices()
        self._tokens.append(_current.set(self._device))

    def __exit__(self, *error) -> None:
        _current.reset(self._tokens.pop())


def on_host(function, *args):
    """Call a function whose new tensors stay on the host, as those of data pipelines do."""
    if not PLACERS:
        return function(*args)
    return call_with(_current, HOST, function, *args)


def _move_to_device(tensor, lasting: bool):
    """Place a new tensor; import JAX with the first that goes to a device."""
    if current() is HOST:
        return tensor
    from gradtape.backends.xla.runtime.tensor import place_new_tensor

    apply_options()
    PLACERS[:] = [place_new_tensor]
    return place_new_tensor(tensor, lasting)


def moved(tensor, device: Device):
    """Return a tensor on a device."""
    from gradtape.backends.xla.runtime.tensor import to_device

    return to_device(tensor, device)


def _gpu(self: Tensor, gpu_index: int = 0) -> Tensor:
    """Return a copy on a GPU."""
    return moved(self, find("GPU", gpu_index))


Tensor.gpu = _gpu  # pyright: ignore[reportAttributeAccessIssue] (the method exists only with a device)


def start_using_devices() -> None:
    """Make `bind` check for tensors on devices, and place new tensors, from now on."""
    if not PLACERS:
        # A depth above 0 makes bind check the types of its inputs, in every context.
        EMPTY.depth = 1
        PLACERS.append(_move_to_device)
    if get_state().depth == 0:
        set_state(get_state().replaced())


if may_have_gpu() or _VARIABLE in os.environ:
    start_using_devices()
