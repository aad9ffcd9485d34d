"""`tf.strings.to_hash_bucket*` and `tf.fingerprint`: numbers that strings and tensors have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.strings.arguments import form, text_tensor
from gradtape.api.strings.farmhash import fingerprint64
from gradtape.api.strings.keyed_hashes import murmur64, siphash
from gradtape.core.convert import static_int, static_ints
from gradtape.core.dtypes import int64, uint8
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


class _Known(dict):
    """The hashes of the strings met so far: words come again and again."""

    def __init__(self, compute: Callable[[bytes], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, text: bytes) -> int:
        self[text] = result = self._compute(text)
        return result


def _buckets(value, count, op: str, compute: Callable[[bytes], int], **attributes) -> Tensor:
    number = static_int(count, f"{op}: num_buckets")
    if number < 1:
        raise InvalidArgumentError(
            f"Value for attr 'num_buckets' of {number} must be at least minimum 1 [Op:{op}]"
        )
    tensor = text_tensor(value, op)

    def find(texts: np.ndarray) -> np.ndarray:
        known = _Known(lambda text: compute(text) % number)
        return np.array([known[text] for text in texts.ravel().tolist()], np.int64).reshape(
            texts.shape
        )

    written = form(op, num_buckets=number, **attributes)
    return ops.host_call(find, [tensor], int64, tensor.shape, written)


@export("strings.to_hash_bucket")
def to_hash_bucket(input, num_buckets, name=None) -> Tensor:
    """Return a bucket for each string, by a hash that may change with TensorFlow's version."""
    return _buckets(input, num_buckets, "StringToHashBucket", murmur64)


@export("strings.to_hash_bucket_fast")
def to_hash_bucket_fast(input, num_buckets, name=None) -> Tensor:
    """Return a bucket for each string, by FarmHash's fingerprint."""
    return _buckets(input, num_buckets, "StringToHashBucketFast", fingerprint64)


@export("strings.to_hash_bucket_strong")
def to_hash_bucket_strong(input, num_buckets, key, name=None) -> Tensor:
    """Return a bucket for each string, by SipHash with a key of two integers."""
    words = static_ints(key, "to_hash_bucket_strong: 'key'")
    if len(words) != 2:
        raise InvalidArgumentError("Key must have 2 elements [Op:StringToHashBucketStrong]")
    low, high = words
    op = "StringToHashBucketStrong"
    compute = partial(siphash, key=(low, high))
    return _buckets(input, num_buckets, op, compute, key=(low, high))


@export("fingerprint")
def fingerprint(data, method="farmhash64", name=None) -> Tensor:
    """Return the fingerprint of each row of a tensor, as 8 bytes."""
    if method != "farmhash64":
        raise InvalidArgumentError(f"Unsupported fingerprint method: {method} [Op:Fingerprint]")
    tensor = ops.to_tensor(data)
    if not tensor.ndim:
        raise InvalidArgumentError("`data` should have at least one dimension: [] [Op:Fingerprint]")
    count = tensor.shape[0]

    def compute(array: np.ndarray) -> np.ndarray:
        if array.dtype == object:
            # Rows of several strings are hashed by the fingerprints of these.
            prints = [fingerprint64(text).to_bytes(8, "little") for text in array.ravel().tolist()]
            if array.ndim == 1 or array.size == count:
                return np.frombuffer(b"".join(prints), np.uint8).reshape(count, 8)
            array = np.frombuffer(b"".join(prints), np.uint8)
        rows = np.ascontiguousarray(array).reshape(count, array.size // max(count, 1))
        prints = [fingerprint64(row.tobytes()).to_bytes(8, "little") for row in rows]
        return np.frombuffer(b"".join(prints), np.uint8).reshape(count, 8)

    return ops.host_call(compute, [tensor], uint8, (count, 8))
