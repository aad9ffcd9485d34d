"""Whether two outcomes of a statement are the same, and if not, in what they differ."""

from __future__ import annotations

import numpy as np

TOLERANCES = {
    "float64": 1e-8,
    "complex128": 1e-8,
    "float32": 2e-4,
    "complex64": 2e-4,
    "float16": 2e-2,
    "bfloat16": 1e-1,
}

# TensorFlow has no kernel for it, or none for this dtype: there is nothing to compare with.
NO_KERNEL = ("NotFoundError", "UnimplementedError", "InternalError")
NO_KERNEL_TEXTS = (
    "Could not find device for node",
    "not in the list of allowed values",
    "No registered",
    "not supported",
    "not in list of allowed",
    "Unsupported",
    "No OpKernel",
    "not implemented",
    "cannot be converted to a NumPy array",
    "UNIMPLEMENTED",
    "pfor",
    "only supported",
    "No gradient defined",
    "gradient registry has no entry",
    "object has no attribute '_id'",
    "No converter defined",
    "support only",
    "Tensor.op is undefined",
    "Caching devices is not yet supported",
    "Unhandled input dimensions",
    "disallowed",
)


def difference(ours, theirs, scale: float = 1.0) -> str | None:
    """In what outcomes differ: a text that begins with its kind, or None where they agree."""
    if "died" in (ours[0], theirs[0]):
        return None if ours[0] != "died" else f"died: {ours[1]}"
    if theirs[0] == "error":
        if ours[0] == "error" or lacks_kernel(theirs):
            return None
        return f"accepts: what fails there with {theirs[1][0]}: {_brief(theirs[2])}"
    if ours[0] == "error":
        return f"fails: {ours[1][0]}: {_brief(ours[2])}"
    return _of_values(ours, theirs, scale)


def class_difference(ours, theirs) -> str | None:
    """Where both fail: whether one's class of exception would be caught as the other's is."""
    if ours[0] != "error" or theirs[0] != "error" or lacks_kernel(theirs):
        return None
    if theirs[1][0] in ours[1] or ours[1][0] in theirs[1]:
        return None
    return f"class: {ours[1][0]} ({_brief(ours[2])}), there {theirs[1][0]} ({_brief(theirs[2])})"


def lacks_kernel(outcome) -> bool:
    return outcome[1][0] in NO_KERNEL or any(text in outcome[2] for text in NO_KERNEL_TEXTS)


def _brief(message: str) -> str:
    return " ".join(message.split())[:160]


def _of_values(ours, theirs, scale: float) -> str | None:
    # TensorFlow gives IndexedSlices in one mode and arrays in another: what they mean is compared.
    if ours[0] == "slices" or theirs[0] == "slices":
        return _of_values(*(o[1] if o[0] == "slices" else o for o in (ours, theirs)), scale)
    if ours[0] != theirs[0]:
        if (
            {ours[0], theirs[0]} == {"python", "array"}
            and _is_nothing(ours)
            and _is_nothing(theirs)
        ):
            return f"zeros: {_kind(ours)}, there {_kind(theirs)}"
        return f"kind: {_kind(ours)}, there {_kind(theirs)}"
    if ours[0] == "python":
        same = ours[1] == theirs[1] or (ours[1] != ours[1] and theirs[1] != theirs[1])
        return None if same else f"value: {ours[1]!r}, there {theirs[1]!r}"
    if ours[0] == "function":
        return None
    if ours[0] in ("list", "dict"):
        mine, other = ours[1], theirs[1]
        if len(mine) != len(other) or (ours[0] == "dict" and set(mine) != set(other)):
            return f"kind: {len(mine)} items, there {len(other)}"
        keys = mine if ours[0] == "dict" else range(len(mine))
        result = (_of_values(mine[key], other[key], scale) for key in keys)
        return next((each for each in result if each is not None), None)
    return _of_arrays(ours, theirs, scale)


def _is_nothing(outcome) -> bool:
    """Whether it is None or zeros: a source that the target does not depend on."""
    return outcome[1] is None if outcome[0] == "python" else not np.any(outcome[3])


def _kind(outcome) -> str:
    return f"{outcome[0]} {outcome[1]}" if outcome[0] in ("array", "python") else outcome[0]


def _of_arrays(ours, theirs, scale: float) -> str | None:
    if ours[1] != theirs[1]:
        return f"dtype: {ours[1]}, there {theirs[1]}"
    if ours[2] != theirs[2]:
        return f"shape: {ours[2]}, there {theirs[2]}"
    mine, other = ours[3], theirs[3]
    tolerance = TOLERANCES.get(ours[1])
    if tolerance is None:
        return None if np.array_equal(mine, other) else f"value: {_at(mine, other, mine != other)}"
    with np.errstate(all="ignore"):
        finite = other[np.isfinite(other)]
        largest = float(np.abs(finite).max()) if finite.size else 0.0
        limit = tolerance * (max(largest, scale) + np.abs(np.where(np.isfinite(other), other, 0)))
        far = ~(np.abs(mine - other) <= limit)
        far &= ~((mine == other) | (np.isnan(mine) & np.isnan(other)))
    return f"value: {_at(mine, other, far)}" if far.any() else None


def _at(mine, other, far) -> str:
    position = np.unravel_index(int(np.argmax(far)), far.shape)
    where = f" at {tuple(map(int, position))}" if far.ndim else ""
    return f"{mine[position]!s}, there {other[position]!s}{where} ({int(far.sum())} of {far.size})"


def magnitude(outcome) -> float:
    """The largest finite value: what rounding errors of later statements are relative to."""
    if outcome[0] == "array" and outcome[1] in TOLERANCES:
        with np.errstate(all="ignore"):
            finite = np.abs(outcome[3][np.isfinite(outcome[3])])
        return float(finite.max()) if finite.size else 0.0
    if outcome[0] == "slices":
        return magnitude(outcome[1])
    if outcome[0] == "list":
        return max(map(magnitude, outcome[1]), default=0.0)
    return 0.0
