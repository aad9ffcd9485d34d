"""Images as batches [batch, height, width, channels], whatever axes they have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradtape

tf: Any = gradtape


def as_batch(images: Any, function: str) -> tuple[Any, Callable[[Any], Any]]:
    """Return images [height, width], with channels, or with a batch, too, as a batch with channels;
    and the function that undoes it."""
    images = tf.convert_to_tensor(images)
    rank = images.shape.rank
    if rank == 4:
        return images, lambda x: x
    if rank == 3:
        return images[None], lambda x: x[0]
    if rank == 2:
        return images[None, :, :, None], lambda x: x[0, :, :, 0]
    raise TypeError(
        f"{function}: images should have rank 2 (height, width), 3 (with channels) or 4 (with a "
        f"batch), got shape {images.shape}."
    )
