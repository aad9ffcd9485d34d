"""Writes tests/records/files with TensorFlow, and compares both libraries' reading and writing.

    PYTHONPATH=src python tests/records/generate_files.py          write the files
    PYTHONPATH=src python tests/records/generate_files.py --check  compare only

Needs TensorFlow and gradtape in one Python. The files are what `test_tensorflow_files.py` reads.
"""

import pathlib
import sys
import tempfile

import numpy as np

FOLDER = pathlib.Path(__file__).with_name("files")
KINDS = {"plain": "", "gzip": "GZIP", "zlib": "ZLIB"}


def examples(tf):
    """Serialized Examples with all kinds of features; their values follow from their number."""
    for i in range(12):
        features = {
            "id": tf.train.Feature(int64_list=tf.train.Int64List(value=[i, -i, i << 40])),
            "x": tf.train.Feature(float_list=tf.train.FloatList(value=[i / 4] * 3)),
            "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"\xff\x00%d" % i])),
            "tags": tf.train.Feature(int64_list=tf.train.Int64List(value=range(i % 4))),
        }
        if i % 3:
            features["maybe"] = tf.train.Feature(float_list=tf.train.FloatList(value=[-i]))
        made = tf.train.Features(feature=features)
        yield tf.train.Example(features=made).SerializeToString()


def sequences(tf):
    """Serialized SequenceExamples."""
    for i in range(4):
        steps = [
            tf.train.Feature(int64_list=tf.train.Int64List(value=[i, step])) for step in range(i)
        ]
        context = {"id": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"%d" % i]))}
        yield tf.train.SequenceExample(
            context=tf.train.Features(feature=context),
            feature_lists=tf.train.FeatureLists(
                feature_list={"steps": tf.train.FeatureList(feature=steps)}
            ),
        ).SerializeToString()


def tensors(tf):
    """Serialized tensors."""
    for dtype in ("float32", "float64", "int8", "uint16", "int64", "bool", "complex64", "float16"):
        yield tf.io.serialize_tensor(tf.cast([[0, 1, 2], [3, 4, 5]], dtype)).numpy()
    yield tf.io.serialize_tensor([["a", "bc"], ["", "\u00e9"]]).numpy()


WRITTEN = {"examples": examples, "sequences": sequences, "tensors": tensors}


def write(tf, folder):
    """Write all files with one of the libraries."""
    for subject, make in WRITTEN.items():
        for kind, compression in KINDS.items() if subject == "examples" else [("plain", "")]:
            with tf.io.TFRecordWriter(f"{folder}/{subject}.{kind}", compression) as writer:
                for record in make(tf):
                    writer.write(record)


def parsed(tf, folder):
    """Read all files with one of the libraries: plain values by name."""
    features = {
        "id": tf.io.FixedLenFeature([3], tf.int64),
        "x": tf.io.FixedLenFeature([3], tf.float32),
        "name": tf.io.FixedLenFeature([], tf.string),
        "maybe": tf.io.FixedLenFeature([], tf.float32, 0.5),
        "tags": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1),
        "sparse": tf.io.VarLenFeature(tf.int64),
    }
    result = {}
    for kind, compression in KINDS.items():
        ds = tf.data.TFRecordDataset(f"{folder}/examples.{kind}", compression).batch(5)
        rows = [tf.io.parse_example(batch, features) for batch in ds]
        result[kind] = [{k: v.numpy() for k, v in r.items() if k != "sparse"} for r in rows]
    ds = tf.data.TFRecordDataset(f"{folder}/sequences.plain")
    lists = {"steps": tf.io.FixedLenSequenceFeature([2], tf.int64)}
    context = {"id": tf.io.FixedLenFeature([], tf.string)}
    for i, record in enumerate(ds):
        one, steps = tf.io.parse_single_sequence_example(record, context, lists)
        result[f"sequence {i}"] = [one["id"].numpy(), steps["steps"].numpy()]
    names = ["float32", "float64", "int8", "uint16", "int64", "bool", "complex64", "float16"]
    for record, name in zip(
        tf.data.TFRecordDataset(f"{folder}/tensors.plain"), [*names, "string"], strict=True
    ):
        result[name] = tf.io.parse_tensor(record, tf.as_dtype(name)).numpy()
    return result


def same(one, other):
    """Whether two nests of plain values are equal, with dtypes and shapes."""
    if isinstance(one, dict):
        return sorted(one) == sorted(other) and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    one, other = np.asarray(one), np.asarray(other)
    return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())


def main(check):
    import tensorflow

    import gradtape

    if not check:
        FOLDER.mkdir(exist_ok=True)
        write(tensorflow, FOLDER)
    with tempfile.TemporaryDirectory() as theirs, tempfile.TemporaryDirectory() as ours:
        write(tensorflow, theirs)
        write(gradtape, ours)
        expected = parsed(tensorflow, theirs)
        for reader, folder in ((gradtape, theirs), (tensorflow, ours), (gradtape, ours)):
            assert same(parsed(reader, folder), expected), (reader.__name__, folder)
        plain = [pathlib.Path(folder, "tensors.plain").read_bytes() for folder in (theirs, ours)]
        assert plain[0] == plain[1], "serialized tensors differ"
    count = sum(len(list(make(gradtape))) for make in WRITTEN.values())
    print(f"{count} records, {len(expected)} readings: both libraries read what both wrote.")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
