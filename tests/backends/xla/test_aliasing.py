"""No memory is shared between a device's tensors and the program, whatever function they meet in.

The cases of `tests/tf_parity/test_aliasing.py`, which says how, on XLA's device on the host: the
only one whose memory a program could reach.
"""

from __future__ import annotations

import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf
from tests.tf_parity.cases import MODULES
from tests.tf_parity.test_aliasing import RANDOM, check

WAYS = ["tensors", "variables", "arrays"]
SOME = 60  # of the cases of a module, the first and each that comes so many later


def check_on_the_device(module: str, way: str, cases: list) -> None:
    for case in cases:
        if case.needs:
            pytest.importorskip(case.needs)
        with tf.device("/XLA:0"):
            check(way, case, module not in RANDOM)


@pytest.mark.parametrize("module", MODULES)
def test_nothing_else_changes(module):
    # The ways take turns: each op is compiled for the device.
    cases = list(MODULES[module])[::SOME]
    for way in (WAYS[len(module) % 3], "arrays"):
        check_on_the_device(module, way, cases)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("module", MODULES)
def test_nothing_else_changes_in_any_case(module, way):
    check_on_the_device(module, way, list(MODULES[module]))
