"""Record files and the parsing of Examples as TensorFlow has them: values, specs and errors.

Each case is a function of the module `tf`, and of a folder where it asks for one.
`tests/recorded/record.py` runs them with TensorFlow and writes `recorded.json`; `test_recorded.py`
beside it runs them with gradtape and compares.
"""

import gzip
import os
import zlib

import numpy as np

CASES = {}


def case(function):
    assert function.__name__ not in CASES
    CASES[function.__name__] = lambda tf, directory: function(tf)
    return function


def case_with_files(function):
    """A case that is given a folder to write to."""
    assert function.__name__ not in CASES
    CASES[function.__name__] = function
    return function


def cases(prefix, table):
    """A case for each function of a table."""
    for name, function in table.items():
        assert f"{prefix}_{name}" not in CASES
        CASES[f"{prefix}_{name}"] = lambda tf, directory, function=function: function(tf)


def plain(value):
    """A result as JSON can hold it, with dtypes and shapes."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (bytes, float)):
        return repr(value)
    if isinstance(value, dict):
        return {"dict": [[key, plain(value[key])] for key in value]}
    if isinstance(value, tuple):
        return {"tuple": [plain(item) for item in value]}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, "dense_shape"):
        parts = value.indices, value.values, value.dense_shape
        return {"sparse": [plain(part) for part in parts]}
    if hasattr(value, "nested_row_splits"):
        return {"ragged": [plain(value.flat_values), plain(value.nested_row_splits)]}
    if hasattr(value, "element_spec") and hasattr(value, "__iter__"):
        return {"dataset": [plain(item) for item in value]}
    if type(value).__name__.endswith("Spec"):
        return repr(value)
    if hasattr(value, "SerializeToString"):
        return {"message": str(value)}
    array = np.asarray(value)
    kind = "string" if array.dtype == object else array.dtype.name
    values = np.vectorize(repr, otypes=[object])(array).tolist() if array.size else []
    return [kind, list(array.shape), values]


# --- Examples ------------------------------------------------------------------------------------


def feature(tf, values):
    """A feature; of a type, without values."""
    if values is bytes:
        return tf.train.Feature(bytes_list=tf.train.BytesList())
    if values is float:
        return tf.train.Feature(float_list=tf.train.FloatList())
    values = list(values)
    if values and isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if values and isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def example(tf, **features):
    """A serialized Example; None is a feature without a list."""
    made = {
        key: tf.train.Feature() if values is None else feature(tf, values)
        for key, values in features.items()
    }
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


def sequence(tf, context=None, **lists):
    """A serialized SequenceExample."""
    made = {
        key: tf.train.FeatureList(feature=[feature(tf, step) for step in steps])
        for key, steps in lists.items()
    }
    return tf.train.SequenceExample(
        context=tf.train.Features(
            feature={key: feature(tf, values) for key, values in (context or {}).items()}
        ),
        feature_lists=tf.train.FeatureLists(feature_list=made),
    ).SerializeToString()


def parse(tf, batch, **features):
    return tf.io.parse_example(batch, features)


def single(tf, serialized, **features):
    return tf.io.parse_single_example(serialized, features)


def rows(tf):
    return [
        example(tf, a=[1, 2], b=[b"x"], c=[0.5, 1.5, 2.5]),
        example(tf, a=[3, -4], b=bytes, c=float),
        example(tf, a=[5, 6], b=[b"y", b"", b"z"], c=[7.0]),
    ]


def fixed(tf, *args, **kwargs):
    return tf.io.FixedLenFeature(*args, **kwargs)


def padded(tf, shape, dtype, default=None):
    return tf.io.FixedLenSequenceFeature(shape, dtype, True, default)


cases(
    "parse",
    {
        "fixed": lambda tf: parse(tf, rows(tf), a=fixed(tf, [2], tf.int64)),
        "fixed_matrix": lambda tf: parse(tf, rows(tf), a=fixed(tf, [2, 1], tf.int64)),
        "fixed_scalar": lambda tf: parse(tf, [example(tf, a=[5])] * 2, a=fixed(tf, [], tf.int64)),
        "fixed_floats": lambda tf: parse(tf, [example(tf, a=[5.0])], a=fixed(tf, (), tf.float32)),
        "fixed_strings": lambda tf: parse(tf, [example(tf, a=[b"q"])], a=fixed(tf, [1], tf.string)),
        "fixed_default": lambda tf: parse(
            tf, [example(tf, a=[1]), example(tf)], a=fixed(tf, [], tf.int64, 9)
        ),
        "fixed_default_list": lambda tf: parse(
            tf, [example(tf), example(tf, a=[1, 2])], a=fixed(tf, [2], tf.int64, [8, 9])
        ),
        "fixed_default_string": lambda tf: parse(
            tf, [example(tf), example(tf, a=[b"x"])], a=fixed(tf, [], tf.string, "none")
        ),
        "fixed_default_of_empty_feature": lambda tf: parse(
            tf, [example(tf, a=None)], a=fixed(tf, [], tf.float32, 1.5)
        ),
        "fixed_shape_by_name": lambda tf: parse(
            tf, rows(tf), a=tf.io.FixedLenFeature(shape=2, dtype=tf.int64)
        ),
        "fixed_size_zero": lambda tf: parse(tf, [example(tf, a=[])], a=fixed(tf, [0], tf.int64)),
        "var": lambda tf: parse(tf, rows(tf), b=tf.io.VarLenFeature(tf.string)),
        "var_floats": lambda tf: parse(tf, rows(tf), c=tf.io.VarLenFeature(tf.float32)),
        "var_missing": lambda tf: parse(tf, rows(tf), z=tf.io.VarLenFeature(tf.int64)),
        "padded": lambda tf: parse(tf, rows(tf), b=padded(tf, [], tf.string)),
        "padded_pairs": lambda tf: parse(
            tf, [example(tf, a=[1, 2, 3, 4]), example(tf, a=[5, 6]), example(tf)],
            a=padded(tf, [2], tf.int64),
        ),
        "padded_with_default": lambda tf: parse(tf, rows(tf), c=padded(tf, [], tf.float32, -1.0)),
        "padded_missing": lambda tf: parse(tf, rows(tf), z=padded(tf, [3], tf.float32)),
        "several": lambda tf: parse(
            tf, rows(tf), a=fixed(tf, [2], tf.int64), b=tf.io.VarLenFeature(tf.string),
            c=tf.io.VarLenFeature(tf.float32), d=fixed(tf, [1], tf.string, b"d"),
        ),
        "sparse": lambda tf: parse(
            tf, [example(tf, i=[3, 1], v=[0.5, 1.5]), example(tf, i=[0], v=[2.5])],
            s=tf.io.SparseFeature("i", "v", tf.float32, 4),
        ),
        "sparse_already_sorted": lambda tf: parse(
            tf, [example(tf, i=[3, 1], v=[0.5, 1.5])],
            s=tf.io.SparseFeature("i", "v", tf.float32, 4, already_sorted=True),
        ),
        "sparse_two_indices": lambda tf: parse(
            tf, [example(tf, i=[1, 0], j=[2, 1], v=[5, 6])],
            s=tf.io.SparseFeature(["i", "j"], "v", tf.int64, [2, 3]),
        ),
        "sparse_and_its_parts": lambda tf: parse(
            tf, [example(tf, i=[1], v=[5])], i=tf.io.VarLenFeature(tf.int64),
            s=tf.io.SparseFeature("i", "v", tf.int64, 2),
        ),
        "nothing": lambda tf: parse(
            tf, tf.constant([], tf.string), a=fixed(tf, [2], tf.int64),
            b=tf.io.VarLenFeature(tf.string), c=padded(tf, [2], tf.float32),
        ),
        "scalar": lambda tf: parse(
            tf, rows(tf)[0], a=fixed(tf, [2], tf.int64), b=tf.io.VarLenFeature(tf.string)
        ),
        "empty_bytes": lambda tf: parse(tf, [b""], a=fixed(tf, [], tf.int64, 3)),
        "last_of_equal_keys": lambda tf: parse(
            tf, [example(tf, a=[1]) + example(tf, a=[2])], a=fixed(tf, [], tf.int64)
        ),
        "concatenated": lambda tf: parse(
            tf, [example(tf, a=[1]) + example(tf, b=[2])], a=fixed(tf, [], tf.int64),
            b=fixed(tf, [], tf.int64),
        ),
        "not_packed": lambda tf: parse(
            tf, [b"\x0a\x10\x0a\x0e\x0a\x01a\x12\x09\x1a\x07\x08\x01\x08\xac\x02\x08\x03"],
            a=fixed(tf, [3], tf.int64),
        ),
        "unknown_fields": lambda tf: parse(
            tf, [b"\x50\x01" + example(tf, a=[1]) + b"\x59abcdefgh\x5dabcd\x62\x01x"],
            a=fixed(tf, [], tf.int64),
        ),
        "named": lambda tf: tf.io.parse_example(
            rows(tf), {"a": fixed(tf, [2], tf.int64)}, example_names=["p", "q", "r"]
        ),
    },
)  # fmt: skip
cases(
    "single",
    {
        "fixed": lambda tf: single(tf, rows(tf)[0], a=fixed(tf, [2], tf.int64)),
        "scalars": lambda tf: single(
            tf, example(tf, a=[1], b=[b"x"], c=[0.5]), a=fixed(tf, [], tf.int64),
            b=fixed(tf, [], tf.string), c=fixed(tf, [], tf.float32),
        ),
        "defaults": lambda tf: single(
            tf, example(tf), a=fixed(tf, [], tf.int64, 4), b=fixed(tf, [2], tf.string, ["p", "q"]),
        ),
        "var": lambda tf: single(tf, rows(tf)[2], b=tf.io.VarLenFeature(tf.string)),
        "var_missing": lambda tf: single(tf, rows(tf)[2], z=tf.io.VarLenFeature(tf.string)),
        "sequence": lambda tf: single(
            tf, example(tf, a=[1, 2, 3, 4]), a=padded(tf, [2], tf.int64),
            z=padded(tf, [], tf.string),
        ),
        "sparse": lambda tf: single(
            tf, example(tf, i=[3, 1], v=[0.5, 1.5]), s=tf.io.SparseFeature("i", "v", tf.float32, 4)
        ),
        "tensor": lambda tf: single(
            tf, tf.constant(rows(tf)[0]), c=tf.io.VarLenFeature(tf.float32)
        ),
        "wide": lambda tf: single(
            tf, example(tf, a=[-(2**63), 2**63 - 1, 0, 128]), a=fixed(tf, [4], tf.int64)
        ),
    },
)  # fmt: skip
cases(
    "wrong",
    {
        "required": lambda tf: parse(tf, [example(tf)], a=fixed(tf, [], tf.int64)),
        "required_single": lambda tf: single(tf, example(tf), a=fixed(tf, [], tf.int64)),
        "count": lambda tf: parse(tf, rows(tf), a=fixed(tf, [3], tf.int64)),
        "count_single": lambda tf: single(tf, rows(tf)[0], a=fixed(tf, [3], tf.int64)),
        "kind": lambda tf: parse(tf, rows(tf), a=fixed(tf, [2], tf.float32)),
        "kind_of_var": lambda tf: parse(tf, rows(tf), a=tf.io.VarLenFeature(tf.string)),
        "kind_single": lambda tf: single(tf, rows(tf)[0], a=fixed(tf, [2], tf.string)),
        "dtype": lambda tf: parse(tf, rows(tf), a=fixed(tf, [2], tf.int32)),
        "stride": lambda tf: parse(tf, rows(tf), c=padded(tf, [2], tf.float32)),
        "damaged": lambda tf: parse(tf, [b"\x0a\x05abc"], a=fixed(tf, [], tf.int64)),
        "damaged_single": lambda tf: single(tf, b"\x0a\x05abc", a=fixed(tf, [], tf.int64)),
        "no_features": lambda tf: tf.io.parse_example(rows(tf), {}),
        "no_features_single": lambda tf: tf.io.parse_single_example(rows(tf)[0], None),
        "no_shape": lambda tf: parse(tf, rows(tf), a=fixed(tf, None, tf.int64)),
        "no_dtype": lambda tf: parse(tf, rows(tf), a=tf.io.VarLenFeature(None)),
        "unknown_size": lambda tf: parse(tf, rows(tf), a=fixed(tf, [None], tf.int64)),
        "unknown_inner_size": lambda tf: parse(tf, rows(tf), a=fixed(tf, [2, None], tf.int64)),
        "must_allow_missing": lambda tf: parse(
            tf, rows(tf), a=tf.io.FixedLenSequenceFeature([], tf.int64)
        ),
        "no_feature": lambda tf: parse(tf, rows(tf), a=tf.int64),
        "default_of_other_size": lambda tf: parse(tf, [example(tf)], a=fixed(tf, [2], tf.int64, 1)),
        "matrix": lambda tf: parse(tf, [rows(tf)], a=fixed(tf, [2], tf.int64)),
        "vector_for_single": lambda tf: single(tf, rows(tf), a=fixed(tf, [2], tf.int64)),
    },
)


# --- SequenceExamples ----------------------------------------------------------------------------


def two_sequences(tf):
    return [
        sequence(tf, {"id": [7]}, words=[[1], [2, 3]], vec=[[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]]),
        sequence(tf, {"id": [8]}, words=[[4, 5, 6]], vec=[]),
    ]


def steps(tf, shape, dtype, **options):
    return tf.io.FixedLenSequenceFeature(shape, dtype, **options)


def parse_sequences(tf, batch, context=None, **features):
    return tf.io.parse_sequence_example(batch, context, features)


def single_sequence(tf, serialized, context=None, **features):
    return tf.io.parse_single_sequence_example(serialized, context, features)


# --- ragged features -----------------------------------------------------------------------------


def divided_rows(tf):
    """Three values in two rows, two in one, and none: divided in each way there is."""
    return [
        example(tf, v=[1, 2, 3], splits=[0, 1, 3], lengths=[1, 2], starts=[0, 1], limits=[1, 3],
                ids=[0, 1, 1]),
        example(tf, v=[4, 5], splits=[0, 2], lengths=[2], starts=[0], limits=[2], ids=[0, 0]),
        example(tf, w=[1]),
    ]  # fmt: skip


def ragged(tf, *args, **options):
    return tf.io.RaggedFeature(*args, **options)


def partitions(tf):
    kinds = tf.io.RaggedFeature
    return {
        "splits": kinds.RowSplits("splits"),
        "lengths": kinds.RowLengths("lengths"),
        "starts": kinds.RowStarts("starts"),
        "limits": kinds.RowLimits("limits"),
        "ids": kinds.ValueRowIds("ids"),
    }


def divided(tf, batch, *names, dtype=None, **options):
    by = [partitions(tf)[name] if isinstance(name, str) else name for name in names]
    feature = ragged(tf, dtype or tf.int64, "v", by, **options)
    return (parse if isinstance(batch, list) else single)(tf, batch, x=feature)


def uniform(tf, length):
    return tf.io.RaggedFeature.UniformRowLength(length)


for kind in ("splits", "lengths", "starts", "limits", "ids"):
    cases(
        f"ragged_{kind}",
        {
            "batch": lambda tf, kind=kind: divided(tf, divided_rows(tf)[:2], kind),
            "missing": lambda tf, kind=kind: divided(tf, divided_rows(tf), kind),
            "only_missing": lambda tf, kind=kind: divided(tf, divided_rows(tf)[2:], kind),
            "single": lambda tf, kind=kind: divided(tf, divided_rows(tf)[0], kind),
            "of_int64": lambda tf, kind=kind: divided(
                tf, divided_rows(tf), kind, row_splits_dtype=tf.int64
            ),
            "validated": lambda tf, kind=kind: divided(
                tf, divided_rows(tf), kind, validate=True
            ),
            "then_uniform": lambda tf, kind=kind: divided(
                tf, [example(tf, v=[1, 2, 3, 4, 5, 6], splits=[0, 1, 3], lengths=[1, 2],
                             starts=[0, 1], limits=[1, 3], ids=[0, 1, 1])], kind, uniform(tf, 2),
            ),
            "in_uniform": lambda tf, kind=kind: divided(
                tf, divided_rows(tf)[:1] * 2, uniform(tf, 2), kind
            ),
            "in_uniform_single": lambda tf, kind=kind: divided(
                tf, divided_rows(tf)[0], uniform(tf, 2), kind
            ),
        },
    )  # fmt: skip


def two_levels(tf):
    return [
        example(tf, v=[1.0, 2.0, 3.0, 4.0], splits=[0, 1, 4], lengths=[2],
                limits=[1, 4], ids=[0, 0]),
        example(tf, v=[5.0, 6.0, 7.0], splits=[0, 1, 3], lengths=[1, 1], limits=[1, 3], ids=[0, 2]),
        example(tf),
    ]  # fmt: skip


def text_steps(tf):
    return [
        sequence(tf, {"c": [1, 2], "lengths": [1, 1]}, v=[[1, 2, 3], [4]], lengths=[[1, 2], [1]],
                 t=[[b"a", b"bc"], []]),
        sequence(tf, {"c": [3], "lengths": [1]}, v=[[5, 6]], lengths=[[2]], t=[[b"d"]]),
        sequence(tf),
    ]  # fmt: skip


def ragged_pipeline(tf, batch):
    ds = tf.data.Dataset.from_tensor_slices(divided_rows(tf))
    features = {
        "v": ragged(tf, tf.int64),
        "x": ragged(tf, tf.int64, "v", [partitions(tf)["lengths"]]),
        "u": ragged(tf, tf.int64, "u", [uniform(tf, 2)]),
    }
    if batch:
        return ds.batch(2).map(lambda x: tf.io.parse_example(x, features))
    return ds.map(lambda x: tf.io.parse_single_example(x, features))


cases(
    "ragged",
    {
        "batch": lambda tf: parse(tf, divided_rows(tf), v=ragged(tf, tf.int64)),
        "single": lambda tf: single(tf, divided_rows(tf)[0], v=ragged(tf, tf.int64)),
        "floats": lambda tf: parse(tf, two_levels(tf), v=ragged(tf, tf.float32)),
        "strings": lambda tf: parse(tf, rows(tf), b=ragged(tf, tf.string)),
        "strings_single": lambda tf: single(tf, rows(tf)[2], b=ragged(tf, tf.string)),
        "nothing": lambda tf: parse(tf, tf.constant([], tf.string), v=ragged(tf, tf.int64)),
        "two_levels": lambda tf: divided(tf, two_levels(tf), "lengths", "splits", dtype=tf.float32),
        "two_levels_of_ids": lambda tf: divided(
            tf, two_levels(tf), "ids", "limits", dtype=tf.float32
        ),
        "two_levels_single": lambda tf: divided(
            tf, two_levels(tf)[0], "lengths", "limits", dtype=tf.float32
        ),
        "uniform": lambda tf: divided(
            tf, [example(tf, v=[1, 2, 3, 4]), example(tf, v=[5, 6])], uniform(tf, 2)
        ),
        "uniform_single": lambda tf: divided(tf, example(tf, v=[1, 2, 3, 4]), uniform(tf, 2)),
        "uniform_does_not_fit": lambda tf: divided(tf, [example(tf, v=[1, 2, 3])], uniform(tf, 2)),
        "lengths_do_not_fit": lambda tf: divided(
            tf, [example(tf, v=[1, 2, 3], lengths=[1, 1])], "lengths", validate=True
        ),
        "lengths_are_not_checked": lambda tf: divided(
            tf, [example(tf, v=[1, 2, 3], lengths=[1, 1])], "lengths"
        ),
        "beside_others": lambda tf: parse(
            tf, divided_rows(tf), v=ragged(tf, tf.int64), s=tf.io.VarLenFeature(tf.int64),
            a=fixed(tf, [1], tf.int64, [0]), b=ragged(tf, tf.int64, "v", [partitions(tf)["ids"]]),
        ),
        "wrong_type": lambda tf: parse(tf, divided_rows(tf), v=ragged(tf, tf.float32)),
        "dtype": lambda tf: ragged(tf, tf.int32),
        "splits_of_two_dtypes": lambda tf: parse(
            tf, divided_rows(tf), v=ragged(tf, tf.int64),
            w=ragged(tf, tf.int64, "v", row_splits_dtype=tf.int64),
        ),
        "values_of_two_dtypes": lambda tf: parse(
            tf, divided_rows(tf), v=ragged(tf, tf.int64), w=ragged(tf, tf.float32, "v")
        ),
        "sparse_too": lambda tf: parse(
            tf, divided_rows(tf), v=tf.io.VarLenFeature(tf.int64), w=ragged(tf, tf.int64, "v")
        ),
        "partition_as_text": lambda tf: ragged(tf, tf.int64, partitions=["lengths"]),
        "partition_alone": lambda tf: ragged(
            tf, tf.int64, partitions=tf.io.RaggedFeature.RowLengths("lengths")
        ),
        "as_text": lambda tf: str(ragged(tf, tf.int64, "v", [uniform(tf, 3)])),
        "spec": lambda tf: ragged_pipeline(tf, False).element_spec,
        "spec_of_batches": lambda tf: ragged_pipeline(tf, True).element_spec,
        "context": lambda tf: parse_sequences(tf, text_steps(tf), {"c": ragged(tf, tf.int64)}),
        "sequence": lambda tf: parse_sequences(tf, text_steps(tf), v=ragged(tf, tf.int64)),
        "sequence_of_strings": lambda tf: parse_sequences(
            tf, text_steps(tf), t=ragged(tf, tf.string)
        ),
        "sequence_divided": lambda tf: parse_sequences(
            tf, text_steps(tf),
            {"c": ragged(tf, tf.int64, partitions=[partitions(tf)["lengths"]])},
            v=ragged(tf, tf.int64, partitions=[partitions(tf)["lengths"]]),
        ),
        "sequence_uniform": lambda tf: parse_sequences(
            tf, [sequence(tf, v=[[1, 2], [3, 4, 5, 6]]), sequence(tf, v=[[7, 8]])],
            v=ragged(tf, tf.int64, partitions=[uniform(tf, 2)]),
        ),
        "sequence_single": lambda tf: single_sequence(
            tf, text_steps(tf)[0], {"c": ragged(tf, tf.int64)}, v=ragged(tf, tf.int64)
        ),
        "sequence_single_divided": lambda tf: single_sequence(
            tf, text_steps(tf)[0],
            {"c": ragged(tf, tf.int64, partitions=[partitions(tf)["lengths"]])},
            v=ragged(tf, tf.int64, partitions=[partitions(tf)["lengths"]]),
        ),
    },
)  # fmt: skip


cases(
    "sequences",
    {
        "dense": lambda tf: parse_sequences(tf, two_sequences(tf), vec=steps(tf, [2], tf.float32)),
        "sparse": lambda tf: parse_sequences(
            tf, two_sequences(tf), words=tf.io.VarLenFeature(tf.int64)
        ),
        "with_context": lambda tf: parse_sequences(
            tf, two_sequences(tf), {"id": fixed(tf, [], tf.int64)}, vec=steps(tf, [2], tf.float32)
        ),
        "context_only": lambda tf: parse_sequences(
            tf, two_sequences(tf), {"id": tf.io.VarLenFeature(tf.int64)}
        ),
        "missing_allowed": lambda tf: parse_sequences(
            tf, two_sequences(tf), z=steps(tf, [], tf.string, allow_missing=True)
        ),
        "missing": lambda tf: parse_sequences(tf, two_sequences(tf), z=steps(tf, [], tf.string)),
        "missing_sparse": lambda tf: parse_sequences(
            tf, two_sequences(tf), z=tf.io.VarLenFeature(tf.string)
        ),
        "wrong_count": lambda tf: parse_sequences(
            tf, two_sequences(tf), words=steps(tf, [], tf.int64)
        ),
        "wrong_kind": lambda tf: parse_sequences(
            tf, two_sequences(tf), words=tf.io.VarLenFeature(tf.float32)
        ),
        "nothing_asked": lambda tf: tf.io.parse_sequence_example(two_sequences(tf)),
        "single": lambda tf: single_sequence(
            tf, two_sequences(tf)[0], {"id": fixed(tf, [1], tf.int64)},
            words=tf.io.VarLenFeature(tf.int64), vec=steps(tf, [2], tf.float32),
        ),
        "single_empty": lambda tf: single_sequence(
            tf, two_sequences(tf)[1], vec=steps(tf, [2], tf.float32)
        ),
        "single_missing_allowed": lambda tf: single_sequence(
            tf, two_sequences(tf)[1], z=steps(tf, [2, 2], tf.float32, allow_missing=True)
        ),
        "single_missing": lambda tf: single_sequence(
            tf, two_sequences(tf)[1], z=steps(tf, [2], tf.float32)
        ),
        "single_wrong_count": lambda tf: single_sequence(
            tf, two_sequences(tf)[0], vec=steps(tf, [3], tf.float32)
        ),
        "single_strings": lambda tf: single_sequence(
            tf, sequence(tf, None, w=[[b"a"], [b"bc"]]), w=steps(tf, [], tf.string)
        ),
        "single_damaged": lambda tf: single_sequence(tf, b"\x12\x7f", w=steps(tf, [], tf.string)),
    },
)  # fmt: skip


# --- tensors as strings --------------------------------------------------------------------------

TENSORS = {
    "int32": lambda tf: tf.constant([[1, 2], [3, 4]]),
    "string": lambda tf: tf.constant(["a", "bc"]),
    "scalar": lambda tf: tf.constant(1.5),
    "string_scalar": lambda tf: tf.constant("x"),
    "bool": lambda tf: tf.constant([True, False]),
    "complex": lambda tf: tf.constant([1 + 2j]),
    "half": lambda tf: tf.constant([1, 2], tf.float16),
    "uint8": lambda tf: tf.constant([1, 255], tf.uint8),
    "int64": lambda tf: tf.constant([-1, 2**40], tf.int64),
    "empty": lambda tf: tf.zeros([0, 2]),
}
cases(
    "serialize_tensor",
    {
        name: lambda tf, make=make: tf.io.serialize_tensor(make(tf))
        for name, make in TENSORS.items()
    },
)
cases(
    "parse_tensor",
    {
        name: lambda tf, make=make: tf.io.parse_tensor(
            tf.io.serialize_tensor(make(tf)), make(tf).dtype
        )
        for name, make in TENSORS.items()
    },
)
cases(
    "parse_tensor_of",
    {
        "int_val": lambda tf: tf.io.parse_tensor(
            b"\x08\x03\x12\x04\x12\x02\x08\x02:\x01\x03", tf.int32
        ),
        "float_val": lambda tf: tf.io.parse_tensor(b"\x08\x01\x12\x00*\x04\x00\x00@@", tf.float32),
        "half_val": lambda tf: tf.io.parse_tensor(
            b"\x08\x13\x12\x04\x12\x02\x08\x01\x6a\x03\x80\xf8\x00", tf.float16
        ),
        "int64_val": lambda tf: tf.io.parse_tensor(
            b"\x08\x09\x12\x04\x12\x02\x08\x03\x52\x02\x07\x08", tf.int64
        ),
        "no_values": lambda tf: tf.io.parse_tensor(b"\x08\x01\x12\x04\x12\x02\x08\x02", tf.float32),
        "garbage": lambda tf: tf.io.parse_tensor(b"abc", tf.float32),
        "nothing": lambda tf: tf.io.parse_tensor(b"", tf.float32),
        "other_dtype": lambda tf: tf.io.parse_tensor(tf.io.serialize_tensor(1.0), tf.int32),
        "vector": lambda tf: tf.io.parse_tensor(tf.constant([b"a"]), tf.int32),
        "wrong_length": lambda tf: tf.io.parse_tensor(
            b"\x08\x03\x12\x04\x12\x02\x08\x02\x22\x04abcd", tf.int32
        ),
    },
)


def sparse_matrix(tf):
    return tf.SparseTensor([[0, 1], [2, 0], [2, 3]], [1.0, 2.0, 3.0], [3, 4])


cases(
    "serialize_sparse",
    {
        "one": lambda tf: tf.io.serialize_sparse(sparse_matrix(tf)),
        "many": lambda tf: tf.io.serialize_many_sparse(sparse_matrix(tf)),
        "and_back": lambda tf: tf.io.deserialize_many_sparse(
            tf.io.serialize_many_sparse(sparse_matrix(tf)), tf.float32
        ),
        "stacked": lambda tf: tf.io.deserialize_many_sparse(
            tf.stack([tf.io.serialize_sparse(sparse_matrix(tf))] * 2), tf.float32, rank=3
        ),
        "other_dtype": lambda tf: tf.io.deserialize_many_sparse(
            tf.io.serialize_many_sparse(sparse_matrix(tf)), tf.int32
        ),
    },
)


# --- JSON, raw bytes, CSV ------------------------------------------------------------------------

JSON = {
    "lists": '{"features":{"feature":{"a":{"int64List":{"value":["1",2,-3]}},'
    '"b":{"bytes_list":{"value":["YWI=","_-8"]}},"c":{"floatList":{"value":[1,"NaN",2.5]}}}}}',
    "null": '{"features":null}',
    "empty": "{}",
    "cut_off": "{",
    "array": "[]",
    "unknown_field": '{"x":1}',
    "fraction": '{"features":{"feature":{"a":{"int64List":{"value":[1.5]}}}}}',
    "whole_float": '{"features":{"feature":{"a":{"int64List":{"value":[2.0]}}}}}',
    "too_large": '{"features":{"feature":{"a":{"int64List":{"value":[9223372036854775808]}}}}}',
    "text": '{"features":{"feature":{"a":{"int64List":{"value":["x"]}}}}}',
    "nothing": "",
}


def from_json(tf, text):
    serialized = tf.io.decode_json_example(text)
    made = tf.train.Example.FromString(serialized.numpy())
    return [[key, str(made.features.feature[key])] for key in sorted(made.features.feature)]


cases("json", {name: lambda tf, text=text: from_json(tf, text) for name, text in JSON.items()})
cases(
    "decode_raw",
    {
        "uint8": lambda tf: tf.io.decode_raw(b"\x01\x02\xff", tf.uint8),
        "big_endian": lambda tf: tf.io.decode_raw([b"\x01\x02", b"\x03\x04"], tf.int16, False),
        "floats": lambda tf: tf.io.decode_raw(np.float32([1, 2]).tobytes(), tf.float32),
        "fixed_length": lambda tf: tf.io.decode_raw([b"ab", b"abcdef"], tf.uint8, fixed_length=4),
        "uneven": lambda tf: tf.io.decode_raw(b"abc", tf.int16),
        "different_lengths": lambda tf: tf.io.decode_raw([b"a", b"ab"], tf.uint8),
        "bool": lambda tf: tf.io.decode_raw(b"\x00\x01", tf.bool),
    },
)
cases(
    "decode_csv",
    {
        "kinds": lambda tf: tf.io.decode_csv(["1,2.5,a", "3,,b"], [[0], [0.5], [""]]),
        "quoted": lambda tf: tf.io.decode_csv('1,"a,""b"', [[0], [""]]),
        "bytes": lambda tf: tf.io.decode_csv([b'\xff,"\xfe"'], [[""], [""]]),
        "lines_in_quotes": lambda tf: tf.io.decode_csv('"a\nb","""",""', [[""], [""], ["-"]]),
        "quotes_are_text": lambda tf: tf.io.decode_csv('"a,b"', [[""]] * 2, use_quote_delim=False),
        "quote_not_closed": lambda tf: tf.io.decode_csv('"', [[""]]),
        "quote_not_escaped": lambda tf: tf.io.decode_csv('"a"b', [[""]]),
        "quote_not_around": lambda tf: tf.io.decode_csv('a"b"', [[""]]),
        "line_not_quoted": lambda tf: tf.io.decode_csv("a\n", [[""]]),
        "empty_record": lambda tf: tf.io.decode_csv("", [[""]]),
        "required": lambda tf: tf.io.decode_csv(",1", [tf.constant([], tf.int32), [0]]),
        "selected": lambda tf: tf.io.decode_csv(["1,2,3"], [[0], [0]], select_cols=[0, 2]),
        "too_few": lambda tf: tf.io.decode_csv(["1,2"], [[0], [0], [0]]),
        "no_number": lambda tf: tf.io.decode_csv(["x"], [[0]]),
        "na_value": lambda tf: tf.io.decode_csv(["NA,1"], [[7], [0]], na_value="NA"),
    },
)


