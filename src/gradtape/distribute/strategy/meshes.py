"""Meshes with named axes, and tensors spread over them: for models that are divided themselves.

    mesh = gradtape.distribute.Mesh({"data": 2, "model": 4})
    weights = tf.Variable(gradtape.distribute.shard(initial, mesh, (None, "model")))
    batch = gradtape.distribute.shard(images, mesh, ("data",))

A program computes with such tensors as with any others, and gets the same numbers. XLA divides the
work, inside `tf.function` as one program, and decides what devices exchange.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.engine.variable import Variable, as_variable


class Mesh:
    """Devices in a grid whose axes have names.

    `axes` has the size of each axis, by name. Without `devices` (names as for MirroredStrategy),
    these are the first of all GPUs, or else of all of XLA's devices on CPUs; those of other
    processes too, once the program has joined them.
    """

    def __init__(self, axes: Mapping[str, int], devices: Sequence | None = None) -> None:
        from gradtape.backends.xla.require import jax  # says what to install, where it is missing
        from gradtape.distribute.strategy.devices import all_devices, named_devices

        self.axes = {str(name): int(size) for name, size in axes.items()}
        if not self.axes or min(self.axes.values()) < 1:
            raise ValueError(
                f"Mesh: axes must be names with sizes of at least 1, such as {{'data': 2}}, got "
                f"{dict(axes)}."
            )
        available = all_devices() if devices is None else named_devices(list(devices))
        wanted = math.prod(self.axes.values())
        if wanted > len(available) or (devices is not None and wanted != len(available)):
            raise ValueError(
                f"Mesh: {_describe(self.axes)} needs {wanted} devices, and there "
                f"{'is 1' if len(available) == 1 else f'are {len(available)}'}. Choose sizes whose "
                "product "
                "is the number of devices. For more on a CPU, set "
                f"JAX_NUM_CPU_DEVICES={wanted} before the program starts, or call "
                "tf.config.set_logical_device_configuration at its beginning."
            )
        grid = np.array(available[:wanted]).reshape(tuple(self.axes.values()))
        self._in_jax = jax.sharding.Mesh(grid, tuple(self.axes))

    @property
    def size(self) -> int:
        """How many devices there are."""
        return math.prod(self.axes.values())

    @property
    def in_jax(self) -> Any:
        """The mesh as JAX knows it."""
        return self._in_jax

    def __repr__(self) -> str:
        return f"<Mesh {_describe(self.axes)}, {self.size} devices>"


def _describe(axes: dict) -> str:
    return " × ".join(f"{name}={size}" for name, size in axes.items())


def shard(x, mesh: Mesh, axes: Sequence = ()):
    """Return a tensor spread over a mesh.

    `axes` says, for each axis of the tensor, over which axis of the mesh it is divided (a tuple of
    names: over several), or None; axes left out at the end are not divided. What is not divided is
    the same on all devices. Inside `tf.function` this declares to XLA where an intermediate value
    is best kept.
    """
    if isinstance(as_variable(x), Variable):
        raise TypeError(
            "shard: a variable stays where it was made. Shard its initial value: "
            "tf.Variable(gradtape.distribute.shard(value, mesh, axes))."
        )
    from gradtape.backends.xla.runtime.mesh import moved

    x = ops.to_tensor(x)
    given = tuple(axes)
    _check(x, mesh, given)
    return moved(x, mesh.in_jax, given)


def _check(x, mesh: Mesh, axes: tuple) -> None:
    if len(axes) > x.ndim:
        raise ValueError(
            f"shard: axes {axes} name {len(axes)} axes, and the tensor of shape {x.shape} has "
            f"{x.ndim}."
        )
    seen: list = []
    for axis, entry in enumerate(axes):
        names = () if entry is None else (entry,) if isinstance(entry, str) else tuple(entry)
        for name in names:
            if name not in mesh.axes:
                raise ValueError(
                    f"shard: {name!r} is no axis of {mesh!r}; its axes are {list(mesh.axes)}."
                )
        seen += names
        parts = math.prod(mesh.axes[name] for name in names)
        if x.shape[axis] % parts:
            raise ValueError(
                f"shard: axis {axis} of a tensor of shape {x.shape} cannot be divided into "
                f"{parts} equal parts, one for each device along {entry!r}. Pad it, or leave it "
                "undivided (None)."
            )
    if len(set(seen)) < len(seen):
        raise ValueError(f"shard: an axis of the mesh can divide one axis of a tensor, got {axes}.")
