"""No memory is shared between tensors and the program, whatever function they meet in.

Every parity case is run with its inputs as tensors, as variables and as NumPy arrays. Then the
program writes into every writable array that it handed in or that was handed out to it, and
assigns to every variable: no other tensor may change, nor may a second run of the case.
`tests/backends/xla/test_aliasing.py` does the same on a device.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradtape
from gradtape.core.native import extension

from .case import Case
from .cases import MODULES
from .runner import flatten, is_tensor

RANDOM = ("random", "image_random")  # a second run draws other numbers


def snapshot(tensors: list) -> list:
    """The values now, as bytes that nothing else refers to."""
    arrays = [np.array(tensor) for tensor in tensors]
    return [array.tolist() if array.dtype == object else array.tobytes() for array in arrays]


def handed_out(leaf: Any) -> list[np.ndarray]:
    """Every array by which a program can get hold of a result."""
    if isinstance(leaf, np.ndarray):
        return [leaf]
    if not is_tensor(leaf):
        return []
    actual = [leaf.numpy(), np.asarray(leaf), leaf.__array__()]
    gradtape.numpy_function(lambda array: actual.append(array) or np.float32(0), [leaf], "float32")
    if leaf.dtype.name not in ("string", "bool", "bfloat16") and leaf.dtype.size > 1:
        actual.append(np.from_dlpack(leaf))
    return [array for array in actual if isinstance(array, np.ndarray)]


def overwrite(array: np.ndarray) -> None:
    """Change every element, if the array lets a program do so."""
    if not array.flags.writeable:
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        return
    if array.dtype == object:
        array[...] = b"overwritten"
    else:
        raw = np.frombuffer(array.tobytes(), np.uint8) ^ 1
        array[...] = raw.view(array.dtype).reshape(array.shape)


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy whose memory XLA would take over as it is: it begins at a multiple of 64 bytes."""
    array = np.asarray(array)
    if array.dtype == object:
        return array.copy()
    memory = np.empty(array.nbytes + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    result = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


def inputs_as(way: str, case: Case) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    arrays = {name: aligned(made.array(case.name, name)) for name, made in case.inputs.items()}
    if way == "arrays":
        return arrays, dict(arrays)
    variables = case.variables if way == "tensors" else arrays
    return arrays, {
        name: gradtape.Variable(array) if name in variables else gradtape.constant(array)
        for name, array in arrays.items()
    }


def run(way: str, case: Case) -> tuple[list[np.ndarray], list, list] | None:
    """(arrays handed in, variables, tensors that came out); None if there is no such call."""
    arrays, given = inputs_as(way, case)
    plain = way == "tensors"
    sources = [given[name] for name in case.differentiated] if plain else []
    try:
        with gradtape.GradientTape() as tape:
            tape.watch(sources)
            _, leaves = flatten(case.function(gradtape, **given))
        gradients = []
        if sources:
            targets = [leaf for leaf in leaves if is_tensor(leaf) and leaf.dtype.is_floating]
            gradients = tape.gradient(targets, sources) if targets else []
    except Exception:
        if plain:
            raise
        return None  # methods of tensors on an array, or a variable where there can be none
    tensors = [x for x in [*leaves, *gradients] if is_tensor(x) and hasattr(x, "_data")]
    arrays_out = [x for x in leaves if isinstance(x, np.ndarray)]
    variables = [x for x in given.values() if type(x) is gradtape.Variable]
    kept = [x for x in [*given.values(), *tensors] if type(x) is not np.ndarray]
    kept = [x for x in kept if type(x) is not gradtape.Variable]
    return [*arrays.values(), *arrays_out], variables, kept


def check(way: str, case: Case, repeatable: bool) -> None:
    done = run(way, case)
    if done is None:
        return
    arrays, variables, tensors = done
    before = snapshot(tensors)
    values = snapshot(variables)
    for array in arrays:
        overwrite(array)
    for tensor in [*tensors, *variables]:
        for array in handed_out(tensor):
            overwrite(array)
    assert snapshot(variables) == values, f"a variable of {case.name} changed ({way})"
    for variable in variables:
        if variable.dtype.is_floating:
            variable.assign_add(gradtape.ones_like(variable))
    assert snapshot(tensors) == before, f"a tensor of {case.name} changed ({way})"
    if repeatable and way == "tensors":
        again = run(way, case)
        assert again is not None
        assert snapshot(again[2]) == before, f"{case.name} gives other values now ({way})"


@pytest.fixture(params=["as usual", "deferred"])
def deferral(request):
    if request.param == "as usual":
        yield
        return
    if extension is None:
        pytest.skip("without the extension nothing is deferred")
    previous = extension.fuse_from(2)
    yield
    extension.fuse_from(previous)


@pytest.mark.parametrize("way", ["tensors", "variables", "arrays"])
@pytest.mark.parametrize("module", MODULES)
def test_nothing_else_changes(module: str, way: str, deferral) -> None:
    for case in MODULES[module]:
        if case.needs:
            pytest.importorskip(case.needs)
        check(way, case, module not in RANDOM)