# --- files ---------------------------------------------------------------------------------------


def write(tf, path, records, options=None):
    with tf.io.TFRecordWriter(path, options) as writer:
        for record in records:
            writer.write(record)
    return path


def three_files(tf, directory):
    return [
        write(tf, f"{directory}/{i}", [b"%d%d" % (i, j) for j in range(i + 1)]) for i in range(3)
    ]


@case_with_files
def records_are_read(tf, directory):
    ds = tf.data.TFRecordDataset(write(tf, directory + "/a", [b"one", b"", b"x" * 300, "text"]))
    return [ds, ds.element_spec, repr(ds), int(ds.cardinality())]


@case_with_files
def records_as_bytes(tf, directory):
    with open(write(tf, directory + "/a", [b"one", b"", bytes(range(256))]), "rb") as file:
        return file.read()


@case_with_files
def records_of_several_files(tf, directory):
    return tf.data.TFRecordDataset(three_files(tf, directory))


@case_with_files
def records_of_a_dataset_of_files(tf, directory):
    names = tf.data.Dataset.from_tensor_slices(three_files(tf, directory))
    return tf.data.TFRecordDataset(names, buffer_size=10)


@case_with_files
def records_of_files_in_parallel(tf, directory):
    return tf.data.TFRecordDataset(three_files(tf, directory), num_parallel_reads=2)


