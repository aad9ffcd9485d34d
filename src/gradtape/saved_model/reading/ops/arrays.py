"""Ops of TensorFlow that make arrays, and that change their shapes."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import lookup
from gradtape.core.dtypes import int32
from gradtape.core.errors import InvalidArgumentError
from gradtape.saved_model.reading.table import op, rows

rows(
    BatchToSpaceND="batch_to_space",
    BroadcastArgs="broadcast_dynamic_shape",
    BroadcastTo="broadcast_to",
    Diag="linalg.tensor_diag",
    DiagPart="linalg.tensor_diag_part",
    ExpandDims="expand_dims",
    Fill="fill",
    InvertPermutation="math.invert_permutation",
    LinSpace="linspace",
    MatrixBandPart="linalg.band_part",
    OnesLike="ones_like",
    Pad="pad",
    Range="range",
    Rank="rank",
    Reshape="reshape",
    ReverseV2="reverse",
    Roll="roll",
    Slice="slice",
    SpaceToBatchND="space_to_batch",
    StopGradient="stop_gradient",
    Tile="tile",
    Transpose="transpose",
    UnravelIndex="unravel_index",
    Where="where",
    ZerosLike="zeros_like",
)


@op("Const")
def const(*, value):
    return value


@op("Identity", "Snapshot", "PreventGradient", "PlaceholderWithDefault", "DebugIdentityV2")
def identity(x):
    """Return the value: also a variable or a table, which passes through functions."""
    return x


@op("EnsureShape")
def ensure_shape(x, *, shape):
    return lookup("ensure_shape")(x, shape)


@op("IdentityN")
def identity_n(*inputs):
    return inputs


@op("Empty")
def empty(shape, *, dtype, init=False):
    return lookup("zeros")(shape, dtype)


@op("Shape")
def shape(x, *, out_type=int32):
    return lookup("shape")(x, out_type)


@op("ShapeN")
def shape_n(*inputs, out_type=int32):
    return [lookup("shape")(x, out_type) for x in inputs]


@op("Size")
def size(x, *, out_type=int32):
    return lookup("size")(x, out_type)


@op("Squeeze")
def squeeze(x, *, squeeze_dims=()):
    return lookup("squeeze")(x, list(squeeze_dims) or None)


@op("Pack")
def pack(*values, axis=0):
    return lookup("stack")(list(values), axis)


@op("Unpack")
def unpack(value, *, num, axis=0):
    return lookup("unstack")(value, num, axis)


@op("ConcatV2")
def concat_v2(*inputs):
    *values, axis = inputs
    return lookup("concat")(values, axis)


@op("Concat")
def concat(axis, *values):
    return lookup("concat")(list(values), axis)


@op("ConcatOffset")
def concat_offset(axis, *shapes):
    """Return where each of several tensors begins in their concatenation."""
    axis = int(axis)
    at, made = 0, []
    for each in shapes:
        sizes = [int(n) for n in each.numpy()]
        begin = [0] * len(sizes)
        begin[axis] = at
        at += sizes[axis]
        made.append(lookup("constant")(begin, each.dtype))
    return made


@op("Split")
def split(axis, value, *, num_split):
    return lookup("split")(value, num_split, axis)


@op("SplitV")
def split_v(value, size_splits, axis, *, num_split):
    return lookup("split")(value, size_splits, axis)


@op("PadV2")
def pad_v2(x, paddings, value):
    return lookup("pad")(x, paddings, constant_values=value)


@op("MirrorPad")
def mirror_pad(x, paddings, *, mode):
    return lookup("pad")(x, paddings, mode.decode())


@op("ReverseSequence")
def reverse_sequence(x, lengths, *, seq_dim, batch_dim=0):
    return lookup("reverse_sequence")(x, lengths, seq_axis=seq_dim, batch_axis=batch_dim)


@op("DepthToSpace")
def depth_to_space(x, *, block_size, data_format=b"NHWC"):
    return lookup("nn.depth_to_space")(x, block_size, data_format.decode())


@op("SpaceToDepth")
def space_to_depth(x, *, block_size, data_format=b"NHWC"):
    return lookup("nn.space_to_depth")(x, block_size, data_format.decode())


@op("MatrixDiagV3")
def matrix_diag(diagonal, k, num_rows, num_cols, padding_value, *, align=b"RIGHT_LEFT"):
    return lookup("linalg.diag")(
        diagonal,
        k=k,
        num_rows=int(num_rows),
        num_cols=int(num_cols),
        padding_value=padding_value,
        align=align.decode(),
    )


@op("MatrixDiagPartV3")
def matrix_diag_part(x, k, padding_value, *, align=b"RIGHT_LEFT"):
    return lookup("linalg.diag_part")(x, k=k, padding_value=padding_value, align=align.decode())


@op("MatrixSetDiagV3")
def matrix_set_diag(x, diagonal, k, *, align=b"RIGHT_LEFT"):
    return lookup("linalg.set_diag")(x, diagonal, k=k, align=align.decode())


@op("StridedSlice")
def strided_slice(
    x,
    begin,
    end,
    strides,
    *,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
):
    return lookup("strided_slice")(
        x,
        begin,
        end,
        strides,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
    )


@op("TensorStridedSliceUpdate")
def strided_slice_update(
    x,
    begin,
    end,
    strides,
    value,
    *,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
):
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    key = ops.strided_key(begin, end, strides, *masks)
    return ops.strided_slice_update(x, key, value)


@op("Unique", outputs="y idx")
def unique(x, *, out_idx=int32):
    return lookup("unique")(x, out_idx)


@op("UniqueWithCounts", outputs="y idx count")
def unique_with_counts(x, *, out_idx=int32):
    return lookup("unique_with_counts")(x, out_idx)


@op("Placeholder")
def placeholder():
    raise InvalidArgumentError(
        "the function reads a placeholder, which only sessions of TensorFlow 1 fill"
    )


@op("CheckNumerics", "CheckNumericsV2")
def check_numerics(x, *, message=b""):
    return lookup("debugging.check_numerics")(x, message.decode(errors="replace"))


@op("OneHot")
def one_hot(indices, depth, on_value, off_value, *, axis=-1):
    return lookup("one_hot")(
        indices, depth, on_value, off_value, axis=axis, dtype=ops.to_tensor(on_value).dtype
    )
