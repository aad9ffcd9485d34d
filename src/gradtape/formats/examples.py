"""`tf.train.Example` and its parts: rows of named features, and sequences of them."""

from __future__ import annotations

from gradtape.formats.message_fields import (
    floats,
    integers,
    message,
    message_map,
    messages,
    strings,
)
from gradtape.formats.messages import Message
from gradtape.formats.repeated import MessageMap, Messages, Repeated


class BytesList(Message, name="tensorflow.BytesList", fields=[strings("value", 1)]):
    """Pieces of bytes."""

    __slots__ = ()
    value: Repeated


class FloatList(Message, name="tensorflow.FloatList", fields=[floats("value", 1)]):
    """Floats of 32 bits."""

    __slots__ = ()
    value: Repeated


class Int64List(Message, name="tensorflow.Int64List", fields=[integers("value", 1)]):
    """Integers of 64 bits."""

    __slots__ = ()
    value: Repeated


class Feature(
    Message,
    name="tensorflow.Feature",
    fields=[
        message("bytes_list", 1, BytesList),
        message("float_list", 2, FloatList),
        message("int64_list", 3, Int64List),
    ],
    oneof="kind",
):
    """The values of a feature: bytes, floats or integers."""

    __slots__ = ()
    bytes_list: BytesList
    float_list: FloatList
    int64_list: Int64List


class Features(Message, name="tensorflow.Features", fields=[message_map("feature", 1, Feature)]):
    """Features by their names."""

    __slots__ = ()
    feature: MessageMap


class FeatureList(Message, name="tensorflow.FeatureList", fields=[messages("feature", 1, Feature)]):
    """A feature at each step of a sequence."""

    __slots__ = ()
    feature: Messages


class FeatureLists(
    Message,
    name="tensorflow.FeatureLists",
    fields=[message_map("feature_list", 1, FeatureList)],
):
    """Sequences of features by their names."""

    __slots__ = ()
    feature_list: MessageMap


class Example(Message, name="tensorflow.Example", fields=[message("features", 1, Features)]):
    """A row of named features."""

    __slots__ = ()
    features: Features


class SequenceExample(
    Message,
    name="tensorflow.SequenceExample",
    fields=[message("context", 1, Features), message("feature_lists", 2, FeatureLists)],
):
    """Named features of a whole, and named sequences."""

    __slots__ = ()
    context: Features
    feature_lists: FeatureLists