@case_with_files
def records_interleaved(tf, directory):
    names = tf.data.Dataset.from_tensor_slices(three_files(tf, directory))
    return names.interleave(tf.data.TFRecordDataset, cycle_length=3, block_length=1)


@case_with_files
def records_compressed(tf, directory):
    result = []
    for kind in ("GZIP", "ZLIB", ""):
        path = write(tf, directory + "/" + kind + "x", [b"a", b"b" * 1000], kind)
        result.append(tf.data.TFRecordDataset(path, compression_type=kind))
    return result


@case_with_files
def records_compressed_with_options(tf, directory):
    options = tf.io.TFRecordOptions("GZIP", compression_level=9, mem_level=5)
    path = write(tf, directory + "/a", [b"b" * 1000], options)
    with open(path, "rb") as file:
        return [tf.data.TFRecordDataset(path, "GZIP"), file.read(2)]


@case_with_files
def records_are_written_anew(tf, directory):
    write(tf, directory + "/a", [b"old", b"old"])
    return tf.data.TFRecordDataset(write(tf, directory + "/a", [b"new"]))


@case_with_files
def records_of_an_empty_file(tf, directory):
    return tf.data.TFRecordDataset(write(tf, directory + "/a", []))


def taken(ds):
    """The elements before an error, and its class."""
    actual = []
    try:
        for element in ds:
            actual.append(element.numpy())  # noqa: PERF401 (those before an error count)
    except Exception as error:
        return [actual, type(error).__name__]
    return [actual, None]


