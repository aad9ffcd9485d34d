"""Every case gives what TensorFlow gives: values, shapes, dtypes, gradients, exceptions.

The module under test is gradtape unless the environment variable GRADTAPE_PARITY_MODULE names
another one; `tensorflow` checks the golden data themselves.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import Any

import pytest

from . import errors, storage
from .case import Case
from .cases import MODULES
from .compare import compare
from .runner import run

CASES = {f"{module}:{case.name}": (module, case) for module in MODULES for case in MODULES[module]}
GOLDEN = {module: storage.read(module) for module in [*MODULES, "errors"]}

# Texts of NumPy's and Python's own that a user should never be left alone with.
RAW_TEXTS = (
    "operands could not be broadcast together",
    "could not broadcast input array",
    "all the input array dimensions",
    "all input arrays must have the same shape",
    "cannot reshape array of size",
    "out of bounds for array of dimension",
    "matmul: Input operand",
    "ufunc '",
    "setting an array element with a sequence",
    "axes don't match array",
    "cannot select an axis to squeeze out",
    "object has no attribute",
    "numpy.linalg",
)


@pytest.fixture(scope="session")
def tf() -> ModuleType:
    """The module under test."""
    return importlib.import_module(os.environ.get("GRADTAPE_PARITY_MODULE", "gradtape"))


@pytest.mark.parametrize(("module", "case"), CASES.values(), ids=CASES)
def test_case(tf: Any, module: str, case: Case) -> None:
    if case.needs:
        pytest.importorskip(case.needs, reason="an optional package of gradtape's")
    expected = storage.decode(GOLDEN[module][case.name])
    compare(run(tf, case), expected, case)


@pytest.mark.parametrize("name", errors.WRONG_CALLS)
def test_error(tf: Any, name: str) -> None:
    wanted = GOLDEN["errors"][name]["exception"]
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is compared by name below
        errors.WRONG_CALLS[name](tf)
    classes = [cls.__name__ for cls in type(caught.value).__mro__]
    message = str(caught.value)
    assert wanted in classes, f"{wanted} was expected, got {classes[0]}: {message}"
    assert message.strip(), "the message is empty"
    for text in RAW_TEXTS:
        assert text not in message, f"this is no message for a user: {message}"


@pytest.mark.parametrize("module", [*MODULES, "errors"])
def test_golden_data_match_the_cases(module: str) -> None:
    names = errors.WRONG_CALLS if module == "errors" else [case.name for case in MODULES[module]]
    assert list(GOLDEN[module]) == list(names), "run generate.py: cases were added or removed"
