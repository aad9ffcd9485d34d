"""`compute_output_spec`: the shapes and dtypes of a function's results, without its arithmetic."""

from __future__ import annotations

import numpy as np
from keras.src import tree
from keras.src.backend.common.keras_tensor import KerasTensor
from keras.src.backend.common.stateless_scope import StatelessScope
from keras.src.backend.common.symbolic_scope import SymbolicScope
from keras.src.backend.common.variables import standardize_dtype

from gradtape import ops
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.state import using
from gradtape.core.tensor import Tensor
from gradtape.prng.seeds import FunctionSeeds
from keras_gradtape.src.abstract import abstract, tracing
from keras_gradtape.src.conversion import is_tensor, numpy_dtype
from keras_gradtape.src.symbolic.sizes import SizesTensor, as_sizes

# Two sizes to try where one is not known: what differs between the runs depends on it. The first
# axis is nearly always the batch, and may be small where real arrays are needed.
_SIZES = (83, 89)
_BATCH_SIZES = (2, 3)


def compute_output_spec(fn, *args, **kwargs):
    """Return the result of `fn` for these arguments, with KerasTensors in place of tensors."""
    return _spec(fn, args, kwargs, _merge)


def function_output_spec(fn, args, kwargs):
    """Do the same for a function of TensorFlow, where results that hold sizes have their values."""
    return _spec(fn, args, kwargs, _merge_sizes)


def _spec(fn, args, kwargs, merge):
    # Draws without a seed are those of a function of its own: the program's go on as if nothing
    # had been drawn here.
    with StatelessScope(), SymbolicScope(), FunctionSeeds().call():
        unknown = any(
            isinstance(x, SizesTensor) or (isinstance(x, KerasTensor) and None in x.shape)
            for x in tree.flatten((args, kwargs))
        )
        first, abstractly = _run(fn, args, kwargs, 0)
        second = _run(fn, args, kwargs, 1)[0] if unknown else first
        pairs = zip(tree.flatten(first), tree.flatten(second), strict=True)
        merge = merge if abstractly else _merge
        return tree.pack_sequence_as(first, [merge(a, b) for a, b in pairs])


def _run(fn, args, kwargs, which: int):
    """Return the result of a run for one of the two sizes, and whether no values were needed."""
    if any(isinstance(x, KerasTensor) and x.sparse for x in tree.flatten((args, kwargs))):
        # Shape rules know dense tensors only; one without any values costs little.
        return _run_with_values(fn, args, kwargs, which), False

    def described(x):
        if not isinstance(x, KerasTensor):
            return x
        if isinstance(x, SizesTensor):
            return ops.to_tensor(x.values[which])
        sizes = tuple(_SIZES[which] if n is None else n for n in x.shape)
        return abstract(sizes, numpy_dtype(x.dtype))

    with tracing() as run:
        try:
            given_args, given_kwargs = tree.map_structure(described, (args, kwargs))
            return fn(*given_args, **given_kwargs), True
        except Exception as error:
            # Where a value decides (a loop over a tensor, a draw without a seed), real ones are
            # needed, whatever the program made of that error; any other is the program's.
            if not run.asked_for_value or isinstance(error, MemoryError):
                raise
    return _run_with_values(fn, args, kwargs, which), False


def _run_with_values(fn, args, kwargs, which: int):
    flat = tree.flatten((args, kwargs))
    small = not any(isinstance(x, SizesTensor) for x in flat)  # sizes are known for others alone

    def zeros(x):
        if not isinstance(x, KerasTensor):
            return x
        if isinstance(x, SizesTensor):
            return ops.to_tensor(x.values[which])
        sizes = [_SIZES[which] if n is None else n for n in x.shape]
        if small and x.shape and x.shape[0] is None:
            sizes[0] = _BATCH_SIZES[which]
        if x.sparse:
            none = np.zeros((0, len(sizes)), np.int64)
            return SparseTensor(none, ops.zeros((0,), x.dtype), sizes)
        return ops.zeros(sizes, x.dtype)

    given_args, given_kwargs = tree.map_structure(zeros, (args, kwargs))
    with using(tapes=(), accumulators=()):
        return fn(*given_args, **given_kwargs)


def _merge(a, b):
    if not is_tensor(a):
        return a
    shape = [m if m == n else None for m, n in zip(a.shape, b.shape, strict=True)]
    return KerasTensor(shape, standardize_dtype(a.dtype), sparse=isinstance(a, SparseTensor))


def _merge_sizes(a, b):
    # In a run on abstract tensors, what has a value has it from their shapes.
    sizes = as_sizes(a, b) if type(a) is Tensor and type(b) is Tensor else None
    return _merge(a, b) if sizes is None else sizes
