"""How a record is compared with the golden one."""

from __future__ import annotations

import numpy as np

from .case import Case
from .inputs import numpy_dtype
from .runner import Record, Value

# The relative tolerance of each dtype. Next to it stands an absolute one, a tenth of it times the
# largest magnitude in the array, because sums cancel; and a floor for values that should be 0.
RTOL = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 1e-5,
    "complex64": 1e-5,
    "float16": 4e-3,
    "bfloat16": 3e-2,
}
FLOOR = {"float64": 1e-14, "complex128": 1e-14}


def compare_value(actual: Value, expected: Value, case: Case, what: str) -> None:
    """Assert that a value has the dtype, the shape and the numbers of the golden one."""
    if expected.dtype == "python":
        outcome = (type(actual.array).__name__, str(actual.array))
        assert actual.dtype == "python", f"{what}: expected {expected.array}, got an array"
        assert outcome == expected.array, f"{what}: expected {expected.array}, got {outcome}"
        return
    assert actual.dtype == expected.dtype, f"{what}: dtype {actual.dtype}, not {expected.dtype}"
    shapes = actual.array.shape, expected.array.shape
    assert shapes[0] == shapes[1], f"{what}: shape {shapes[0]}, not {shapes[1]}"
    name = expected.dtype.removeprefix("numpy ")
    if name not in RTOL or case.exact:
        np.testing.assert_array_equal(actual.array, expected.array, err_msg=what)
        return
    wide = np.complex128 if numpy_dtype(name).kind == "c" else np.float64
    outcome, wanted = actual.array.astype(wide), expected.array.astype(wide)
    rtol = RTOL[name] if case.rtol is None else case.rtol
    finite = np.abs(wanted[np.isfinite(wanted)])
    largest = float(finite.max()) if finite.size else 0.0
    atol = max(0.1 * rtol * largest, FLOOR.get(name, 1e-7)) if case.atol is None else case.atol
    np.testing.assert_allclose(outcome, wanted, rtol=rtol, atol=atol, err_msg=what)


def compare(actual: Record, expected: Record, case: Case) -> None:
    """Assert that outputs and gradients are those of the golden record."""
    assert actual.structure == expected.structure, "the structure of the result differs"
    for position, (outcome, wanted) in enumerate(
        zip(actual.outputs, expected.outputs, strict=True)
    ):
        compare_value(outcome, wanted, case, f"output {position}")
    assert actual.gradients.keys() == expected.gradients.keys(), "the golden data is out of date"
    for name, wanted in expected.gradients.items():
        outcome = actual.gradients[name]
        what = f"gradient of {name}"
        if wanted is None:
            assert outcome is None, f"{what}: expected None, got a value"
            continue
        assert outcome is not None, f"{what}: expected a value, got None"
        assert outcome.sparse == wanted.sparse, (
            f"{what}: {'IndexedSlices' if wanted.sparse else 'a dense tensor'} was expected"
        )
        compare_value(outcome, wanted, case, what)
