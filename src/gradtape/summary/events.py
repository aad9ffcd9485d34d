"""What stands in an event file: events with summaries, as protocol buffers."""

from __future__ import annotations

import numpy as np

from gradtape.core.dtypes import from_numpy
from gradtape.formats import protobuf

# How TensorBoard is to treat the values of a tag.
SCALAR, TENSOR, BLOB_SEQUENCE = 1, 2, 3


def version_event(when: float) -> bytes:
    """The first event of a file."""
    return protobuf.double(1, when) + protobuf.data(3, "brain.Event:2")


def summary_event(when: float, step: int, summary: bytes) -> bytes:
    """An event with a summary."""
    return protobuf.double(1, when) + protobuf.integer(2, step) + protobuf.data(5, summary)


def summary_value(tag: str, array: np.ndarray, metadata: bytes) -> bytes:
    """A summary of one tensor."""
    value = protobuf.data(1, tag) + protobuf.data(8, tensor(array)) + protobuf.data(9, metadata)
    return protobuf.data(1, value)


def plugin_metadata(
    plugin: str, data_class: int, description: str | None, content: bytes = b""
) -> bytes:
    """Which of TensorBoard's dashboards shows a tag, and how."""
    name = protobuf.data(
        1, protobuf.data(1, plugin) + (protobuf.data(2, content) if content else b"")
    )
    text = protobuf.data(3, description) if description else b""
    return name + text + protobuf.integer(4, data_class)


def tensor(array: np.ndarray) -> bytes:
    """A tensor with its dtype and shape."""
    shape = b"".join(protobuf.data(2, protobuf.integer(1, size)) for size in array.shape)
    start = protobuf.integer(1, from_numpy(array.dtype).as_datatype_enum) + protobuf.data(2, shape)
    if array.dtype == object:
        return start + b"".join(protobuf.data(8, item) for item in array.reshape(-1))
    raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    return start + protobuf.data(4, raw)