def damaged(tf, directory, change, kind=None):
    path = write(tf, directory + "/a", [b"one", b"two", b"three"])
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data = change(data)
    with open(path, "wb") as file:
        file.write(data)
    return taken(tf.data.TFRecordDataset(path, kind))


def flip(data, index):
    data[index] ^= 1
    return data


for _name, _change in {
    "length": lambda data: flip(data, 19),
    "checksum_of_length": lambda data: flip(data, 28),
    "data": lambda data: flip(data, 32),
    "checksum_of_data": lambda data: flip(data, 36),
    "cut_in_data": lambda data: data[:33],
    "cut_in_footer": lambda data: data[:36],
    "cut_between": lambda data: data[:38],
    "text": lambda data: b"this is no record file at all",
    "zeros": lambda data: bytes(100),
}.items():
    CASES[f"damaged_{_name}"] = lambda tf, directory, change=_change: damaged(tf, directory, change)
for _name, _change in {
    "gzip_read_as_zlib": (gzip.compress, "ZLIB"),
    "plain_read_as_gzip": (bytes, "GZIP"),
    "gzip_read_as_plain": (gzip.compress, None),
    "gzip": (gzip.compress, "GZIP"),
    "zlib": (zlib.compress, "ZLIB"),
    "two_gzip_members": (
        lambda d: gzip.compress(bytes(d[:38])) + gzip.compress(bytes(d[38:])),
        "GZIP",
    ),
}.items():
    CASES[f"compressed_{_name}"] = lambda tf, directory, change=_change: damaged(
        tf, directory, *change
    )


