"""What `keras.distribution` gets from the backend: devices, meshes and layouts, which are JAX's.

JAX is imported by the first use of a device.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from keras.src import tree
from keras.src.backend.common import global_state
from keras.src.utils import rng_utils

from keras_gradtape.src.conversion import convert_to_tensor


def _jax() -> Any:
    from gradtape.backends.xla.require import jax  # says what to install, where it is missing

    return jax


# --- devices and processes -----------------------------------------------------------------------


def list_devices(device_type=None) -> list:
    """Return the names of all devices of a kind, those of other processes too."""
    if find_spec("jax") is None:
        return ["cpu:0"] if device_type is None or device_type.lower() == "cpu" else []
    devices = _jax().devices(device_type.lower() if device_type else None)
    return [f"{device.platform}:{device.id}" for device in devices]


def get_device_count(device_type=None) -> int:
    """Return how many devices of a kind there are."""
    if find_spec("jax") is None:
        return len(list_devices(device_type))
    return _jax().device_count(device_type.lower() if device_type else None)


def num_processes() -> int:
    """Return how many processes the job has."""
    return 1 if find_spec("jax") is None else _jax().process_count()


def process_id() -> int:
    """Return the number of this process."""
    return 0 if find_spec("jax") is None else _jax().process_index()


def initialize(job_addresses, num_processes, process_id) -> None:
    """Join the processes of a job; what no argument says, the environment does."""
    from gradtape.distribute.process import cluster

    addresses = job_addresses.split(",") if job_addresses else []
    if len(addresses) > 1 and num_processes not in (None, len(addresses)):
        raise ValueError(
            f"The provided job_addresses {addresses} has {len(addresses)} jobs, but num_processes "
            f"is {num_processes}"
        )
    count = len(addresses) if len(addresses) > 1 else num_processes
    cluster.join(
        coordinator=addresses[0] if addresses else None,
        process_count=count,
        process_id=process_id,
    )
    _agree_on_seed()


def _agree_on_seed() -> None:
    """Give all processes the seed of process 0, unless the program has set one."""
    if rng_utils.get_random_seed() is not None:
        return
    from keras.src.random.seed_generator import make_default_seed

    from gradtape.distribute.strategy.replicas import from_first_process

    seed = from_first_process(np.array(make_default_seed(), np.int64))
    rng_utils.set_random_seed(int(seed))


# --- meshes and layouts --------------------------------------------------------------------------


def _to_backend_device(device_name):
    jax = _jax()
    if isinstance(device_name, jax.Device):
        return device_name
    kind, _, number = str(device_name).partition(":")
    for device in jax.devices(kind):
        if device.id == int(number or 0):
            return device
    raise ValueError(f"Device not found: {device_name}. Devices: {list_devices(kind)}")


def _to_backend_mesh(device_mesh):
    grid = [_to_backend_device(name) for name in device_mesh.devices.flatten()]
    shape = device_mesh.devices.shape
    return _jax().sharding.Mesh(np.array(grid).reshape(shape), device_mesh.axis_names)


def _to_backend_layout(tensor_layout):
    if tensor_layout.device_mesh is None:
        raise ValueError("Cannot create sharding when device mesh is not set for TensorLayout.")
    from gradtape.backends.xla.runtime.mesh import sharding_of

    return sharding_of(tensor_layout.device_mesh.backend_mesh, tuple(tensor_layout.axes))


# --- values --------------------------------------------------------------------------------------


def _sharding(layout):
    return getattr(layout, "backend_layout", layout)


def distribute_tensor(tensor, layout):
    """Return a tensor laid out on devices; while tracing, with a sharding constraint."""
    from gradtape.backends.xla.runtime.mesh import moved

    sharding = _sharding(layout)
    return moved(convert_to_tensor(tensor), sharding.mesh, tuple(sharding.spec))


distribute_variable = distribute_tensor


def distribute_data_input(per_process_batch, layout, batch_dim_name):
    """Return the global batch that has this process's batch as its part."""
    from gradtape.backends.xla.runtime.mesh import moved
    from gradtape.backends.xla.runtime.tensor import DeviceTensor

    sharding = _sharding(layout)
    batch = convert_to_tensor(per_process_batch)
    if sharding.is_fully_addressable:
        # The last batch of an epoch may not divide: then all devices have all of it.
        parts = np.prod([sharding.mesh.shape[name] for name in _names(sharding.spec[:1])])
        axes = tuple(sharding.spec) if batch.ndim and batch.shape[0] % int(parts) == 0 else ()
        return moved(batch, sharding.mesh, axes)
    from gradtape.distribute.strategy.replicas import from_all_processes

    return DeviceTensor(from_all_processes(sharding, batch._host_data()))


def _names(entries) -> list:
    return [
        name
        for entry in entries
        if entry is not None
        for name in ((entry,) if isinstance(entry, str) else entry)
    ]


def current():
    """Return the distribution in force, or None."""
    return global_state.get_global_attribute("distribution")


def distribute_batch(distribution, data):
    """Return a batch of this process as the global batch."""

    def one(x):
        if x is None or not hasattr(x, "shape"):
            return x
        layout = distribution.get_data_layout(tuple(x.shape))
        return distribute_data_input(x, layout, distribution.batch_dim_name)

    return tree.map_structure(one, data, none_is_leaf=True)
