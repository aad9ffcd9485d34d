"""Ops of TensorFlow that gather, scatter, sort and search."""

from __future__ import annotations

from gradtape.api.export import lookup
from gradtape.core.dtypes import int32
from gradtape.saved_model.reading.table import op, rows

rows(
    GatherNd="gather_nd",
    ScatterNd="scatter_nd",
    TensorScatterAdd="tensor_scatter_nd_add",
    TensorScatterMax="tensor_scatter_nd_max",
    TensorScatterMin="tensor_scatter_nd_min",
    TensorScatterSub="tensor_scatter_nd_sub",
    TensorScatterUpdate="tensor_scatter_nd_update",
    SegmentMax="math.segment_max",
    SegmentMean="math.segment_mean",
    SegmentMin="math.segment_min",
    SegmentProd="math.segment_prod",
    SegmentSum="math.segment_sum",
    UnsortedSegmentMax="math.unsorted_segment_max",
    UnsortedSegmentMin="math.unsorted_segment_min",
    UnsortedSegmentProd="math.unsorted_segment_prod",
    UnsortedSegmentSum="math.unsorted_segment_sum",
    SparseSegmentMean="sparse.segment_mean",
    SparseSegmentSqrtN="sparse.segment_sqrt_n",
    SparseSegmentSum="sparse.segment_sum",
)


@op("Gather")
def gather(params, indices, *, validate_indices=True):
    return lookup("gather")(params, indices)


@op("GatherV2")
def gather_v2(params, indices, axis, *, batch_dims=0):
    return lookup("gather")(params, indices, axis=int(axis), batch_dims=batch_dims)


@op("DynamicPartition")
def dynamic_partition(data, partitions, *, num_partitions):
    return lookup("dynamic_partition")(data, partitions, num_partitions)


@op("DynamicStitch", "ParallelDynamicStitch")
def dynamic_stitch(*inputs, N):
    return lookup("dynamic_stitch")(list(inputs[:N]), list(inputs[N:]))


@op("TopKV2", outputs="values indices")
def top_k(x, k, *, sorted=True, index_type=int32):
    return lookup("math.top_k")(x, int(k), sorted)


@op("InTopKV2")
def in_top_k(predictions, targets, k):
    return lookup("math.in_top_k")(targets, predictions, int(k))


@op("LowerBound")
def lower_bound(sequence, values, *, out_type=int32):
    return lookup("searchsorted")(sequence, values, "left", out_type)


@op("UpperBound")
def upper_bound(sequence, values, *, out_type=int32):
    return lookup("searchsorted")(sequence, values, "right", out_type)


@op("Bucketize")
def bucketize(x, *, boundaries):
    edges = lookup("constant")(boundaries, x.dtype if x.dtype.is_floating else "float32")
    flat = lookup("reshape")(lookup("cast")(x, edges.dtype), [-1])
    return lookup("reshape")(lookup("searchsorted")(edges, flat, "right"), x.shape)


@op("Bincount")
def bincount(array, size, weights):
    return lookup("math.bincount")(
        array, weights if weights.shape[0] else None, int(size), int(size)
    )


@op("DenseBincount")
def dense_bincount(array, size, weights, *, binary_output=False):
    weighted = bool(weights.shape.rank) and bool(weights.shape.num_elements())
    return lookup("math.bincount")(
        array,
        weights if weighted else None,
        int(size),
        int(size),
        dtype=weights.dtype,
        axis=-1 if array.ndim > 1 else None,
        binary_output=binary_output,
    )
