"""Tensors made from integers."""

from __future__ import annotations

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def _one_hot(b: Builder, op: Op, indices: str) -> str:
    """Compare with a range: ONNX's OneHot would count negative indices from the end."""
    classes = b("Range", np.int64(0), b.scalar(op.series("depth")), np.int64(1))
    at = b.unsqueeze(b.cast(indices, np.int64), -1)
    return b.cast(b("Equal", at, classes), op["dtype"])


ROWS = {"one_hot": _one_hot}
