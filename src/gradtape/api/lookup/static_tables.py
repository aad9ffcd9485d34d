"""`tf.lookup.StaticHashTable` and `StaticVocabularyTable`: tables that are filled once."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.lookup.contents import Contents
from gradtape.api.lookup.initializers import KeyedValues, TableInitializer
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.api.strings.farmhash import fingerprint64
from gradtape.core.brief import brief
from gradtape.core.convert import static_int
from gradtape.core.dtypes import as_dtype, int64, string
from gradtape.core.errors import FailedPreconditionError
from gradtape.core.protocols import is_ragged
from gradtape.core.tensor import Tensor


def _expect_initializer(initializer) -> None:
    if not isinstance(initializer, TableInitializer):
        raise TypeError(
            "A table is filled by an initializer such as tf.lookup.KeyValueTensorInitializer, got "
            f"{brief(initializer)}."
        )


class StaticTable(KeyedValues):
    """What the tables that never change share: they are looked up, also in graphs."""

    name = None

    def lookup(self, keys, name=None):
        """Return the values of keys, a tensor, a SparseTensor or a RaggedTensor."""
        if is_ragged(keys):
            return keys.with_flat_values(self.lookup(keys.flat_values))
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, self.lookup(keys.values), keys.dense_shape)
        expected = self._key_dtype
        tensor = ops.to_tensor(keys, None if ops.is_tensor_like(keys) else expected)
        if tensor.dtype is not expected:
            raise TypeError(
                f"Dtype of argument `keys` must be {expected!r}, received: {tensor.dtype!r}"
            )
        return ops.host_call(self._find, [tensor], self._value_dtype, tensor.shape)

    def __getitem__(self, keys):
        return self.lookup(keys)

    def _find(self, keys: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _trackable_children(self) -> dict[str, Any]:
        return {}  # it is made from its initializer, not restored


@export("lookup.StaticHashTable")
class StaticHashTable(StaticTable):
    """A table from keys to values, with one value for all other keys.

    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1
    )
    table.lookup(tf.constant(["b", "c"]))  # [2, -1]
    """

    def __init__(
        self, initializer, default_value, name=None, experimental_is_anonymous=False
    ) -> None:
        _expect_initializer(initializer)
        self._key_dtype = as_dtype(initializer.key_dtype)
        self._value_dtype = as_dtype(initializer.value_dtype)
        self.default_value = ops.to_tensor(default_value, self._value_dtype)
        if self.default_value.ndim:
            raise ValueError(f"Shapes {self.default_value.shape} and () are not compatible")
        self._default = np.asarray(self.default_value.numpy(), self._value_dtype.dtype)
        self._contents = Contents(self._key_dtype, self._value_dtype)
        self._is_filled = False
        initializer.initialize(self)

    def _fill(self, keys: np.ndarray, values: np.ndarray) -> None:
        self._contents.fill(keys, values)
        self._is_filled = True

    def _find(self, keys: np.ndarray) -> np.ndarray:
        if not self._is_filled:
            raise FailedPreconditionError(
                "Table not initialized: its initializer has given it no keys and values."
            )
        return self._contents.find(keys, self._default)

    def size(self, name=None) -> Tensor:
        """Return the number of keys."""
        return ops.to_tensor(len(self._contents.rows), int64)

    def export(self, name=None) -> tuple[Tensor, Tensor]:
        """Return all keys and all values."""
        keys, values = self._contents.exported()
        return Tensor(keys), Tensor(values)


@export("lookup.StaticVocabularyTable")
class StaticVocabularyTable(StaticTable):
    """A table from words to ids, where other words have ids by their hash, after the known ones."""

    def __init__(
        self,
        initializer,
        num_oov_buckets,
        lookup_key_dtype=None,
        name=None,
        experimental_is_anonymous=False,
    ) -> None:
        if num_oov_buckets <= 0:
            raise ValueError("`num_oov_buckets` must be > 0; use StaticHashTable.")
        wanted = None if lookup_key_dtype is None else as_dtype(lookup_key_dtype)
        self._buckets = static_int(num_oov_buckets, "num_oov_buckets")
        self._value_dtype = int64
        self._known: dict[Any, int] = {}
        if initializer is None:
            self._key_dtype = string
        else:
            _expect_initializer(initializer)
            own = initializer.key_dtype
            if initializer.value_dtype is not int64:
                raise TypeError(
                    f"Invalid `value_dtype`, expected {int64!r} but got "
                    f"{initializer.value_dtype!r}."
                )
            if wanted is not None and wanted.is_integer != own.is_integer:
                expected = "integer" if wanted.is_integer else "non-integer"
                raise TypeError(f"Invalid `key_dtype`, expected {expected} but got {own!r}.")
            self._key_dtype = wanted or own
            contents = Contents(own, int64)
            contents.fill(*initializer.pairs())
            self._known = contents.rows

    def _find(self, keys: np.ndarray) -> np.ndarray:
        known, first, buckets = self._known, len(self._known), self._buckets

        def number(key) -> int:
            index = known.get(key)
            if index is not None:
                return index
            text = key if isinstance(key, bytes) else str(key).encode()
            return first + fingerprint64(text) % buckets

        numbers = [number(key) for key in keys.ravel().tolist()]
        return np.array(numbers, np.int64).reshape(keys.shape)

    def size(self, name=None) -> Tensor:
        """Return the number of ids: those of known words, and of buckets."""
        return ops.to_tensor(len(self._known) + self._buckets, int64)
