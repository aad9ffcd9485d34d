"""Damaged and hostile files give an error that says where, after all that came before it."""

import tracemalloc

import pytest

import gradtape as tf
from gradtape.formats import crc32c, example_columns, records
from gradtape.formats.errors import DecodeError
from tests.records import hostile

FILES = list(hostile.files())
FEATURES = {
    key: tf.io.VarLenFeature(dtype)
    for key, dtype in {"a": tf.int64, "b": tf.float32, "c": tf.string}.items()
}


def test_there_are_many():
    assert len(FILES) >= 100
    assert len({name for name, *_ in FILES}) == len(FILES)


def test_both_checksums_agree():
    data = bytes(i * 7 % 256 for i in range(9000))
    for size in (*range(40), 1023, 4096, 5001, 9000):
        for start in (0, 3):
            part = data[start : start + size]
            assert crc32c.crc32c(part) == crc32c.crc32c_with_numpy(part)


def delivered(dataset):
    """The records before the error, and its text."""
    result = []
    with pytest.raises(tf.errors.DataLossError) as caught:
        result.extend(element.numpy() for element in dataset)
    return result, str(caught.value)


@pytest.mark.parametrize("split", [records.split_in_python, records.split_records])
def test_files(split, monkeypatch, tmp_path):
    monkeypatch.setattr(records, "split_records", split)
    path = str(tmp_path / "file")
    for name, data, compression, count, offset in FILES:
        with open(path, "wb") as file:
            file.write(data)
        result, text = delivered(tf.data.TFRecordDataset(path, compression))
        assert result == hostile.RECORDS[:count], name
        assert f"record at {offset}" in text, name
        assert f"record {count} of {path}" in text, name


def test_nothing_is_allocated_for_a_length_that_is_not_true(tmp_path):
    path = str(tmp_path / "file")
    for name, data, compression, _, _ in FILES:
        if "length" not in name:
            continue
        with open(path, "wb") as file:
            file.write(data)
        tracemalloc.start()
        try:
            delivered(tf.data.TFRecordDataset(path, compression))
            assert tracemalloc.get_traced_memory()[1] < 4_000_000, name
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize("name", hostile.EXAMPLES)
def test_examples(name):
    data = hostile.EXAMPLES[name]
    with pytest.raises(DecodeError, match=r"Error parsing message with type 'tensorflow\.E"):
        tf.train.Example.FromString(data)
    text = r"(parse example input|match)"
    for function, argument in ((tf.io.parse_single_example, data), (tf.io.parse_example, [data])):
        for dtype in (tf.int64, tf.float32, tf.string):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                function(argument, {"a": tf.io.VarLenFeature(dtype)})
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        tf.io.parse_single_sequence_example(data, {"a": tf.io.VarLenFeature(tf.int64)})


def test_examples_before_a_damaged_one_are_delivered(tmp_path):
    good = hostile.with_list(3, hostile.part(1, b"\x05"))
    path = str(tmp_path / "file")
    with tf.io.TFRecordWriter(path) as writer:
        for record in (good, good, b"\x0a"):
            writer.write(record)
    features = {"a": tf.io.FixedLenFeature([1], tf.int64)}
    stream = iter(tf.data.TFRecordDataset(path).map(lambda r: tf.io.parse_example(r, features)))
    assert [next(stream)["a"].numpy().tolist() for _ in range(2)] == [[5], [5]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse example input"):
        next(stream)


@pytest.mark.parametrize("name", hostile.SHAPES)
def test_tensors(name):
    with pytest.raises(tf.errors.InvalidArgumentError, match="as TensorProto"):
        tf.io.parse_tensor(hostile.SHAPES[name], tf.float32)


def test_nested_json():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Error while parsing JSON"):
        tf.io.decode_json_example("[" * 100_000)


def test_the_native_reader_declines_what_is_unusual():
    """What it takes, it reads as the reference does."""
    two_lists = hostile.part(1, hostile.part(1, hostile.part(1, b"a") + hostile.part(
        2, hostile.part(2, b"") + hostile.part(3, hostile.part(1, b"\x07")))))  # fmt: skip
    in_pieces = hostile.with_list(3, hostile.part(1, b"\x01\x02") + hostile.field(1, 0, b"\x03"))
    group = b"\x5b\x08\x01\x5c" + hostile.with_list(3, hostile.part(1, b"\x07"))
    wanted = ((b"a", example_columns.INT64), (b"z", example_columns.FLOAT))
    for data, expected in ((two_lists, [7]), (in_pieces, [1, 2, 3]), (group, [7])):
        result = example_columns.example_columns([data], wanted)
        reference = example_columns.sequence_columns_in_python([data], wanted, ())[0]
        for column, other in zip(result, reference, strict=True):
            assert [part.tolist() for part in column] == [part.tolist() for part in other]
        assert result[0][0].tolist() == expected
        assert result[1][1].tolist() == [-1]