@case_with_files
def records_of_no_file(tf, directory):
    return tf.data.TFRecordDataset(directory + "/none")


@case
def records_of_numbers(tf):
    return tf.data.TFRecordDataset(3)


@case_with_files
def records_without_a_dataset(tf, directory):
    plain = write(tf, directory + "/a", [b"one", b"", "text"])
    options = tf.compat.v1.python_io.TFRecordOptions(compression_type="GZIP")
    packed = write(tf, directory + "/b", [b"two"], options)
    iterate = tf.compat.v1.python_io.tf_record_iterator
    return [list(iterate(plain)), list(tf.compat.v1.io.tf_record_iterator(packed, options))]


@case_with_files
def records_without_a_dataset_of_no_file(tf, directory):
    return tf.compat.v1.io.tf_record_iterator(directory + "/none")


@case_with_files
def writer_in_no_folder(tf, directory):
    return tf.io.TFRecordWriter(directory + "/none/a")


@case_with_files
def writer_closed(tf, directory):
    writer = tf.io.TFRecordWriter(directory + "/a")
    writer.close()
    writer.close()
    writer.write(b"late")


@case_with_files
def writer_of_numbers(tf, directory):
    tf.io.TFRecordWriter(directory + "/a").write(3)


@case_with_files
def writer_with_unknown_compression(tf, directory):
    return tf.io.TFRecordWriter(directory + "/a", "LZ4")


