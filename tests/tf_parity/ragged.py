"""Cases for ragged tensors, written as expressions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import CaseList
from .inputs import normal


def names(tf: Any) -> dict[str, Any]:
    """What an expression may name: a few ragged tensors, and how to make others."""
    constant = tf.ragged.constant
    return {
        "tf": tf,
        "np": np,
        "C": constant,
        "rt": constant([[1, 2, 3], [], [4, 5]]),
        "rf": constant([[1.0, 2.0, 3.0], [], [4.0, 5.0]]),
        "r2": constant([[[1, 2], [3]], [], [[4, 5, 6]]]),
        # One of uniform values, and one of uniform rows.
        "ru": tf.RaggedTensor.from_row_splits([[1, 2], [3, 4], [5, 6]], [0, 2, 2, 3]),
        "uni": tf.RaggedTensor.from_uniform_row_length(constant([[1, 2], [3], [4, 5, 6], []]), 2),
        "spec": tf.RaggedTensorSpec([None], tf.int32),
        "r": lambda x: tf.RaggedTensor.from_row_splits(x, [0, 3, 3, 5]),
    }


def parts(value: Any, with_text: bool = True) -> Any:
    """What is compared of a value."""
    if type(value).__name__ == "TensorShape":
        return str(value)
    if isinstance(value, (list, tuple)):
        return [parts(each, with_text) for each in value]
    if hasattr(value, "nested_row_splits"):
        result = {
            "flat": value.flat_values,
            "splits": list(value.nested_row_splits),
            "shape": str(value.shape),
        }
        if with_text and not value.dtype.is_floating:
            result["text"] = repr(value)
        return result
    if hasattr(value, "dense_shape"):
        return [value.indices, value.values, value.dense_shape]
    if hasattr(value, "dtype") and hasattr(value, "numpy"):
        return value
    plain = isinstance(value, (bool, int, float, str, np.ndarray)) or value is None
    return value if plain else str(value)


def _lines(expressions: str) -> list[str]:
    return [line for line in expressions.strip().split("\n") if line]


def expression_cases(case: CaseList, expressions: str) -> None:
    """Add a case for each line: an expression of the names above."""
    for line in _lines(expressions):
        case(line, lambda tf, line=line: parts(eval(line, names(tf))))


def flat_cases(case: CaseList, expressions: str) -> None:
    """Add a case for each line: an expression of `r(x)`, with its gradient by x."""
    for line in _lines(expressions):
        code = compile(line, "<case>", "eval")

        def function(tf, x, code=code):
            return parts(eval(code, {**names(tf), "x": x * 1.0}), with_text=False)

        case(f"gradient of {line}", function, x=normal(5))
