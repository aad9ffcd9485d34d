"""`tf.pad`, and moving blocks of space to the batch or to the depth."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.dtypes import int32
from gradtape.core.tensor import Tensor


@export("pad")
def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None) -> Tensor:
    """Pad a tensor with a constant, or with its mirrored elements."""
    return ops.pad(tensor, paddings, mode, constant_values)


@export("space_to_batch", "space_to_batch_nd", "nn.space_to_batch")
def space_to_batch(input, block_shape, paddings, name=None) -> Tensor:
    """Move the elements of spatial blocks to the batch axis."""
    return ops.space_to_batch(input, block_shape, paddings)


@export("batch_to_space")
def batch_to_space(input, block_shape, crops, name=None) -> Tensor:
    """Return the inverse of `space_to_batch`."""
    if isinstance(block_shape, int):  # a block of an image
        block_shape = [block_shape, block_shape]
    return ops.batch_to_space(input, block_shape, crops)


@export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape, block_shape, base_paddings=None, name=None
) -> tuple[Tensor, Tensor]:
    """Return (paddings, crops) that make a shape divisible by the blocks of `space_to_batch`."""
    sizes = ops.to_tensor(ops.static_shape(input_shape), int32).numpy()
    blocks = ops.to_tensor(ops.static_shape(block_shape), int32).numpy()
    if base_paddings is None:
        base = np.zeros((len(blocks), 2), np.int32)
    else:
        base = ops.to_tensor(ops.static_paddings(base_paddings, len(blocks)), int32).numpy()
    missing = -(sizes + base.sum(1)) % blocks
    paddings = base + np.stack([np.zeros_like(missing), missing], 1)
    crops = np.stack([np.zeros_like(missing), missing], 1)
    return Tensor(paddings.astype(np.int32)), Tensor(crops.astype(np.int32))


@export("nn.space_to_depth")
def space_to_depth(input, block_size, data_format="NHWC", name=None) -> Tensor:
    """Move the elements of square blocks of an image to its channels."""
    return ops.space_to_depth(input, block_size, data_format)


@export("nn.depth_to_space")
def depth_to_space(input, block_size, data_format="NHWC", name=None) -> Tensor:
    """Return the inverse of `space_to_depth`."""
    return ops.depth_to_space(input, block_size, data_format)
