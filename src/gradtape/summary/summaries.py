"""The kinds of summaries: scalar, histogram, image, text, audio, and any tensor."""

from __future__ import annotations

import contextlib
import io
import re
import wave
from collections.abc import Generator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.image.color import convert_image_dtype
from gradtape.core import dtypes, scope
from gradtape.core.brief import brief
from gradtape.core.convert import static_int, static_value
from gradtape.core.tensor import Tensor
from gradtape.formats import protobuf
from gradtape.formats.png import encode_png
from gradtape.graph.control.effects import on_each_call
from gradtape.summary import events
from gradtape.summary.writer import (
    SummaryWriter,
    checked_step,
    current_writer,
    recording,
    surroundings,
)

_BUCKETS = 30
_WAV = 11  # TensorBoard's number for the encoding


def _array(data) -> np.ndarray:
    return np.asarray(ops.to_tensor(data)._data)


@contextlib.contextmanager
def summary_scope(name, default_name="summary", values=None) -> Generator[Any]:
    """Yield the tag of a summary in the open name scopes, and open a scope of its name."""
    name = name or default_name
    prefix = scope.name_prefix()
    # A scope's name has fewer characters at its disposal than a tag.
    cleaned = re.sub(r"[^A-Za-z0-9_.\\\-/]", "", name) or default_name
    with scope.named(f"{prefix}{cleaned}/") as opened:
        yield prefix + name, opened


def _target(step) -> tuple[SummaryWriter, int] | None:
    """Return the writer and the step that a summary goes to; None if none is to be written."""
    writer = current_writer()
    if writer is None:
        return None
    number = checked_step(step)
    return (writer, number) if recording() else None


def _write(name: str, step, make, metadata: bytes) -> Tensor:
    """Write a summary, whose array is made only where it is wanted."""
    target = _target(step)
    if target is None:
        return Tensor(np.bool_(False))
    writer, number = target
    with summary_scope(name) as (tag, _):
        writer.add(number, events.summary_value(tag, make(), metadata))
    return Tensor(np.bool_(True))


@on_each_call(capture_context=surroundings)
def write(tag, tensor, step=None, metadata=None, name=None) -> Tensor:
    """Write any tensor; `metadata` says which of TensorBoard's dashboards is to show it.

    `tensor` may be a function that makes it.
    """
    target = _target(step)
    if target is None:
        return Tensor(np.bool_(False))
    writer, number = target
    encode = getattr(metadata, "SerializeToString", None)  # a message of the protobuf library
    encoded = metadata if encode is None else encode()
    array = _array(tensor() if callable(tensor) else tensor)
    writer.add(number, events.summary_value(str(tag), array, encoded or b""))
    return Tensor(np.bool_(True))


@on_each_call(capture_context=surroundings)
def write_raw_pb(tensor, step=None, name=None) -> Tensor:
    """Write an encoded `Summary`."""
    target = _target(step)
    if target is None:
        return Tensor(np.bool_(False))
    writer, number = target
    writer.add(number, bytes(static_value(ops.to_tensor(tensor))))
    return Tensor(np.bool_(True))


@on_each_call(capture_context=surroundings)
def scalar(name, data, step=None, description=None) -> Tensor:
    """Write one number."""
    array = _array(data)
    if array.ndim:
        raise ValueError(
            f"tf.summary.scalar: expected scalar shape for {name!r}, saw shape: {array.shape}."
        )
    if array.dtype.kind in "OUSc":
        raise ValueError(f"tf.summary.scalar: {name!r} must be a real number, got {brief(data)}.")
    metadata = events.plugin_metadata("scalars", events.SCALAR, description)
    return _write(name, step, lambda: array.astype(np.float32), metadata)


@on_each_call(capture_context=surroundings)
def histogram(name, data, step=None, buckets=None, description=None) -> Tensor:
    """Write how the values of a tensor are distributed."""
    array = _array(data)
    count = _BUCKETS if buckets is None else static_int(buckets)
    metadata = events.plugin_metadata("histograms", events.TENSOR, description)
    return _write(name, step, lambda: _histogram(array, count), metadata)