@case_with_files
def writer_flushed(tf, directory):
    writer = tf.io.TFRecordWriter(directory + "/a")
    writer.write(b"early")
    writer.flush()
    before = list(tf.data.TFRecordDataset(directory + "/a"))
    writer.close()
    return before


@case
def options_of_writers(tf):
    options = tf.io.TFRecordOptions("GZIP", compression_level=9)
    name = tf.io.TFRecordOptions.get_compression_type_string
    return [vars(options), name(options), name(None), name("ZLIB"), name(1), name(2)]


@case
def feature_configurations(tf):
    return [
        repr(tf.io.FixedLenFeature([1], tf.int64)),
        repr(tf.io.VarLenFeature(tf.string)),
        repr(tf.io.SparseFeature("i", "v", tf.float32, 3)),
        repr(tf.io.FixedLenSequenceFeature([], tf.int64, True)),
        tf.io.FixedLenFeature([], tf.float32, 1.0) == tf.io.FixedLenFeature([], tf.float32, 1.0),
    ]


def example_files(tf, directory):
    path = write(tf, directory + "/a", [example(tf, x=[i, i * i], y=[float(i)]) for i in range(5)])
    features = {"x": fixed(tf, [2], tf.int64), "y": fixed(tf, [], tf.float32)}
    return tf.data.TFRecordDataset(path), features


