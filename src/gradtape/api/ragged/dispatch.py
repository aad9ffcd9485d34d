"""What ops do with ragged arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.api.composites import ELEMENTWISE
from gradtape.api.ragged import arrays, mapping, picking, products, reductions, sizes, texts
from gradtape.api.ragged.broadcasting import elementwise
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core import nest
from gradtape.core.composites import APPLIERS
from gradtape.core.dtypes import int32


def _add_n(inputs, name=None) -> Any:
    return elementwise(lambda *values: ops.add_n(list(values)), arrays.several(inputs), "add_n")


def _sparse(value: Any) -> Any:
    return value.to_sparse() if isinstance(value, RaggedTensor) else value


def _sparse_bincount(values, weights=None, axis=0, *args, **kwargs) -> Any:
    from gradtape.api.sparse.math import bincount

    return bincount(_sparse(values), _sparse(weights), axis, *args, **kwargs)


def _bincount(arr, weights=None, *args, **kwargs) -> Any:
    from gradtape.api.sparse.math import dense_bincount

    if not arr.dtype.is_integer and arr.shape.rank == 2:  # as of dense ones
        arr = arr.with_flat_values(ops.cast(arr.flat_values, int32))
    return dense_bincount(_sparse(arr), _sparse(weights), *args, **kwargs)


def _embedding_lookup(params, ids, max_norm=None, name=None) -> Any:
    from gradtape.api.nn.nn import embedding_lookup

    return ids.with_flat_values(embedding_lookup(params, ids.flat_values, max_norm))


def _dynamic_partition(data, partitions, num_partitions, name=None) -> list:
    from gradtape.api.ragged.functions import stack_dynamic_partitions

    stacked = stack_dynamic_partitions(data, partitions, num_partitions)
    return [stacked[number] for number in range(num_partitions)]


OWN: dict[str, Callable] = {
    "dynamic_partition": _dynamic_partition,
    "where": picking.where,
    "concat": arrays.concat,
    "stack": arrays.stack_ragged,
    "split": arrays.split,
    "tile": arrays.tile,
    "reverse": arrays.reverse,
    "expand_dims": arrays.expand_dims,
    "squeeze": arrays.squeeze,
    "shape": sizes.shape,
    "size": arrays.size,
    "rank": arrays.rank,
    "reshape": arrays.reshape,
    "one_hot": arrays.one_hot,
    "gather": picking.gather,
    "gather_nd": picking.gather_nd,
    "map_fn": mapping.map_fn,
    "image.resize": mapping.resize,
    "math.add_n": _add_n,
    "math.cumsum": reductions.cumsum,
    "linalg.matmul": products.matmul,
    "math.bincount": _bincount,
    "sparse.bincount": _sparse_bincount,
    "nn.softmax": reductions.softmax,
    "nn.embedding_lookup": _embedding_lookup,
    "strings.join": texts.join,
    "strings.reduce_join": texts.reduce_join,
    "strings.ngrams": texts.ngrams,
    "strings.unicode_encode": texts.unicode_encode,
    "strings.format": texts.format_text,
}
for _name in "sum mean max min prod any all variance std logsumexp".split():
    OWN[f"math.reduce_{_name}"] = getattr(reductions, f"reduce_{_name}")
for _name in "sum prod max min mean sqrt_n".split():
    _segments = getattr(ops, f"unsorted_segment_{_name}")
    OWN[f"math.unsorted_segment_{_name}"] = reductions.segment_function(_segments)


# Which arguments of these may be ragged, or hold ragged tensors; of the others, the first.
_RAGGED_ARGUMENTS = {
    "where": (0, 1, 2),
    "gather": (0, 1),
    "gather_nd": (0, 1),
    "map_fn": (1,),
    "linalg.matmul": (0, 1),
    "nn.embedding_lookup": (1,),
    "strings.format": (1,),
}


def _holds_ragged(value: Any) -> bool:
    leaves = nest.flatten(value) if isinstance(value, (list, tuple, dict)) else [value]
    return any(isinstance(leaf, RaggedTensor) for leaf in leaves)


def _refusal(name: str, arguments: dict) -> ValueError:
    leaves = nest.flatten(list(arguments.values()))
    return next(x for x in leaves if isinstance(x, RaggedTensor))._not_dense(name)


def _apply(name: str, op: Callable, args: tuple, kwargs: dict) -> Any:
    # By name, so that operands are found where a program names them.
    bound = inspect.signature(op).bind(*args, **kwargs)
    own = OWN.get(name)
    if own is not None:
        parameters = list(inspect.signature(op).parameters)
        candidates = [parameters[i] for i in _RAGGED_ARGUMENTS.get(name, (0,))]
        if not any(_holds_ragged(bound.arguments.get(each)) for each in candidates):
            raise _refusal(name, bound.arguments)
        return own(*args, **kwargs)
    names = list(bound.arguments)[: ELEMENTWISE.get(name, len(args))]
    operands = [bound.arguments[each] for each in names]

    def on_dense(*values: Any) -> Any:
        bound.arguments.update(zip(names, values, strict=True))
        return op(*bound.args, **bound.kwargs)

    if not any(isinstance(x, RaggedTensor) for x in operands):
        raise next(x for x in bound.arguments.values() if isinstance(x, RaggedTensor))._not_dense(
            name
        )
    return elementwise(on_dense, operands, name)


APPLIERS[RaggedTensor] = _apply
