"""How `fit`, `evaluate` and `predict` read datasets, sparse and ragged tensors of gradtape."""

from __future__ import annotations

import functools
import sys

import numpy as np
from keras.src import tree
from keras.src.backend.config import floatx
from keras.src.trainers.data_adapters import array_slicing, data_adapter_utils
from keras.src.trainers.data_adapters.data_adapter import DataAdapter

from gradtape.api.ragged.picking import gather
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.convert import to_array
from gradtape.core.dtypes import string
from gradtape.core.tensor import Tensor
from gradtape.data.batching import Batch
from gradtape.data.composite_rows import SparseRows
from keras_gradtape.src.sparse import cast


def is_dataset(x) -> bool:
    """Return whether a value is a dataset of gradtape: it cannot be, if nobody has imported
    them."""
    module = sys.modules.get("gradtape.data.dataset")
    return module is not None and isinstance(x, module.Dataset)


def batch_size_of(dataset) -> int | None:
    """Return the size of the batches that a dataset ends with, or None where it does not."""
    node = dataset._node
    return node.size if isinstance(node, Batch) else None


class DatasetAdapter(DataAdapter):
    """Batches of a dataset, which is run again for each epoch."""

    def __init__(self, dataset, class_weight=None, distribution=None) -> None:
        self._dataset = dataset
        self._class_weight = class_weight

    def get_numpy_iterator(self):
        batches = iter(self._dataset)
        return batches if self._class_weight is None else map(self._weighted, batches)

    def _weighted(self, batch):
        x, y, sample_weight = data_adapter_utils.unpack_x_y_sample_weight(batch)
        if sample_weight is not None:
            raise ValueError("You cannot `class_weight` and `sample_weight` at the same time.")
        if tree.is_nested(y):
            raise ValueError("`class_weight` is only supported for Models with a single output.")
        weights = data_adapter_utils.class_weight_to_sample_weights(y, self._class_weight)
        return x, y, weights

    def get_tf_dataset(self):
        return self._dataset

    @property
    def num_batches(self) -> int | None:
        length = int(self._dataset.cardinality())
        return None if length < 0 else length

    @property
    def batch_size(self) -> int | None:
        return tree.flatten(self._dataset.element_spec)[0].shape[0]

    @property
    def has_partial_batch(self):
        return None

    @property
    def partial_batch_size(self):
        return None


class RaggedSliceable(array_slicing.Sliceable):
    """Batches of rows of a ragged tensor."""

    def __getitem__(self, indices):
        return self.array[indices] if isinstance(indices, slice) else gather(self.array, indices)

    @classmethod
    def cast(cls, x, dtype):
        return cast(x, dtype)


class SparseSliceable(array_slicing.Sliceable):
    """Batches of rows of a sparse tensor."""

    @property
    def shape(self):
        return self.array.shape

    def __getitem__(self, indices) -> SparseTensor:
        return self._rows.take(indices)

    @functools.cached_property
    def _rows(self) -> SparseRows:
        indices, values = np.asarray(self.array.indices), np.asarray(self.array.values)
        return SparseRows(indices, values, tuple(self.array.shape))

    @classmethod
    def cast(cls, x, dtype):
        return cast(x, dtype)


_BATCHES = {RaggedTensor: RaggedSliceable, SparseTensor: SparseSliceable}


def _holds_strings(x) -> bool:
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "US" or (
            x.dtype.kind == "O" and all(isinstance(item, (str, bytes)) for item in x.flat)
        )
    return isinstance(x, Tensor) and x.dtype is string


def _teach_slicing() -> None:
    """Let Keras slice strings, and gradtape's sparse and ragged tensors, besides the arrays that it
    knows."""
    known_sliceable, known_test = array_slicing.convert_to_sliceable, array_slicing.can_slice_array

    def convert_to_sliceable(arrays, target_backend=None):
        def convert(x):
            if _holds_strings(x):
                return array_slicing.NumpySliceable(to_array(np.asarray(x)))
            batches = _BATCHES.get(type(x))
            if batches is None:
                return known_sliceable(x, target_backend)
            return batches(cast(x, floatx()) if x.dtype.is_floating else x)

        return tree.map_structure(convert, arrays)

    array_slicing.convert_to_sliceable = convert_to_sliceable
    array_slicing.can_slice_array = lambda x: type(x) in _BATCHES or known_test(x)


def install(data_adapters) -> None:
    """Make Keras's choice of an adapter know datasets of gradtape, beside TensorFlow's."""
    _teach_slicing()
    is_known, known_adapter = data_adapters.is_tf_dataset, data_adapters.TFDatasetAdapter
    data_adapters.is_tf_dataset = lambda x: is_dataset(x) or is_known(x)
    data_adapters.TFDatasetAdapter = lambda x, **options: (
        DatasetAdapter if is_dataset(x) else known_adapter
    )(x, **options)
