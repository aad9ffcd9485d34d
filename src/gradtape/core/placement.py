"""The device of new tensors: the host, unless one is in use (backends/xla/runtime/device.py)."""

from __future__ import annotations

from collections.abc import Callable

from gradtape.core.tensor import Tensor

# [0], once a device is in use: moves a new tensor to the current device.
PLACERS: list[Callable[[Tensor, bool], Tensor]] = []

# Told of each copy between the host and a device: whether it is to the device, and its bytes.
TRANSFER_LISTENERS: list[Callable[[bool, int], None]] = []


def placed(tensor: Tensor, lasting: bool = False) -> Tensor:
    """Move a new tensor to the current device.

    Tensors made while a function is traced are constants of its graph and stay on the host, except
    with `lasting`: the value of a new variable.
    """
    return PLACERS[0](tensor, lasting) if PLACERS else tensor
