"""What stands in an event file: events with summaries, as protocol buffers."""

from __future__ import annotations

import numpy as np

from gradtape.formats import protobuf
from gradtape.formats.tensor_proto import encode_tensor

# How TensorBoard is to treat the values of a tag.
SCALAR, TENSOR, BLOB_SEQUENCE = 1, 2, 3


def version_event(when: float) -> bytes:
    """Return the first event of a file."""
    return protobuf.double(1, when) + protobuf.data(3, "brain.Event:2")


def summary_event(when: float, step: int, summary: bytes) -> bytes:
    """Return an event with a summary."""
    return protobuf.double(1, when) + protobuf.integer(2, step) + protobuf.data(5, summary)


def summary_value(tag: str, array: np.ndarray, metadata: bytes) -> bytes:
    """Return a summary of one tensor."""
    value = (
        protobuf.data(1, tag) + protobuf.data(8, encode_tensor(array)) + protobuf.data(9, metadata)
    )
    return protobuf.data(1, value)


def plugin_metadata(
    plugin: str, data_class: int, description: str | None, content: bytes = b""
) -> bytes:
    """Return which of TensorBoard's dashboards shows a tag, and how."""
    name = protobuf.data(
        1, protobuf.data(1, plugin) + (protobuf.data(2, content) if content else b"")
    )
    text = protobuf.data(3, description) if description else b""
    return name + text + protobuf.integer(4, data_class)
