"""Windows of images as columns and back; blocks of space as channels and back."""

from __future__ import annotations

import itertools

from gradtape import ops
from keras_gradtape.src.conversion import convert_to_tensor

__all__ = ["depth_to_space", "fold", "space_to_depth", "unfold"]


def _pair(value) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else tuple(value)


class _Windows:
    """The windows of an image [batch, channels, height, width]: how many, and where they are."""

    def __init__(self, height, width, kernel_size, dilation, padding, stride) -> None:
        self.kernel, self.dilation = _pair(kernel_size), _pair(dilation)
        self.padding, self.stride = _pair(padding), _pair(stride)
        self.padded = tuple(n + 2 * p for n, p in zip((height, width), self.padding, strict=True))
        self.count = tuple(
            (n - d * (k - 1) - 1) // s + 1
            for n, d, k, s in zip(self.padded, self.dilation, self.kernel, self.stride, strict=True)
        )

    def window_indices(self):
        """Return, for each offset in the window, an index of the padded image."""
        whole = (None, None, None)
        for offset in itertools.product(*map(range, self.kernel)):
            spans = []
            for i, d, s, n in zip(offset, self.dilation, self.stride, self.count, strict=True):
                spans.append((i * d, i * d + s * (n - 1) + 1, s))
            yield (whole, whole, *spans)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Return the windows of images [batch, channels, height, width] as columns."""
    x = convert_to_tensor(input)
    batch, channels, height, width = x.shape
    windows = _Windows(height, width, kernel_size, dilation, padding, stride)
    (top, side) = windows.padding
    if top or side:
        x = ops.pad(x, ((0, 0), (0, 0), (top, top), (side, side)))
    parts = ops.stack([ops.take_slice(x, index) for index in windows.window_indices()], 2)
    rows, columns = windows.count
    return ops.reshape(parts, (batch, channels * parts.shape[2], rows * columns))


def fold(x, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Return images from the columns of their windows, which are added where they overlap."""
    x = convert_to_tensor(x)
    height, width = _pair(output_size)
    windows = _Windows(height, width, kernel_size, dilation, padding, stride)
    size = windows.kernel[0] * windows.kernel[1]
    batch, depth, _ = x.shape
    parts = ops.reshape(x, (batch, depth // size, size, *windows.count))
    shape = (batch, depth // size, *windows.padded)
    image = ops.add_n(
        [
            ops.put_slice(part, shape, index)
            for part, index in zip(
                ops.unstack(parts, axis=2), windows.window_indices(), strict=True
            )
        ]
    )
    (top, side) = windows.padding
    return image[:, :, top : top + height, side : side + width]


def depth_to_space(x, block_size, data_format="channels_last"):
    """Move channels to spatial blocks."""
    x = convert_to_tensor(x)
    if data_format == "channels_last":
        return ops.depth_to_space(x, block_size)
    # Of the channels, those of the block vary fastest here, unlike with channels last.
    batch, channels, height, width = x.shape
    depth = channels // block_size**2
    x = ops.reshape(x, (batch, depth, block_size, block_size, height, width))
    x = ops.transpose(x, (0, 1, 4, 2, 5, 3))
    return ops.reshape(x, (batch, depth, height * block_size, width * block_size))


def space_to_depth(x, block_size, data_format="channels_last"):
    """Move spatial blocks to channels."""
    x = convert_to_tensor(x)
    if data_format == "channels_last":
        return ops.space_to_depth(x, block_size)
    batch, channels, height, width = x.shape
    rows, columns = height // block_size, width // block_size
    x = ops.reshape(x, (batch, channels, rows, block_size, columns, block_size))
    x = ops.transpose(x, (0, 1, 3, 5, 2, 4))
    return ops.reshape(x, (batch, channels * block_size**2, rows, columns))