@case_with_files
def examples_in_map(tf, directory):
    ds, features = example_files(tf, directory)
    ds = ds.map(lambda record: tf.io.parse_single_example(record, features))
    return [ds, ds.element_spec]


@case_with_files
def examples_in_batches(tf, directory):
    ds, features = example_files(tf, directory)
    ds = ds.batch(2).map(lambda records: tf.io.parse_example(records, features))
    return [ds, ds.element_spec["y"]]


@case_with_files
def examples_in_parallel_map(tf, directory):
    ds, features = example_files(tf, directory)
    parse_one = lambda record: tf.io.parse_single_example(record, features)  # noqa: E731
    return ds.map(parse_one, num_parallel_calls=tf.data.AUTOTUNE).prefetch(1)


@case_with_files
def examples_in_a_function(tf, directory):
    ds, features = example_files(tf, directory)

    @tf.function
    def total(record):
        parsed = tf.io.parse_single_example(record, features)
        return tf.cast(tf.reduce_sum(parsed["x"]), tf.float32) + parsed["y"]

    return [total(record) for record in ds]


@case_with_files
def examples_shuffled_and_repeated(tf, directory):
    ds, features = example_files(tf, directory)
    ds = ds.shuffle(5).repeat(2).batch(5, drop_remainder=True)
    ds = ds.map(lambda records: tf.io.parse_example(records, features)["y"])
    return [sorted(batch.numpy().tolist()) for batch in ds]  # the order depends on the seed


