"""Each way to make a value meets each way to use it, on an XLA device: the way of GPUs.

What is made on one side is used on the other, too. `GRADTAPE_TEST_DEVICE=/GPU:0` names another one.
"""

import contextlib
import os

import pytest

pytest.importorskip("jax", reason="devices need JAX (make test-xla)")

import gradtape as tf
from tests.pairs import makers, users
from tests.pairs.pairs import check_reading, check_writing, numbers

DEVICE = os.environ.get("GRADTAPE_TEST_DEVICE", "/XLA:0")
SIDES = {  # where a value is made, and where it is used
    "device": (DEVICE, DEVICE),
    "to device": (None, DEVICE),
    "to host": (DEVICE, None),
}
# TensorFlow and gradtape keep these on the host whatever the device.
HOST_ONLY = {"text"}


def on(device):
    return contextlib.nullcontext() if device is None else tf.device(device)


def placed(side, make, use):
    made, used = SIDES[side]

    def make_there(array):
        with on(made):
            return make(array)

    def use_there(x, array):
        with on(used):
            return use(x, array)

    return make_there, use_there


def sides(names) -> list[tuple[str, str]]:
    """All ways to make a value on the device; across the border those that differ there."""
    crossing = {
        "constant",
        "deferred",
        "by a function",
        "by a compiled function",
        "gradient",
        "row",
        "initial value",
        "added in place",
        "written by a function",
    }
    return [
        (make, side) for make in names for side in SIDES if side == "device" or make in crossing
    ]


@pytest.mark.parametrize("use", [name for name in users.READERS if name not in HOST_ONLY])
@pytest.mark.parametrize(("make", "side"), sides([*makers.TENSORS, *makers.VARIABLES]))
def test_reading(make, use, side):
    maker = makers.TENSORS.get(make) or makers.VARIABLES[make]
    check_reading(*placed(side, maker, users.READERS[use]), numbers("large"))


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "watched"])
@pytest.mark.parametrize("use", users.WRITERS)
@pytest.mark.parametrize(("make", "side"), sides(makers.VARIABLES))
def test_writing(make, use, side, watched):
    check_writing(
        *placed(side, makers.VARIABLES[make], users.WRITERS[use]), numbers("large"), watched=watched
    )
