"""The batches of an epoch, for `fit`, `evaluate` and `predict`."""

from __future__ import annotations

import numpy as np
from keras.src import tree
from keras.src.trainers.data_adapters import array_slicing, data_adapter_utils
from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter
from keras.src.trainers.epoch_iterator import EpochIterator

from gradtape.api.random import shuffle
from gradtape.core.dtypes import BY_NUMPY
from gradtape.core.tensor import Tensor
from gradtape.data.seeding import Drawing
from gradtape.distribute.datasets import DistributedDataset
from keras_gradtape.src.sparse import from_parts


class GradtapeEpochIterator(EpochIterator):
    """Batches as tensors; what is sparse, as sparse tensors of gradtape."""

    def __init__(self, *args, **kwargs) -> None:
        if isinstance(kwargs.get("x"), DistributedDataset):
            kwargs["x"] = kwargs["x"].global_batches()
        super().__init__(*args, **kwargs)
        # On TensorFlow a dataset shuffles the rows: with the seed of now, alike in each epoch.
        self._shuffled = Drawing(shuffle)

    def _get_iterator(self):
        adapter = self.data_adapter
        if not isinstance(adapter, ArrayDataAdapter):
            return map(_as_tensors, adapter.get_numpy_iterator())
        inputs = tree.map_structure(as_sparse, adapter._inputs)
        inputs = array_slicing.convert_to_sliceable(inputs, target_backend="numpy")
        return self._batches(adapter, inputs)

    def _batches(self, adapter: ArrayDataAdapter, inputs):
        shuffled = self._shuffled.in_this_pass()
        size, count, kind = adapter._batch_size, adapter._num_samples, adapter._shuffle
        order = shuffled(np.arange(count)).numpy() if kind and kind != "batch" else None
        for start in range(0, count, size):
            rows = slice(start, min(start + size, count))
            if kind == "batch":
                rows = shuffled(np.arange(rows.start, rows.stop)).numpy()
            elif order is not None:
                rows = order[rows]
            yield tree.map_structure(
                lambda sliceable, rows=rows: as_tensor(sliceable.convert_to_numpy(sliceable[rows])),
                inputs,
                none_is_leaf=False,
            )


def _as_tensors(batch):
    return tree.map_structure(lambda x: as_tensor(as_sparse(x)), batch, none_is_leaf=False)


def as_tensor(x):
    """An array of numbers as a tensor; without a copy, for a batch lives only for a step."""
    return Tensor(x) if type(x) is np.ndarray and x.dtype in BY_NUMPY and x.ndim else x


def as_sparse(x):
    """A sparse tensor of SciPy, JAX or TensorFlow as one of gradtape; another value as it is."""
    if data_adapter_utils.is_scipy_sparse(x):
        x = x.tocoo()
        return from_parts(np.stack([x.row, x.col], 1), x.data, x.shape)
    if data_adapter_utils.is_jax_sparse(x):
        return from_parts(x.indices, x.data, x.shape)
    if data_adapter_utils.is_tensorflow_sparse(x):
        return from_parts(x.indices, x.values, tuple(x.shape))
    return x
