"""Devices: which there are, their names, and which one new tensors go to.

The host's CPU, with NumPy, is `/CPU:0`. GPUs and TPUs are those that JAX can use. `/XLA:0` is XLA
on the host's CPU: the same code as for a GPU, on any machine with JAX.

Without a word from the program, a GPU (or TPU) is the default device where there is one and JAX has
its plug-in, as in TensorFlow; else the host is. JAX is imported when a device is first used.
"""

from __future__ import annotations

import contextlib
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
from gradtape.core.state import EMPTY, get_state, set_state
from gradtape.core.tensor import Tensor

_PLUGINS = ("jax_cuda12_plugin", "jax_cuda13_plugin", "jax_rocm60_plugin", "jax_rocm7_plugin")
_INSTALL = 'pip install "gradtape[xla]" "jax[cuda12]"'
logger = logging.getLogger("gradtape")
_PREFIX = "/job:localhost/replica:0/task:0"


@dataclass(frozen=True)
class Device:
    """One device: its kind (CPU, XLA, GPU, TPU) and its number among those."""

    kind: str
    index: int

    @property
    def name(self) -> str:
        """The name as a tensor's `.device` gives it."""
        return f"{_PREFIX}/device:{self.kind}:{self.index}"

    @property
    def short_name(self) -> str:
        return f"/{self.kind}:{self.index}"

    @property
    def in_jax(self) -> Any:
        """The device as JAX knows it."""
        return _jax_devices("cpu" if self.kind == "XLA" else self.kind.lower())[self.index]


HOST = Device("CPU", 0)


# --- which there are -----------------------------------------------------------------------------


def _jax_devices(platform: str) -> list:
    """JAX's devices of a platform; an empty list where it has none."""
    from gradtape.backends.xla.require import jax

    try:
        return list(jax.local_devices(backend=platform))
    except RuntimeError:
        return []


def _platforms_allow_accelerators() -> bool:
    """Whether the environment leaves JAX the choice of anything but the CPU."""
    platforms = os.environ.get("JAX_PLATFORMS", "")
    return not platforms or any(p not in ("cpu", "") for p in platforms.split(","))


def _shown_to_cuda() -> int | None:
    """How many GPUs CUDA_VISIBLE_DEVICES lets be seen; None where it is not set."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return None
    entries = [entry.strip() for entry in visible.split(",")]
    # CUDA ignores what follows an invalid entry.
    return len(list(itertools.takewhile(lambda entry: entry not in ("", "-1"), entries)))


def may_have_gpu() -> bool:
    """Whether there is NVIDIA's driver, and JAX with its part for it. JAX is not imported."""
    return (
        os.path.exists("/dev/nvidiactl")
        and _shown_to_cuda() != 0
        and _platforms_allow_accelerators()
        and _has_plugin()
    )


def _has_plugin() -> bool:
    return find_spec("jax") is not None and any(find_spec(name) for name in _PLUGINS)


def _may_have_other_accelerator() -> bool:
    """Whether it is worth asking JAX for GPUs of other makers, or TPUs."""
    shown = any(map(os.path.exists, ("/dev/kfd", "/dev/dxg"))) or find_spec("libtpu") is not None
    return shown and _platforms_allow_accelerators() and find_spec("jax") is not None


def accelerators() -> list[Device]:
    """The GPUs or TPUs that JAX can use. Where there can be none, JAX is not imported to ask."""
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
        found = [Device("GPU", i) for i in range(len(_jax_devices("gpu")))]
        return found or [Device("TPU", i) for i in range(len(_jax_devices("tpu")))]
    except ImportError:  # too old to be used
        return []


class _Choice:
    """What the program has chosen: accelerators to leave out, and whether to fall back."""

    hidden: frozenset[Device] = frozenset()
    falls_back = True  # "soft placement": a device that is not there means the host


choice = _Choice()
_default: list[Device] = []  # [0]: the default device, once it is known
_warned: set[str] = set()


def hide(devices: frozenset[Device]) -> None:
    """Leave out accelerators from now on, and only these."""
    choice.hidden = devices
    _default.clear()


def visible_accelerators() -> list[Device]:
    return [device for device in accelerators() if device not in choice.hidden]


def default_device() -> Device:
    """Where new tensors go unless the program says otherwise."""
    if not _default:
        found = visible_accelerators()
        if found and not _works(found[0]):
            found = []
        _default.append(found[0] if found else HOST)
    return _default[0]


def _works(device: Device) -> bool:
    """Whether JAX can use a device that the driver shows; a warning says so if it cannot."""
    try:
        if device.in_jax is not None:
            return True
    except (ImportError, IndexError, RuntimeError) as error:
        logger.warning(
            "%s is there, but JAX cannot use it (%s): tensors stay on the host. To use it: %s.",
            device.short_name, error, _INSTALL,
        )  # fmt: skip
    return False


# --- names ---------------------------------------------------------------------------------------


def find(kind: str, index: int | None) -> Device:
    """The device with a kind and number, or an error that says what there is and what to do."""
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
    """The device, or (unless the program forbade it) the host, announced once by a warning."""
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
    """Change how XLA computes; what is compiled already is compiled anew."""
    options.update(changes)
    if "gradtape.backends.xla" in sys.modules:
        apply_options()


def apply_options() -> None:
    from gradtape.backends import xla
    from gradtape.engine.device_tensor import EAGER

    for name, value in options.items():
        setattr(xla.settings, name, value)
    EAGER.forget()


def set_host_devices(count: int) -> None:
    """Have XLA divide the host's CPU into that many devices, for replicas."""
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
    """Whether devices have been taken into use, so that their memory cannot be planned anew."""
    return bool(_default) and _default[0] is not HOST


# --- which one is used ---------------------------------------------------------------------------

_current: ContextVar[Device | None] = ContextVar("gradtape_device", default=None)


def current() -> Device:
    """The device that new tensors go to."""
    return _current.get() or default_device()


def asked_for() -> Device | None:
    """The device of the innermost `tf.device` block; None outside of all."""
    return _current.get()


@contextlib.contextmanager
def scope(device: Device | None):
    """New tensors of the block go to a device (None: to the default device)."""
    if device is not None and device is not HOST:
        start_using_devices()
    token = _current.set(device)
    try:
        yield
    finally:
        _current.reset(token)


def on_host(function, *args):
    """What a function gives whose new tensors stay on the host, as those of pipelines do."""
    if not PLACERS:
        return function(*args)
    token = _current.set(HOST)
    try:
        return function(*args)
    finally:
        _current.reset(token)


def _place(tensor, lasting: bool):
    """The first tensor to be placed brings in JAX, if it goes to a device at all."""
    if current() is HOST:
        return tensor
    from gradtape.engine.device_tensor import place

    apply_options()
    PLACERS[:] = [place]
    return place(tensor, lasting)


def moved(tensor, device: Device):
    """A tensor on a device."""
    from gradtape.engine.device_tensor import to_device

    return to_device(tensor, device)


def _gpu(self: Tensor, gpu_index: int = 0) -> Tensor:
    """A copy on a GPU."""
    return moved(self, find("GPU", gpu_index))


Tensor.gpu = _gpu  # type: ignore[attr-defined]


def start_using_devices() -> None:
    """From now on tensors may be on devices: `bind` looks for them, and new ones are placed."""
    if not PLACERS:
        # A depth above 0 makes bind look at the types of its inputs, in every context.
        EMPTY.depth = 1
        PLACERS.append(_place)
    if get_state().depth == 0:
        set_state(get_state().replaced())


if may_have_gpu():
    start_using_devices()
