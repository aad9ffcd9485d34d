"""How notebooks show tensors and variables: small ones in full, large ones in a few numbers."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from gradtape.core.native import materialize
from gradtape.core.symbolic_tensor import SymbolicTensor
from gradtape.core.tensor import TensorBase

# Up to this number of values they are all shown.
_SMALL = 200
_BINS, _WIDTH, _HEIGHT = 48, 240, 48


def value_html(x: TensorBase, title: str) -> str | None:
    """Return a value for notebooks, under a title; None where it has none to show."""
    if isinstance(x, SymbolicTensor):
        return None
    data: Any = x._data
    array = np.asarray(materialize(data))
    shape = escape(str(tuple(array.shape)))
    head = f"<b>{escape(title)}</b> shape {shape}, dtype {escape(x.dtype.name)}"
    text = f'<pre style="margin:4px 0;font-family:monospace">{escape(_text(array))}</pre>'
    if array.size <= _SMALL or array.dtype.kind not in "fiuV":
        return f"<div>{head}{text}</div>"
    numbers = array.astype(np.float64).reshape(-1)
    return (
        f"<div>{head}<br>{escape(_summary(numbers))}{_histogram(numbers)}"
        f"<details><summary>values</summary>{text}</details></div>"
    )


def _text(array: np.ndarray) -> str:
    return str(array.item()) if array.ndim == 0 else np.array2string(array, threshold=_SMALL)


def _summary(numbers: np.ndarray) -> str:
    """Return what is to be known of many numbers."""
    finite = numbers[np.isfinite(numbers)]
    parts = [f"{numbers.size:,} numbers"]
    if finite.size:
        parts[0] += f" from {finite.min():.4g} to {finite.max():.4g}"
        parts.append(f"mean {finite.mean():.4g}, deviation {finite.std():.4g}")
    counts = {
        "nan": np.isnan(numbers).sum(),
        "inf": np.isinf(numbers).sum(),
        "zeros": (numbers == 0).sum(),
    }
    parts += [f"{count:,} {name}" for name, count in counts.items() if count]
    return ", ".join(parts)


def _histogram(numbers: np.ndarray) -> str:
    """Return the distribution of the finite numbers, as a small picture."""
    finite = numbers[np.isfinite(numbers)]
    if not finite.size or finite.min() == finite.max():
        return ""
    with np.errstate(all="ignore"):
        span = finite.max() - finite.min()
        if not np.isfinite(span):
            return ""
        counts, _ = np.histogram(finite, _BINS)
    wide, tallest = _WIDTH / _BINS, counts.max()
    bars = "".join(
        f'<rect x="{i * wide:.1f}" y="{_HEIGHT - h:.1f}" width="{wide - 0.6:.1f}" '
        f'height="{h:.1f}"/>'
        for i, h in enumerate(counts / tallest * _HEIGHT)
        if h
    )
    return (
        f'<br><svg width="{_WIDTH}" height="{_HEIGHT}" fill="currentColor" opacity="0.55" '
        f'role="img" aria-label="distribution">{bars}</svg>'
    )
