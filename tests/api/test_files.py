"""`tf.io` and `tf.audio`: files, bytes, and errors of the classes that TensorFlow raises."""

import pytest

import gradtape as tf

errors = tf.errors


def test_files_and_folders(tmp_path):
    path = str(tmp_path / "new" / "a.txt")
    tf.io.write_file(path, "hello")
    assert tf.io.read_file(tf.constant(path)).numpy() == b"hello"
    gfile = tf.io.gfile
    assert gfile.exists(path)
    assert gfile.isdir(tmp_path)
    with gfile.GFile(path, "a") as file:
        file.write("\nworld")
    with gfile.GFile(path) as file:
        assert file.size() == 11
        assert list(file) == ["hello\n", "world"]
    assert gfile.stat(path).length == 11
    assert gfile.glob(f"{tmp_path}/new/*.txt") == [path]
    assert tf.io.matching_files(f"{tmp_path}/new/*").numpy().tolist() == [path.encode()]
    other = gfile.join(str(tmp_path), "b.txt")
    gfile.copy(path, other)
    with pytest.raises(errors.AlreadyExistsError, match=r"already exists"):
        gfile.copy(path, other)
    gfile.rename(other, path, overwrite=True)
    gfile.makedirs(tmp_path / "x" / "y")
    with pytest.raises(errors.AlreadyExistsError):
        gfile.mkdir(tmp_path / "x")
    assert sorted(gfile.listdir(tmp_path)) == ["new", "x"]
    gfile.remove(path)
    gfile.rmtree(tmp_path / "x")
    for missing in (gfile.remove, gfile.stat, gfile.listdir, gfile.GFile, tf.io.read_file):
        with pytest.raises(errors.NotFoundError, match=r"No such file or directory"):
            missing(path)
    with pytest.raises(errors.NotFoundError, match=r"only the local file system"):
        gfile.exists("gs://bucket/file")


def test_bytes():
    with pytest.raises(errors.InvalidArgumentError, match=r"no multiple of the 2 bytes of int16"):
        tf.io.decode_raw(b"abc", tf.int16)
    with pytest.raises(errors.InvalidArgumentError, match=r"all be the same size"):
        tf.io.decode_raw([b"ab", b"abcd"], tf.int16)
    assert tf.io.decode_raw(b"abc", tf.int16, fixed_length=4).shape == (2,)
    with pytest.raises(errors.InvalidArgumentError, match=r"only ZLIB, GZIP or none"):
        tf.io.decode_compressed(b"abc", "LZMA")
    with pytest.raises(errors.DataLossError, match=r"decode_compressed"):
        tf.io.decode_compressed(b"abc", "GZIP")


def test_sound_that_is_cut_off():
    wav = tf.audio.encode_wav(tf.zeros([4, 1]), 8000).numpy()
    with pytest.raises(errors.InvalidArgumentError, match=r"the file is cut off"):
        tf.audio.decode_wav(wav[:-3])
    with pytest.raises(errors.InvalidArgumentError, match=r"are no WAV file"):
        tf.audio.decode_wav(b"abc")
    with pytest.raises(errors.InvalidArgumentError, match=r"only 16-bit PCM"):
        tf.audio.decode_wav(wav[:34] + b"\x08\x00" + wav[36:])


def test_no_files():
    """TensorFlow takes an empty list, as a search for files returns it, for one of strings."""
    for dataset in (
        tf.data.TFRecordDataset([]),
        tf.data.TextLineDataset(()),
        tf.data.FixedLengthRecordDataset([], 3),
        tf.data.experimental.CsvDataset([], [tf.float32]),
    ):
        assert list(dataset) == []
    assert tf.io.matching_files([]).dtype == tf.io.encode_base64([]).dtype == tf.string
    assert tf.io.decode_raw([], tf.uint8).shape == (0, 0)
    with pytest.raises(TypeError, match=r"must contain `tf.string` elements. Got `float32`"):
        tf.data.TFRecordDataset(tf.constant([]))


@pytest.mark.parametrize("compression", [None, "", "GZIP", "ZLIB"])
def test_a_dataset_is_written_as_records(tmp_path, compression):
    path = str(tmp_path / "records")
    dataset = tf.data.Dataset.range(3).map(tf.io.serialize_tensor)
    tf.data.experimental.TFRecordWriter(path, compression).write(dataset)
    read = tf.data.TFRecordDataset(path, compression)
    assert [int(tf.io.parse_tensor(each, tf.int64)) for each in read] == [0, 1, 2]


def test_what_is_no_dataset_of_strings_is_not_written(tmp_path):
    writer = tf.data.experimental.TFRecordWriter(str(tmp_path / "records"))
    with pytest.raises(TypeError, match=r"must be a `tf.data.Dataset` object, got 3"):
        writer.write(3)
    for dataset in (tf.data.Dataset.range(3), tf.data.Dataset.from_tensors(["a", "b"])):
        with pytest.raises(TypeError, match="must produce scalar `DT_STRING` tensors"):
            writer.write(dataset)
    assert not (tmp_path / "records").exists()