def _histogram(array: np.ndarray, count: int) -> np.ndarray:
    """Return rows of left edge, right edge and number of values; those not finite are left out."""
    values = array.astype(np.float64).reshape(-1)
    values = values[np.isfinite(values)]
    if not values.size or not count:
        return np.zeros((0, 3))
    low, high = values.min(), values.max()
    if low == high:
        return np.array([[low - 0.5, high + 0.5, values.size]])
    buckets = np.minimum(np.floor((values - low) / ((high - low) / count)), count - 1)
    edges = np.linspace(low, high, count + 1)
    return np.stack([edges[:-1], edges[1:], np.bincount(buckets.astype(int), minlength=count)], 1)


@on_each_call(capture_context=surroundings)
def image(name, data, step=None, max_outputs=3, description=None) -> Tensor:
    """Write images [count, height, width, channels]; floats are intensities from 0 to 1."""
    array = _array_with_axes("image", name, data, "count height width channels")
    max_count = _not_negative("image", max_outputs)
    metadata = events.plugin_metadata("images", events.BLOB_SEQUENCE, description)

    def encoded():
        pixels = _bytes_of(array[:max_count])
        sizes = [str(size).encode() for size in (array.shape[2], array.shape[1])]
        return _strings([*sizes, *map(encode_png, pixels)])

    return _write(name, step, encoded, metadata)


def _array_with_axes(what: str, name: str, data, axes: str) -> np.ndarray:
    array, names = _array(data), axes.split()
    if array.ndim != len(names):
        raise ValueError(
            f"tf.summary.{what}: {name!r} must have rank {len(names)}, [{', '.join(names)}], got "
            f"shape {array.shape}."
        )
    return array


def _not_negative(what: str, value) -> int:
    number = static_int(value)
    if number < 0:
        raise ValueError(f"tf.summary.{what}: max_outputs must not be negative, got {number}.")
    return number


def _bytes_of(images: np.ndarray) -> np.ndarray:
    return _array(convert_image_dtype(images, dtypes.uint8, saturate=True))


def _strings(items: list[bytes]) -> np.ndarray:
    array = np.empty(len(items), object)
    array[:] = items
    return array


@on_each_call(capture_context=surroundings)
def text(name, data, step=None, description=None) -> Tensor:
    """Write strings, which TensorBoard shows as Markdown."""
    tensor = ops.to_tensor(data)
    if tensor.dtype is not dtypes.string:
        raise ValueError(f"tf.summary.text: {name!r} must be text, got {brief(data)}.")
    metadata = events.plugin_metadata("text", events.TENSOR, description)
    return _write(name, step, lambda: np.asarray(tensor._data), metadata)


@on_each_call(capture_context=surroundings)
def audio(
    name, data, sample_rate, step=None, max_outputs=3, encoding=None, description=None
) -> Tensor:
    """Write sounds [count, frames, channels] with values from -1 to 1."""
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}")
    array = _array_with_axes("audio", name, data, "count frames channels")
    max_count = _not_negative("audio", max_outputs)
    rate = static_int(sample_rate)
    content = protobuf.integer(2, _WAV)
    metadata = events.plugin_metadata("audio", events.BLOB_SEQUENCE, description, content)

    def encoded():
        rows = [[_wav(clip, rate), b""] for clip in array[:max_count]]
        return _strings([item for row in rows for item in row]).reshape(-1, 2)

    return _write(name, step, encoded, metadata)


def _wav(clip: np.ndarray, rate: int) -> bytes:
    limited = np.clip(clip.astype(np.float32), -1.0, 1.0)
    samples = np.round(limited * np.float32(32767.0)).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(clip.shape[1])
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples.tobytes())
    return file.getvalue()
