"""`tf.train.Example` and its parts as protobuf has them: bytes, texts, changes and errors.

Each case is a function of the module `tf`. `tests/recorded/record.py` runs them with TensorFlow and
writes `recorded.json`; `test_recorded.py` beside it runs them with gradtape and compares.
"""

import numpy as np

CASES = {}


def case(function):
    assert function.__name__ not in CASES
    CASES[function.__name__] = lambda tf, folder: function(tf)
    return function


def cases(prefix, table):
    """A case for each function of a table."""
    for name, function in table.items():
        assert f"{prefix}_{name}" not in CASES
        CASES[f"{prefix}_{name}"] = lambda tf, folder, function=function: function(tf)


def plain(value):
    """A result as JSON can hold it, with dtypes and shapes."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return {"dict": [[key, plain(value[key])] for key in value]}
    if isinstance(value, tuple):
        return {"tuple": [plain(item) for item in value]}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, "SerializeToString"):
        return {"message": str(value)}
    array = np.asarray(value)
    kind = "string" if array.dtype == object else array.dtype.name
    values = np.vectorize(repr, otypes=[object])(array).tolist() if array.size else []
    return [kind, list(array.shape), values]


# --- messages ------------------------------------------------------------------------------------


def ints(tf, *values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def floats(tf, *values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def strings(tf, *values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def example(tf, **features):
    return tf.train.Example(features=tf.train.Features(feature=features))


def sequence(tf, context=None, **lists):
    made = {key: tf.train.FeatureList(feature=value) for key, value in lists.items()}
    return tf.train.SequenceExample(
        context=tf.train.Features(feature=context or {}),
        feature_lists=tf.train.FeatureLists(feature_list=made),
    )


cases(
    "text",
    {
        "integers": lambda tf: ints(tf, 1, -2, 2**62, -(2**63)),
        "floats": lambda tf: floats(
            tf, 0.1, 1, -2.5, 1e30, 1 / 3, 3.4028235e38, 1e-40, 123456789.0
        ),
        "special_floats": lambda tf: floats(tf, float("inf"), float("-inf"), float("nan"), -0.0),
        "bytes": lambda tf: strings(tf, b"plain", b"\x00\x01\x7f\xff", b"\"quote\" 'x' \\ \n\t\r"),
        "utf8": lambda tf: strings(tf, "é漢".encode()),
        "empty_feature": lambda tf: tf.train.Feature(),
        "empty_list": lambda tf: ints(tf),
        "example": lambda tf: example(tf, label=ints(tf, 3)),
        "example_without_kind": lambda tf: example(tf, label=tf.train.Feature()),
        "sequence": lambda tf: sequence(
            tf, {"id": ints(tf, 7)}, words=[strings(tf, b"a"), floats(tf)]
        ),
        "list_repr": lambda tf: repr(ints(tf, 1, 2).int64_list.value),
        "float_list_repr": lambda tf: repr(floats(tf, 0.1, 2).float_list.value),
        "bytes_list_repr": lambda tf: repr(strings(tf, b"a\n").bytes_list.value),
    },
)
cases(
    "serialized",
    {
        "integers": lambda tf: ints(tf, 0, 1, 127, 128, 300, -1, 2**63 - 1).SerializeToString(),
        "many_integers": lambda tf: ints(tf, *range(0, 40000, 999)).SerializeToString(),
        "small_integers": lambda tf: ints(tf, *range(100)).SerializeToString(),
        "negative_integers": lambda tf: ints(tf, *range(-40, 40)).SerializeToString(),
        "floats": lambda tf: floats(tf, 0.1, 1e40, -1e40, 7).SerializeToString(),
        "bytes": lambda tf: strings(tf, b"", b"x" * 200).SerializeToString(),
        "empty_feature": lambda tf: tf.train.Feature().SerializeToString(),
        "empty_lists": lambda tf: [f(tf).SerializeToString() for f in (ints, floats, strings)],
        "empty_example": lambda tf: tf.train.Example().SerializeToString(),
        "example": lambda tf: example(tf, x=floats(tf, 1.5)).SerializeToString(),
        "deterministic": lambda tf: example(
            tf, b=ints(tf, 1), a=ints(tf, 2), c=strings(tf, b"x")
        ).SerializeToString(deterministic=True),
        "sequence": lambda tf: sequence(tf, None, s=[ints(tf, 1), ints(tf)]).SerializeToString(),
        "size": lambda tf: [ints(tf, 1, 2).ByteSize(), example(tf, a=ints(tf, 300)).ByteSize()],
    },
)
cases(
    "values",
    {
        "numpy_integer": lambda tf: tf.train.Int64List(value=[np.int64(3), np.int8(5)]),
        "numpy_array": lambda tf: tf.train.Int64List(value=np.arange(3)),
        "numpy_int32_array": lambda tf: tf.train.Int64List(value=np.arange(3, dtype=np.int32)),
        "numpy_float_array": lambda tf: tf.train.FloatList(value=np.array([1.5, 1e300])),
        "tensor": lambda tf: tf.train.Int64List(value=tf.constant([1, 2], tf.int64)),
        "float_tensor": lambda tf: tf.train.FloatList(value=tf.constant([1.0, 2.0])),
        "generator": lambda tf: tf.train.Int64List(value=(i for i in range(3))),
        "none": lambda tf: tf.train.Int64List(value=None),
        "bools_as_floats": lambda tf: tf.train.FloatList(value=[True, False]),
        "large_float": lambda tf: tf.train.FloatList(value=[10**200]),
        "dict_for_message": lambda tf: tf.train.Feature(int64_list={"value": [1]}),
        "both_kinds": lambda tf: tf.train.Feature(
            int64_list=tf.train.Int64List(value=[1]), float_list=tf.train.FloatList(value=[2])
        ),
        "none_for_message": lambda tf: tf.train.Feature(int64_list=None),
    },
)
cases(
    "wrong_value",
    {
        "float_as_integer": lambda tf: tf.train.Int64List(value=[1.5]),
        "text_as_integer": lambda tf: tf.train.Int64List(value=["a"]),
        "bool_as_integer": lambda tf: tf.train.Int64List(value=[True]),
        "none_as_integer": lambda tf: tf.train.Int64List(value=[None]),
        "float_array_as_integers": lambda tf: tf.train.Int64List(value=np.array([1.0])),
        "too_large": lambda tf: tf.train.Int64List(value=[2**63]),
        "no_list": lambda tf: tf.train.Int64List(value=3),
        "text_as_float": lambda tf: tf.train.FloatList(value=["1"]),
        "none_as_float": lambda tf: tf.train.FloatList(value=[None]),
        "text_as_bytes": lambda tf: tf.train.BytesList(value=["a"]),
        "number_as_bytes": lambda tf: tf.train.BytesList(value=[1]),
        "bytes_without_list": lambda tf: tf.train.BytesList(value=b"abc"),
        "unknown_field": lambda tf: tf.train.Feature(value=[1]),
        "positional": lambda tf: tf.train.Int64List([1]),
        "wrong_message": lambda tf: tf.train.Feature(int64_list=tf.train.FloatList()),
        "unknown_attribute": lambda tf: tf.train.Feature().value,
        "set_message": lambda tf: setattr(tf.train.Feature(), "int64_list", tf.train.Int64List()),
        "set_list": lambda tf: setattr(tf.train.Int64List(), "value", [1]),
        "set_in_map": lambda tf: tf.train.Features().feature.__setitem__("a", ints(tf, 1)),
        "hash": lambda tf: hash(ints(tf, 1)),
        "has_repeated_field": lambda tf: tf.train.Int64List().HasField("value"),
        "has_unknown_field": lambda tf: tf.train.Feature().HasField("value"),
        "not_bytes": lambda tf: tf.train.Example.FromString("text"),
        "cut_off": lambda tf: tf.train.Example.FromString(b"\x0a\x05ab"),
        "long_varint": lambda tf: tf.train.Example.FromString(b"\x08" + b"\xff" * 11),
        "no_tag": lambda tf: tf.train.Example.FromString(b"\x00\x01"),
        "end_of_no_group": lambda tf: tf.train.Example.FromString(b"\x0c"),
        "merge_other_class": lambda tf: ints(tf, 1).MergeFrom(tf.train.Int64List()),
    },
)


@case
def list_behavior(tf):
    values = ints(tf, 1, 2, 3).int64_list.value
    values.append(4)
    values.extend([5, 6])
    values.insert(0, 9)
    steps = [list(values), values.pop(), values.pop(0), list(values)]
    values.remove(4)
    values.reverse()
    steps += [list(values), values[0], values[-1], values[1:], values[::2], values[:]]
    values.sort()
    values[0] = 7
    values[1:3] = [8, 8, 8]
    del values[0]
    steps += [list(values), len(values), 8 in values, values == [8, 8, 8, 5], values == [1]]
    return steps


@case
def list_of_messages(tf):
    values = tf.train.FeatureList().feature
    values.add(int64_list={"value": [3]})
    values.append(ints(tf, 4))
    values.add().float_list.value.append(2)
    values.extend([strings(tf, b"x")])
    del values[0]
    return [len(values), values[0], values[-1], values[1:], [v.WhichOneof("kind") for v in values]]


@case
def map_creates_what_is_asked_for(tf):
    features = tf.train.Features()
    before = ["a" in features.feature, features.feature.get("a"), len(features.feature)]
    features.feature["a"].int64_list.value.extend([1, 2])
    asked = features.feature["b"].WhichOneof("kind")
    del features.feature["b"]
    return [before, asked, list(features.feature), features, features.feature["a"]]


@case
def message_is_there_once_changed(tf):
    feature, made = tf.train.Feature(), tf.train.Example()
    read = [feature.int64_list.value[:], feature.WhichOneof("kind"), made.HasField("features")]
    feature.int64_list.value.append(1)
    changed = [feature.WhichOneof("kind"), feature.HasField("int64_list")]
    feature.float_list.value.extend([])
    feature.bytes_list.SetInParent()
    made.features.feature["x"].CopyFrom(ints(tf, 5))
    return [read, changed, feature.WhichOneof("kind"), feature, made]


@case
def merging_and_copying(tf):
    one, other = ints(tf, 1), ints(tf, 2)
    one.MergeFrom(other)
    both = str(one)
    one.MergeFromString(other.SerializeToString())
    thrice = str(one)
    one.CopyFrom(other)
    other.int64_list.value.append(9)
    a, b = example(tf, x=ints(tf, 1), y=ints(tf, 2)), example(tf, x=ints(tf, 3))
    a.MergeFrom(b)
    return [both, thrice, one, other, sorted((k, str(v)) for k, v in a.features.feature.items())]


@case
def a_given_message_is_copied(tf):
    feature = ints(tf, 1)
    made = example(tf, x=feature)
    feature.int64_list.value.append(2)
    return [made, feature]


@case
def equality(tf):
    one = example(tf, x=ints(tf, 1), y=floats(tf, 2))
    other = example(tf, y=floats(tf, 2), x=ints(tf, 1))
    return [one == other, one != other, one == ints(tf, 1), ints(tf) == tf.train.Feature()]


@case
def clearing(tf):
    feature = ints(tf, 1)
    feature.ClearField("int64_list")
    made = example(tf, x=ints(tf, 1))
    made.Clear()
    return [feature, feature.WhichOneof("kind"), made, made.IsInitialized()]


@case
def parsing_bytes(tf):
    made = tf.train.Example()
    data = example(tf, x=ints(tf, 1, -5), y=strings(tf, b"q")).SerializeToString()
    count = made.ParseFromString(data)
    again = made.MergeFromString(example(tf, x=ints(tf, 2)).SerializeToString())
    return [count == len(data), again, made.features.feature["x"], made.features.feature["y"]]


@case
def parsing_unusual_bytes(tf):
    unpacked = tf.train.Int64List.FromString(b"\x08\x01\x08\xac\x02\x0a\x02\x03\x04")
    floats_unpacked = tf.train.FloatList.FromString(b"\x0d\x00\x00\x80\x3f\x0a\x04\x00\x00\x00\x40")
    unknown = tf.train.Example.FromString(b"\x50\x01\x0a\x00\x5b\x08\x01\x5c")
    return [
        unpacked,
        floats_unpacked,
        unknown.HasField("features"),
        len(unknown.SerializeToString()),
    ]


@case
def descriptors(tf):
    feature = tf.train.Feature.DESCRIPTOR
    names = [field.name for field in feature.fields]
    listed = [(field.name, field.number) for field, _ in ints(tf, 1).ListFields()]
    return [feature.name, feature.full_name, names, listed]
