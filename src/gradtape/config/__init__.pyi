# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.config.devices import LogicalDevice as LogicalDevice
from gradtape.api.config.devices import LogicalDeviceConfiguration as LogicalDeviceConfiguration
from gradtape.api.config.devices import PhysicalDevice as PhysicalDevice
from gradtape.config import experimental as experimental
from gradtape.config import optimizer as optimizer
from gradtape.config import threading as threading
from gradtape.config.experimental import get_virtual_device_configuration as _get_virtual_device_configuration
from gradtape.config.experimental import get_visible_devices as get_visible_devices
from gradtape.config.experimental import list_logical_devices as list_logical_devices
from gradtape.config.experimental import list_physical_devices as list_physical_devices
from gradtape.config.experimental import set_virtual_device_configuration as _set_virtual_device_configuration
from gradtape.config.experimental import set_visible_devices as set_visible_devices
from gradtape.config.threading import set_intra_op_parallelism_threads as _set_intra_op_parallelism_threads
from typing import Any

def functions_run_eagerly() -> bool:
    """Return whether `run_functions_eagerly(True)` is in effect."""

def get_soft_device_placement() -> bool:
    """Return whether the CPU is used in place of a device that does not exist."""

def run_functions_eagerly(run_eagerly: Any) -> None:
    """Set whether `tf.function` does nothing: no conversion of arguments and results either.

    Args:
        run_eagerly: whether `tf.function` runs the Python function itself.

    Returns:
        Nothing.
    """

def set_soft_device_placement(enabled: bool) -> None:
    """Set whether `tf.device` of a missing device means the CPU, or is an error.

    Args:
        enabled: whether it is on.

    Returns:
        Nothing.
    """

def track_origins(enabled: bool = True) -> None:
    """Record where values are created and where they leave gradtape, for better explanations.

    Costs time for every op, and every `tf.function` runs eagerly meanwhile. The environment
    variable GRADTAPE_TRACK_ORIGINS=1 turns it on from the start; `gradtape explain` does, too.

    Args:
        enabled: whether it is on.

    Returns:
        Nothing.

    Raises:
        TypeError if `enabled` has a type that it does not take.
    """

experimental_functions_run_eagerly = functions_run_eagerly
experimental_run_functions_eagerly = run_functions_eagerly
get_logical_device_configuration = _get_virtual_device_configuration
set_logical_device_configuration = _set_virtual_device_configuration
set_num_threads = _set_intra_op_parallelism_threads
