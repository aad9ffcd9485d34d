"""`tf.io.decode_json_example`: Examples written in JSON."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.dtypes import string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.state import only_outside_of_functions
from gradtape.core.tensor import Tensor
from gradtape.formats.examples import Example, Feature

_LISTS = {"bytesList": "bytes_list", "floatList": "float_list", "int64List": "int64_list"}
_LISTS |= {name: name for name in _LISTS.values()}


class _Wrong(ValueError):
    """What is wrong with the text."""


def _object(value, names: set[str] | None, what: str) -> dict:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _Wrong(f"{what} must be an object, got {value!r:.40}")
    unknown = set() if names is None else set(value) - names
    if unknown:
        raise _Wrong(f"no such field: {min(unknown)!r} in {what}")
    return value


def _integer(value) -> int:
    number = value
    if isinstance(value, str):
        try:
            number = int(value)
        except ValueError:
            raise _Wrong(f"expected an integer, got {value!r:.40}") from None
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    if isinstance(number, bool) or not isinstance(number, int):
        raise _Wrong(f"expected an integer, got {value!r:.40}")
    if not -(2**63) <= number < 2**63:
        raise _Wrong(f"an integer is out of range: {value!r:.40}")
    return number


def _float(value) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _Wrong(f"expected a number, got {value!r:.40}")
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise _Wrong(f"expected a number, got {value!r:.40}") from None


def _bytes(value) -> bytes:
    if not isinstance(value, str):
        raise _Wrong(f"expected a string in base 64, got {value!r:.40}")
    text = value.replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise _Wrong(f"not base 64: {value!r:.40}") from None


_VALUES: dict[str, Any] = {"bytes_list": _bytes, "float_list": _float, "int64_list": _integer}


def _fill(feature: Feature, content) -> None:
    lists = _object(content, set(_LISTS), "a feature")
    if len(lists) > 1:
        raise _Wrong("a feature has more than one list")
    for name, inner in lists.items():
        field = _LISTS[name]
        values = _object(inner, {"value"}, name).get("value")
        if not isinstance(values, (list, type(None))):
            raise _Wrong(f"the value of {name} must be an array")
        made = getattr(feature, field)
        made.SetInParent()
        made.value.extend(map(_VALUES[field], values or ()))


def _refuse(text: str):
    raise _Wrong(f"{text} is written as a string")


def _serialized(text: bytes) -> bytes:
    try:
        whole = json.loads(text, parse_constant=_refuse)
        if not isinstance(whole, dict):
            raise _Wrong("an Example must be an object")
        example: Any = Example()  # its fields are attributes made from a table
        features = _object(whole, {"features"}, "an Example").get("features")
        if features is not None:
            example.features.SetInParent()
            named = _object(features, {"feature"}, "features").get("feature")
            for key, content in _object(named, None, "feature").items():
                _fill(example.features.feature[key], content)
        return example.SerializeToString()
    except (ValueError, RecursionError) as error:
        raise InvalidArgumentError(
            f"Error while parsing JSON: {error} [Op:DecodeJSONExample]"
        ) from None


@export("io.decode_json_example")
def decode_json_example(json_examples, name=None) -> Tensor:
    """Return serialized Examples of texts in JSON."""
    only_outside_of_functions("tf.io.decode_json_example reads the bytes of strings")
    array = np.asarray(ops.to_tensor(json_examples, string)._data)
    result = np.empty(array.shape, object)
    result.reshape(-1)[:] = [_serialized(text) for text in array.reshape(-1)]
    return Tensor(result)