@case_with_files
def examples_with_var_len_in_map(tf, directory):
    records = [example(tf, x=[1] * i) for i in range(3)]
    ds = tf.data.TFRecordDataset(write(tf, directory + "/a", records))
    features = {"x": tf.io.VarLenFeature(tf.int64)}
    ds = ds.map(lambda r: tf.sparse.to_dense(tf.io.parse_single_example(r, features)["x"]))
    return ds.padded_batch(3)


@case_with_files
def specs_of_parsed_examples(tf, directory):
    ds = tf.data.TFRecordDataset(write(tf, directory + "/a", [example(tf, x=[1, 2, 3], y=[0.5])]))
    features = {
        "x": tf.io.VarLenFeature(tf.int64),
        "y": fixed(tf, [1], tf.float32),
        "z": fixed(tf, [], tf.string, ""),
        "w": padded(tf, [2], tf.int64),
    }
    one = ds.map(lambda r: tf.io.parse_single_example(r, features)).element_spec
    many = ds.batch(2).map(lambda r: tf.io.parse_example(r, features)).element_spec
    dense = ds.map(lambda r: tf.sparse.to_dense(tf.io.parse_single_example(r, features)["x"]))
    return [[[key, spec[key]] for key in sorted(spec)] for spec in (one, many)] + [
        dense.element_spec
    ]


@case_with_files
def specs_of_parsed_sequences(tf, directory):
    ds = tf.data.TFRecordDataset(write(tf, directory + "/a", two_sequences(tf)))
    context = {"id": fixed(tf, [], tf.int64)}
    lists = {"words": tf.io.VarLenFeature(tf.int64), "vec": steps(tf, [2], tf.float32)}
    ds = ds.map(lambda r: tf.io.parse_single_sequence_example(r, context, lists))
    return [[key, part[key]] for part in ds.element_spec for key in sorted(part)]


@case_with_files
def files_matched_once(tf, directory):
    for name in ("b.txt", "a.txt", "c.csv"):
        tf.io.write_file(f"{directory}/{name}", "")
    names = tf.io.match_filenames_once(f"{directory}/*.txt")
    tf.io.write_file(f"{directory}/d.txt", "")
    ends = [name.decode().rpartition("/")[2] for name in names.numpy()]
    return [ends, names.trainable, names.dtype.name]


# --- whole files ----------------------------------------------------------------------------------


def compressed(tf, kind, **kwargs):
    made = {
        "GZIP": lambda data: gzip.compress(data, mtime=0),
        "ZLIB": zlib.compress,
        "": bytes,
    }
    return tf.io.decode_compressed(
        [made[kind](b"abc" * 50), made[kind](b"")], compression_type=kind, **kwargs
    )


for _kind in ("GZIP", "ZLIB", ""):
    CASES[f"decode_compressed_{_kind or 'none'}"] = lambda tf, directory, kind=_kind: compressed(
        tf, kind
    )
CASES["decode_compressed_unknown"] = lambda tf, directory: tf.io.decode_compressed([b""], "LZMA")
CASES["decode_compressed_corrupt"] = lambda tf, directory: tf.io.decode_compressed([b"abc"], "ZLIB")


def files(tf, directory):
    for name in ("a.txt", "b.txt", "c.dat"):
        tf.io.write_file(os.path.join(directory, "inner", name), name.encode() + b"\x00\xff")


def whole_files(tf, directory):
    files(tf, directory)
    actual = tf.io.matching_files(
        [os.path.join(directory, "inner", p) for p in ("*.txt", "c.*", "z*")]
    )
    names = [os.path.basename(path) for path in actual.numpy()]
    return [sorted(names), tf.io.read_file(os.path.join(directory, "inner", "a.txt"))]


CASES["whole_files"] = whole_files
CASES["read_file_missing"] = lambda tf, directory: tf.io.read_file(os.path.join(directory, "none"))
CASES["matching_files_none"] = lambda tf, directory: tf.io.matching_files(
    os.path.join(directory, "z*")
)
