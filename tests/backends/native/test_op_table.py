"""An elementwise op is known to native code by its row in ops.def, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from gradtape.core.bind import bind
from gradtape.core.primitive import PRIMITIVES
from gradtape.core.tensor import Tensor
from tests.backends.native.kernels import native_kernel, needs_extension, numpy_kernel

ROOT = Path(__file__).parents[3]
NATIVE = ROOT / "src" / "native"
ROW = re.compile(r"^(UNARY|BINARY|UNARY_PART|BINARY_PART|SCALAR)\((\w+), (\w+)", re.MULTILINE)
TABLE = (NATIVE / "ops.def").read_text(encoding="utf-8")
OPS = {match[2] for match in ROW.finditer(TABLE)}
NAMES = {match[3] for match in ROW.finditer(TABLE) if "PART" not in match[1]}
# What sums, means and steps of optimizers are made of, in any kernel.
ARITHMETIC = {"ADD", "SUBTRACT", "MULTIPLY", "DIVIDE", "MAXIMUM", "MINIMUM"}
# Other ops that the engine itself speaks of, by file.
USED = {
    "core/operators.cpp": {"NEGATIVE", "SQUARE"},
    "core/walk.cpp": {"IDENTITY"},
    "core/rules.cpp": {"POWER_BY"},
    "core/programs.cpp": {"POWER_BY"},
    "core/ops.cpp": {"POWER_BY"},
    "core/bind.h": {"POWER_BY"},
    # Those that are several loops of NumPy's, or of one rounding.
    "flat/elementwise.cpp": {
        *("POWER", "POWER_BY", "SQUARE", "RECIPROCAL", "RSQRT", "SQRT", "ABS", "NEGATIVE", "EXP"),
        *("IDENTITY", "SIGMOID", "RELU", "RELU_GRAD", "DIVIDE_NO_NAN", "MULTIPLY_NO_NAN"),
    },
    "flat/loops.cpp": {"NEGATIVE", "ABS", "SQUARE", "RECIPROCAL", "SQRT"},
    "flat/products.cpp": {"EXP", "LOG"},
    "flat/steps.cpp": {"POWER_BY"},
    "kernels/elementwise.cpp": {"POWER", "SIN", "COS"},  # float64
    "kernels/reduce.cpp": {"EXP", "LOG"},
    "kernels/kernel.cpp": {"POWER"},
    "kernels/small_arrays.cpp": {
        *("NEGATIVE", "ABS", "SQUARE", "SQRT", "RSQRT", "RECIPROCAL", "EXP", "SIGMOID"),
        *("DIVIDE_NO_NAN", "MULTIPLY_NO_NAN"),
    },
    "simd/mathematics.h": OPS,  # names of coefficients
}


def code(path: Path) -> str:
    """The text of a file without its comments."""
    return re.sub(r"//.*", "", path.read_text(encoding="utf-8"))


def sources() -> list[Path]:
    return sorted(path for end in ("*.h", "*.cpp") for path in NATIVE.rglob(end))


def test_the_table_has_rows():
    assert len(OPS) > 40
    assert {"sigmoid", "add", "identity"} <= NAMES


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(NATIVE)))
def test_no_other_file_lists_ops(path):
    text = code(path)
    assert not set(re.findall(r'"(\w+)"', text)) & NAMES
    used = set(re.findall(r"(?<![\w:])([A-Z][A-Z0-9_]+)\b", text)) & OPS
    assert used <= ARITHMETIC | USED.get(str(path.relative_to(NATIVE)), set())


# --- every row computes what NumPy's kernel computes ----------------------------------------------

VECTORS = {m[3]: m[1] for m in ROW.finditer(TABLE) if m[1] in ("UNARY", "BINARY")}
ROWS = re.findall(
    r"^(?:UNARY|BINARY|SCALAR)\((\w+), (\w+),(.*?)\)$", TABLE, re.MULTILINE | re.DOTALL
)
SCALARS = {name for _, name, forms in ROWS if not forms.endswith(("KERNEL", "SPECIAL_POWERS"))}
NUMBERS = np.array(
    [-3.7, -1, -0.62, -0.0, 0, 1e-30, 0.11, 0.5, 1, 2.25, 5, 1e30, -1e30, np.inf, -np.inf, np.nan]
)


def arguments(name: str, dtype) -> tuple:
    """All pairs of the numbers for an op of two, otherwise the numbers themselves."""
    x = NUMBERS.astype(dtype)
    pairs = np.repeat(x, x.size), np.tile(x, x.size)
    return pairs[: len(PRIMITIVES[name].inputs)] if len(PRIMITIVES[name].inputs) > 1 else (x,)


@needs_extension
@pytest.mark.parametrize("name", sorted(VECTORS))
def test_the_vector_form_computes_what_numpy_computes(name):
    xs = arguments(name, np.float32)
    with np.errstate(all="ignore"):
        expected = numpy_kernel(name)(*xs)
        result = native_kernel(name)(*xs)
    np.testing.assert_allclose(result, expected, rtol=2e-6, atol=1e-7)


@needs_extension
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", sorted(SCALARS))
def test_the_scalar_form_has_the_bits_of_the_kernel(name, dtype):
    prim = PRIMITIVES[name]
    xs = arguments(name, dtype)
    with np.errstate(all="ignore"):
        expected = np.asarray(prim.kernel(*xs))
        result = [
            bind(prim, tuple(Tensor(x) for x in each))._data for each in zip(*xs, strict=True)
        ]
    np.testing.assert_array_equal(np.array(result, dtype), expected)


# --- five files -----------------------------------------------------------------------------------

FOLDERS = ("src/native", "src/gradtape/ops", "src/gradtape/backends")


def files_about(name: str) -> set[str]:
    """The files of ops, backends and native code that speak of an op or its vector form."""
    word = re.compile(rf"\b({name}|{name}_of|{name.upper()})\b")
    files = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*.*")]
    return {
        str(path.relative_to(ROOT))
        for path in files
        if path.suffix in (".py", ".h", ".cpp", ".def")
        and word.search(path.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize(
    ("name", "chapter"), [("erf", "special"), ("softplus", "activations"), ("tan", "elementwise")]
)
def test_an_op_with_a_native_form_is_in_the_five_files_of_contributing(name, chapter):
    # These are ops that no other op of those folders is made of.
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    claim = text[text.index("at most five files") : text.index("Build with")]
    five = [file.replace("<chapter>", chapter) for file in re.findall(r"`(src/[^`]+)`", claim)]
    assert len(five) == 5
    assert files_about(name) == set(five)
