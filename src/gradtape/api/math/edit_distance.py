"""`tf.edit_distance`: how many changes turn one sequence into another."""

from __future__ import annotations

import numpy as np

from gradtape.api.export import export
from gradtape.api.sparse.tensor import SparseTensor, SparseTensorValue
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def _sequences(sparse, what: str) -> tuple[dict, tuple[int, ...]]:
    """Return the values along the last axis, by the indices on the others, and their sizes."""
    if isinstance(sparse, SparseTensorValue):
        sparse = SparseTensor.from_value(sparse)
    if not isinstance(sparse, SparseTensor):
        raise TypeError(f"{what} must be a SparseTensor.")
    sequences: dict = {}
    values = np.asarray(sparse.values.numpy()).tolist()
    for index, value in zip(np.asarray(sparse.indices.numpy()).tolist(), values, strict=True):
        sequences.setdefault(tuple(index[:-1]), []).append(value)
    sizes = tuple(np.asarray(sparse.dense_shape.numpy()).tolist()[:-1])
    for index in sequences:
        if not all(0 <= i < n for i, n in zip(index, sizes, strict=True)):
            raise InvalidArgumentError(
                f"edit_distance: {what} has a value at {list(index)}, outside of its shape "
                f"{list(sizes)} (without the last axis)"
            )
    return sequences, sizes


def _distance(a: list, b: list) -> int:
    """Return the Levenshtein distance, row by row of its table."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (x != y))
    return row[-1]


@export("edit_distance")
def edit_distance(hypothesis, truth, normalize=True, name="edit_distance") -> Tensor:
    """Return the Levenshtein distance of sequences in sparse tensors, divided by the true
    length."""
    guesses, sizes = _sequences(hypothesis, "Hypothesis")
    expected, true_sizes = _sequences(truth, "Truth")
    if len(sizes) != len(true_sizes):
        raise InvalidArgumentError(
            "edit_distance: hypothesis and truth have ranks "
            f"{len(sizes) + 1} and {len(true_sizes) + 1}, which must be equal"
        )
    shape = tuple(max(pair) for pair in zip(sizes, true_sizes, strict=True))
    result = np.zeros(shape, np.float32)
    for index in {*guesses, *expected}:
        guess, right = guesses.get(index, []), expected.get(index, [])
        distance = float(_distance(guess, right))
        if normalize:
            distance = distance / len(right) if right else (np.inf if guess else 0.0)
        result[index] = distance
    return Tensor(result)
