"""Where new tensors go: to the host, unless a device is in use (see `gradtape.engine.device`)."""

from __future__ import annotations

from collections.abc import Callable

from gradtape.core.tensor import Tensor

# [0], once a device is in use: moves a tensor just made to the device where it belongs.
PLACERS: list[Callable[[Tensor, bool], Tensor]] = []


def placed(tensor: Tensor, lasting: bool = False) -> Tensor:
    """A tensor just made, where new tensors go now.

    Those made while a function is traced are constants of its graph, and stay on the host, except
    for what is `lasting`: the value of a new variable.
    """
    return PLACERS[0](tensor, lasting) if PLACERS else tensor
