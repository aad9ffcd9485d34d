"""Golden records as JSON: one file for each case module, one line for each array."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from .inputs import numpy_dtype
from .runner import Record, Value

DATA = Path(__file__).parent / "data"

# Significant digits that are kept: beyond them the machine that generates the data shows through.
# They are two digits finer than the tolerances. Exact cases keep all digits.
DIGITS = {"float64": 13, "complex128": 13, "float32": 8, "complex64": 8, "float16": 5}


def _numbers(array: np.ndarray, digits: int | None) -> list[Any]:
    flat = array.reshape(-1)
    if flat.dtype.kind == "c":
        flat = np.stack([flat.real, flat.imag], axis=-1).reshape(-1)
    if flat.dtype.kind in "OSU":
        return [item.decode() if isinstance(item, bytes) else str(item) for item in flat]
    if flat.dtype.kind in "iub":
        return flat.astype(np.int64 if flat.dtype.kind == "i" else np.uint64).tolist()
    if digits is None:
        return [_short(float(str(number))) for number in flat]
    return [_short(float(f"{number:.{digits}g}")) for number in flat.astype(np.float64)]


def _short(number: float) -> float | int:
    """Whole numbers without the point, but never -0.0, whose sign an integer would lose."""
    whole = number.is_integer() and abs(number) < 1e6 and (number or math.copysign(1, number) > 0)
    return int(number) if whole else number


def encode_value(value: Value, exact: bool) -> dict[str, Any]:
    """A value as JSON."""
    if value.dtype == "python":
        return {"dtype": "python", "type": type(value.array).__name__, "value": str(value.array)}
    digits = None if exact else DIGITS.get(value.dtype.removeprefix("numpy "), 5)
    encoded: dict[str, Any] = {
        "dtype": value.dtype,
        "shape": list(value.array.shape),
        "values": _numbers(value.array, digits),
    }
    if value.sparse:
        encoded["sparse"] = True
    return encoded


def decode_value(encoded: dict[str, Any]) -> Value:
    """The reverse of `encode_value`; a plain Python value stays as type and text."""
    if encoded["dtype"] == "python":
        return Value("python", (encoded["type"], encoded["value"]))
    name = encoded["dtype"].removeprefix("numpy ")
    if name == "string":
        array = np.array([item.encode() for item in encoded["values"]], object)
    else:
        dtype = numpy_dtype(name)
        if dtype.kind == "c":
            parts = np.array(encoded["values"], np.float64).reshape(-1, 2)
            array = np.empty(len(parts), dtype)
            array.real, array.imag = parts[:, 0], parts[:, 1]
        elif dtype.kind in "iub":
            array = np.array(encoded["values"], np.uint64 if dtype.kind == "u" else np.int64)
            array = array.astype(dtype)
        else:
            array = np.array(encoded["values"], np.float64).astype(dtype)
    return Value(encoded["dtype"], array.reshape(encoded["shape"]), encoded.get("sparse", False))


def encode(record: Record, exact: bool) -> dict[str, Any]:
    """A record as JSON."""
    return {
        "structure": record.structure,
        "outputs": [encode_value(value, exact) for value in record.outputs],
        "gradients": {
            name: None if value is None else encode_value(value, exact)
            for name, value in record.gradients.items()
        },
    }


def decode(encoded: dict[str, Any]) -> Record:
    """The reverse of `encode`."""
    return Record(
        encoded["structure"],
        [decode_value(value) for value in encoded["outputs"]],
        {
            name: None if value is None else decode_value(value)
            for name, value in encoded["gradients"].items()
        },
    )


def write(module: str, version: str, entries: dict[str, dict[str, Any]]) -> None:
    """Write the golden file of a module; each array stands on a line of its own."""
    lines = ["{", f'"tensorflow": {json.dumps(version)},', '"cases": {']
    for number, (name, entry) in enumerate(entries.items()):
        fields = []
        for key, content in entry.items():
            if isinstance(content, list):
                rows = ",\n".join(f"  {_compact(item)}" for item in content)
                fields.append(f" {json.dumps(key)}: [\n{rows}\n ]" if rows else f' "{key}": []')
            elif isinstance(content, dict):
                rows = ",\n".join(f"  {json.dumps(k)}: {_compact(v)}" for k, v in content.items())
                fields.append(f" {json.dumps(key)}: {{\n{rows}\n }}" if rows else f' "{key}": {{}}')
            else:
                fields.append(f" {json.dumps(key)}: {json.dumps(content)}")
        body = ",\n".join(fields)
        comma = "," if number + 1 < len(entries) else ""
        lines.append(f"{json.dumps(name)}: {{\n{body}\n}}{comma}")
    lines += ["}", "}", ""]
    DATA.mkdir(exist_ok=True)
    (DATA / f"{module}.json").write_text("\n".join(lines), encoding="utf-8")


def _compact(content: Any) -> str:
    return json.dumps(content, separators=(",", ":"))


def read(module: str) -> dict[str, dict[str, Any]]:
    """The entries of a golden file, undecoded; empty where there is none."""
    path = DATA / f"{module}.json"
    if not path.exists():
        return {}
    return json.loads(path.read_text(encoding="utf-8"))["cases"]
