"""Programs written for TensorFlow run unchanged and reach TensorFlow's numbers."""

from __future__ import annotations

import importlib.util
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOLERANCE = 1e-5
# Relative to the largest number. OpenBLAS's own kernels (for Haswell and for SkylakeX) move this
# picture by 1.3e-5 when NumPy alone computes.
TOLERANCES = {"keras/cyclegan.py": 2e-5}


def _record():
    spec = importlib.util.spec_from_file_location("record", HERE / "record.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RECORD = _record()
EXPECTED = {**RECORD.load(RECORD.EXPECTED), **RECORD.load(RECORD.EXPECTED_BEFORE)}


# Programs whose numbers differ from TensorFlow's today, and why. Strict: a cure must remove them.
KNOWN_DIFFERENCES: dict[str, str] = {}


def _with_marks(program: str):
    reason = KNOWN_DIFFERENCES.get(program)
    marks = [] if reason is None else [pytest.mark.xfail(reason=reason, strict=True)]
    library = RECORD.NEEDED.get(RECORD.folder(program))
    if library is not None:
        reason = f"needs {library}: make companions"
        marks += [pytest.mark.slow, pytest.mark.skipif(RECORD.is_missing(program), reason=reason)]
    return pytest.param(program, marks=marks)


def leaves(value) -> list:
    """The numbers, texts and booleans in a nested list."""
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def shape(value) -> object:
    """The nesting of a list, without what is in it."""
    return [shape(item) for item in value] if isinstance(value, list) else None


def differences(result, expected, path: str = "", tolerance: float = TOLERANCE) -> list[str]:
    """Where two results differ, in words."""
    if isinstance(expected, dict):
        if not isinstance(result, dict) or result.keys() != expected.keys():
            return [f"{path}: other keys"]
        return [
            line
            for key in expected
            for line in differences(result[key], expected[key], f"{path}/{key}", tolerance)
        ]
    if shape(result) != shape(expected):
        return [f"{path}: other shapes: {result} instead of {expected}"]
    sizes = [abs(e) for e in leaves(expected) if isinstance(e, float) and math.isfinite(e)]
    allowed = tolerance * max(sizes, default=0.0)
    return [
        f"{path}: {f!r} instead of {e!r}"
        for f, e in zip(leaves(result), leaves(expected), strict=True)
        if not _agree(f, e, allowed)
    ]


def _agree(result, expected, allowed: float) -> bool:
    if isinstance(expected, float) and isinstance(result, float):
        both_nan = math.isnan(result) and math.isnan(expected)
        return result == expected or both_nan or abs(result - expected) <= allowed
    return type(result) is type(expected) and result == expected


def test_every_program_is_recorded():
    assert sorted(EXPECTED) == RECORD.programs()
    assert len(EXPECTED) >= 140


@pytest.mark.parametrize("program", [*map(_with_marks, RECORD.programs())])
def test_program(program, tmp_path):
    finished = subprocess.run(
        [sys.executable, "-m", "gradtape", "run", str(HERE / program)],
        cwd=tmp_path,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    result = RECORD.numbers(finished.stdout)
    tolerance = TOLERANCES.get(program, TOLERANCE)
    assert not differences(result, EXPECTED[program], tolerance=tolerance)


@pytest.mark.parametrize(
    ("result", "expected", "count"),
    [
        ({"a": [1.0, 2.0]}, {"a": [1.0, 2.00001]}, 0),
        ({"a": [1.0, 2.0]}, {"a": [1.0, 2.0001]}, 1),
        ({"a": [1.0, 1000.0]}, {"a": [1.009, 1000.0]}, 0),
        ({"a": 3}, {"a": 4}, 1),
        ({"a": True}, {"a": False}, 1),
        ({"a": [1.0]}, {"a": [[1.0]]}, 1),
        ({"a": math.nan}, {"a": math.nan}, 0),
        ({"a": 1.0}, {"b": 1.0}, 1),
    ],
)
def test_comparison(result, expected, count):
    assert len(differences(result, expected)) == count
