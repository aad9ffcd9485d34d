"""The batches of an epoch, for `fit`, `evaluate` and `predict`."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from keras.src import callbacks as callbacks_module
from keras.src import tree
from keras.src.trainers.data_adapters import array_slicing, data_adapter_utils
from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter
from keras.src.trainers.epoch_iterator import EpochIterator

import gradtape
from gradtape.api.random.draws import shuffle
from gradtape.core.dtypes import BY_NUMPY
from gradtape.core.placement import placed
from gradtape.core.tensor import Tensor
from gradtape.data.seeding import SeededFunction
from gradtape.distribute.strategy.datasets import DistributedDataset
from keras_gradtape.src.sparse import from_parts

# The callbacks of Keras that call functions of the program.
_CALLING = (callbacks_module.LambdaCallback, callbacks_module.LearningRateScheduler)
_AHEAD = 2  # batches that are copied to a device while a step runs


class GradtapeEpochIterator(EpochIterator):
    """Batches as tensors; what is sparse, as sparse tensors of gradtape.

    Where `callbacks` may run code of the program, arrays are copied now, as on TensorFlow, so that
    it cannot change what all epochs see. Batches are copied to `device`, if there is one; those of
    arrays ahead of time.
    """

    def __init__(self, *args, callbacks=None, device: str | None = None, **kwargs) -> None:
        if isinstance(kwargs.get("x"), DistributedDataset):
            kwargs["x"] = kwargs["x"].global_batches()
        super().__init__(*args, **kwargs)
        if isinstance(self.data_adapter, ArrayDataAdapter) and run_other_code(callbacks):
            inputs = self.data_adapter._inputs
            self.data_adapter._inputs = tree.map_structure(_copied, inputs, none_is_leaf=False)
        # On TensorFlow a dataset shuffles the rows: with the seed of now, alike in each epoch.
        self._shuffled = SeededFunction(shuffle)
        self._device = device

    def _get_iterator(self):
        adapter = self.data_adapter
        if not isinstance(adapter, ArrayDataAdapter):
            batches = map(_as_tensors, adapter.get_numpy_iterator())
            return batches if self._device is None else copied_to(self._device, batches, ahead=0)
        inputs = tree.map_structure(as_sparse, adapter._inputs)
        inputs = array_slicing.convert_to_sliceable(inputs, target_backend="numpy")
        batches = self._batches(adapter, inputs)
        return batches if self._device is None else copied_to(self._device, batches, _AHEAD)

    def _batches(self, adapter: ArrayDataAdapter, inputs):
        shuffled = self._shuffled.in_this_pass()
        size, count, kind = adapter._batch_size, adapter._num_samples, adapter._shuffle
        order = shuffled(np.arange(count)).numpy() if kind and kind != "batch" else None
        is_copied = self._device is not None and "GPU" in self._device  # by the transfer to it
        for start in range(0, count, size):
            rows = slice(start, min(start + size, count))
            if kind == "batch":
                rows = shuffled(np.arange(rows.start, rows.stop)).numpy()
            elif order is not None:
                rows = order[rows]
            # Rows that are gathered are no view of the data.
            is_new = is_copied or type(rows) is np.ndarray

            def batch(sliceable, rows=rows, is_new=is_new):
                return as_tensor(sliceable.convert_to_numpy(sliceable[rows]), is_new)

            yield tree.map_structure(batch, inputs, none_is_leaf=False)


def copied_to(device: str, batches: Iterable[Any], ahead: int) -> Iterator[Any]:
    """Yield batches on a device, of which the next `ahead` are on their way there."""
    sent: collections.deque = collections.deque()
    for batch in batches:
        with gradtape.device(device):
            sent.append(tree.map_structure(_on_current_device, batch, none_is_leaf=False))
        if len(sent) > ahead:
            yield sent.popleft()
    yield from sent


def _on_current_device(x):
    return placed(x) if type(x) is Tensor else x


def run_other_code(callbacks) -> bool:
    """Return whether callbacks given to `fit` may run code that is not Keras's."""
    if isinstance(callbacks, callbacks_module.CallbackList):
        callbacks = callbacks.callbacks
    return any(
        not type(callback).__module__.startswith("keras.src.callbacks.")
        or isinstance(callback, _CALLING)
        for callback in tree.flatten(callbacks)
        if callback is not None
    )


def _copied(x):
    """Return a copy of an array that a program can change; a file mapped into memory as it is,
    since it may be larger than memory."""
    if isinstance(x, np.ndarray):
        base = x
        while isinstance(base, np.ndarray):
            if isinstance(base, np.memmap):
                return x
            base = base.base
        return x.copy()
    if type(x).__module__.startswith(("pandas.", "scipy.")):
        return x.copy()
    return x.clone() if type(x).__module__.startswith("torch") else x


def _as_tensors(batch):
    return tree.map_structure(lambda x: as_tensor(as_sparse(x)), batch, none_is_leaf=False)


def as_tensor(x, is_new: bool = False):
    """Return an array of numbers as a tensor: a copy, unless the array is new, so nobody else's."""
    if type(x) is np.ndarray and x.dtype in BY_NUMPY and x.ndim:
        return Tensor(x if is_new else x.copy())
    return x


def as_sparse(x):
    """Return a sparse tensor of SciPy, JAX or TensorFlow as one of gradtape; another value as it
    is."""
    if data_adapter_utils.is_scipy_sparse(x):
        x = x.tocoo()
        return from_parts(np.stack([x.row, x.col], 1), x.data, x.shape)
    if data_adapter_utils.is_jax_sparse(x):
        return from_parts(x.indices, x.data, x.shape)
    if data_adapter_utils.is_tensorflow_sparse(x):
        return from_parts(x.indices, x.values, tuple(x.shape))
    return x
