"""Event files: encoded as TensorFlow encodes them, with what TensorBoard's dashboards expect."""

import io
import json
import pathlib
import struct
import subprocess
import sys
import textwrap
import wave

import numpy as np
import pytest
from PIL import Image

import gradtape as tf
from gradtape.formats.crc32c import crc32c, masked_crc32c
from gradtape.formats.records import frame_record, read_records
from gradtape.summary import events
from gradtape.summary import writer as writer_module

REFERENCE = json.loads(
    (pathlib.Path(__file__).parent / "reference.json").read_text(encoding="utf-8")
)


# --- a small reader of protocol buffers ----------------------------------------------------------


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: number -> list of raw values."""
    result, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = struct.unpack("<d", data[at : at + 8])[0], at + 8
        else:
            assert kind == 2
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        result.setdefault(number, []).append(value)
    return result


def tensor(data):
    result = fields(data)
    dims = [fields(dim).get(1, [0])[0] for dim in fields(result[2][0]).get(2, [])]
    if result[1][0] == 7:
        array = np.empty(len(result.get(8, [])), object)
        array[:] = result.get(8, [])
        return array.reshape(dims)
    kind = {1: "<f4", 2: "<f8", 3: "<i4"}[result[1][0]]
    return np.frombuffer(result.get(4, [b""])[0], kind).reshape(dims)  # nothing: not written


def read(folder):
    """(step, tag, plugin, data class, tensor) of all summaries in a folder's only event file."""
    (path,) = pathlib.Path(folder).iterdir()
    with path.open("rb") as file:
        first, *rest = [fields(record) for record in read_records(file, str(path))]
    assert first[3] == [b"brain.Event:2"]
    assert path.name.startswith("events.out.tfevents.")
    summaries = []
    for event in rest:
        value = fields(fields(event[5][0])[1][0])
        about = fields(value[9][0]) if value[9][0] else {}
        plugin = fields(about[1][0])[1][0].decode() if about else None
        step = event.get(2, [0])[0]
        summaries.append(
            (step, value[1][0].decode(), plugin, about.get(4, [0])[0], tensor(value[8][0]))
        )
    return summaries


@pytest.fixture(autouse=True)
def no_default_writer():
    """A writer that a test sets for the whole program, and its step, are not the next one's."""
    before = writer_module._state.writer, writer_module._state.step
    yield
    writer_module._state.writer, writer_module._state.step = before


@pytest.fixture
def folder(tmp_path):
    tf.summary.experimental.set_step(None)
    yield str(tmp_path / "logs")
    tf.summary.experimental.set_step(None)


# --- encoding ------------------------------------------------------------------------------------


def test_events_are_encoded_as_by_tensorflow():
    def event(tag, array, plugin, data_class, step, description=None):
        about = events.plugin_metadata(plugin, data_class, description)
        return events.summary_event(12.5, step, events.summary_value(tag, array, about)).hex()

    texts = np.empty((1, 2), object)
    texts[0] = [b"a", "é".encode()]
    scalar = event("loss", np.array(0.25, np.float32), "scalars", 1, 300, "what it is")
    assert events.version_event(12.5).hex() == REFERENCE["version"]
    assert scalar == REFERENCE["scalar"]
    table = np.arange(6.0).reshape(2, 3)
    assert event("a/h", table, "histograms", 2, 7) == REFERENCE["histogram"]
    assert event("t", texts, "text", 2, 2**40) == REFERENCE["text"]


def test_checksums_are_those_of_tensorflow():
    records = [b"", b"abc", bytes(range(256)) * 40]
    for record, (start, length, checksum) in zip(records, REFERENCE["checksums"], strict=True):
        assert (record.hex()[:8], len(record)) == (start, length)
        assert masked_crc32c(record) == checksum


def test_checksums_of_long_data_equal_those_taken_byte_by_byte():
    rng = np.random.default_rng(0)
    for size in (4095, 4096, 4097, 5119, 100_001):
        data = rng.bytes(size)
        register = 0xFFFFFFFF
        for byte in data:
            register ^= byte
            for _ in range(8):
                register = register >> 1 ^ (0x82F63B78 if register & 1 else 0)
        assert crc32c(data) == register ^ 0xFFFFFFFF
    assert crc32c(b"123456789") == 0xE3069283


@pytest.mark.parametrize("kind", ["cut", "length", "data"])
def test_damaged_records_are_noticed(kind):
    data = bytearray(frame_record(b"first") + frame_record(b"second"))
    if kind == "cut":
        del data[-3:]
    else:
        data[{"length": 21, "data": 35}[kind]] ^= 4
    result = read_records(io.BytesIO(data), "file")
    assert next(result) == b"first"
    with pytest.raises(tf.errors.DataLossError, match="record at 21: record 1 of file"):
        next(result)


# --- kinds of summaries --------------------------------------------------------------------------


def test_scalars(folder):
    writer = tf.summary.create_file_writer(folder)
    with writer.as_default():
        for step in range(3):
            assert bool(tf.summary.scalar("loss", 1.0 / (step + 1), step=step))
        tf.summary.scalar("int", tf.constant(3), step=tf.constant(2**40, tf.int64))
    result = read(folder)
    assert [(step, tag, float(value)) for step, tag, _, _, value in result] == [
        (0, "loss", 1.0),
        (1, "loss", 0.5),
        (2, "loss", float(np.float32(1 / 3))),
        (2**40, "int", 3.0),
    ]
    assert {(plugin, kind, value.dtype.name) for _, _, plugin, kind, value in result} == {
        ("scalars", 1, "float32")
    }


def test_histograms(folder):
    data = np.random.default_rng(0).normal(size=(20, 50))
    with tf.summary.create_file_writer(folder).as_default(step=4):
        tf.summary.histogram("many", data)
        tf.summary.histogram("few", [1, 2, 2, 3], buckets=2)
        tf.summary.histogram("same", tf.fill([5], 2.0))
        tf.summary.histogram("none", np.zeros(0, np.float32))
        tf.summary.histogram("broken", [1.0, np.nan, np.inf, 3.0], buckets=1)
    result = {tag: value for step, tag, plugin, kind, value in read(folder)}
    counts, edges = np.histogram(data, 30)
    assert result["many"].shape == (30, 3)
    assert np.array_equal(result["many"][:, 2], counts)
    assert np.allclose(result["many"][:, 0], edges[:-1])
    assert np.allclose(result["many"][:, 1], edges[1:])
    assert result["few"].tolist() == [[1.0, 2.0, 1.0], [2.0, 3.0, 3.0]]
    assert result["same"].tolist() == [[1.5, 2.5, 5.0]]
    assert result["none"].shape == (0, 3)
    assert result["broken"].tolist() == [[1.0, 3.0, 2.0]]


def png_pixels(data: bytes) -> np.ndarray:
    image = Image.open(io.BytesIO(data))
    pixels = np.asarray(image)
    return pixels.reshape(*pixels.shape[:2], -1)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_images(folder, channels):
    images = np.random.default_rng(0).integers(0, 256, (5, 6, 4, channels)).astype(np.uint8)
    with tf.summary.create_file_writer(folder).as_default():
        tf.summary.image("im", images, step=1)
        tf.summary.image("floats", images[:1] / np.float32(255), step=1, max_outputs=1)
    (_, _, plugin, kind, value), (*_, floats) = read(folder)
    assert (plugin, kind) == ("images", 3)
    assert value[:2].tolist() == [b"4", b"6"]
    assert len(value) == 2 + 3
    for data, image in zip(value[2:], images, strict=False):
        assert np.array_equal(png_pixels(data), image)
    assert np.array_equal(png_pixels(floats[2]), images[0])


def test_texts_and_sounds(folder):
    sound = np.sin(np.arange(80) / 5.0).reshape(1, 40, 2)
    with tf.summary.create_file_writer(folder).as_default(step=1):
        tf.summary.text("text", "hello *world*")
        tf.summary.text("table", [["a", "b"]])
        tf.summary.audio("sound", sound, 8000)
    (*_, text), (*_, table), (_, _, plugin, _, audio) = read(folder)
    assert text.tolist() == b"hello *world*"
    assert table.tolist() == [[b"a", b"b"]]
    assert plugin == "audio"
    with wave.open(io.BytesIO(audio[0, 0])) as file:
        assert (file.getnchannels(), file.getframerate(), file.getnframes()) == (2, 8000, 40)
        samples = np.frombuffer(file.readframes(40), "<i2").reshape(40, 2)
    assert np.allclose(samples / 32767, sound[0], atol=1e-4)


def test_any_tensor(folder):
    with tf.summary.create_file_writer(folder).as_default(step=1):
        tf.summary.write("numbers", tf.constant([[1, 2]]))
        tf.summary.write("late", lambda: tf.constant([0.5]))
    (_, tag, plugin, _, numbers), (*_, late) = read(folder)
    assert (tag, plugin, numbers.tolist(), late.tolist()) == ("numbers", None, [[1, 2]], [0.5])


# --- writers, steps, conditions ------------------------------------------------------------------


def test_without_a_writer_nothing_is_written():
    assert not bool(tf.summary.scalar("x", 1.0, step=1))
    assert not bool(tf.summary.should_record_summaries())


def test_name_scopes_are_part_of_the_tag(folder):
    with tf.summary.create_file_writer(folder).as_default(step=1):
        with tf.name_scope("outer"), tf.name_scope("inner"):
            tf.summary.scalar("with space", 1.0)
        with tf.summary.experimental.summary_scope("a b", "default") as (tag, scope):
            assert (tag, scope) == ("a b", "ab/")
    assert read(folder)[0][1] == "outer/inner/with space"


def test_steps(folder):
    writer = tf.summary.create_file_writer(folder)
    step = tf.Variable(5, dtype=tf.int64)
    with writer.as_default():
        with pytest.raises(ValueError, match="No step set"):
            tf.summary.scalar("x", 1.0)
        tf.summary.experimental.set_step(step)
        assert tf.summary.experimental.get_step() is step
        tf.summary.scalar("x", 1.0)
        step.assign_add(1)
        tf.summary.scalar("x", 1.0)
        with writer.as_default(step=20):
            tf.summary.scalar("x", 1.0)
        tf.summary.scalar("x", 1.0, step=9)
        assert tf.summary.experimental.get_step() is step
    assert [result[0] for result in read(folder)] == [5, 6, 20, 9]


def test_conditions(folder):
    step = tf.Variable(0, dtype=tf.int64)
    with tf.summary.create_file_writer(folder).as_default():
        with tf.summary.record_if(lambda: step % 2 == 0):
            for _ in range(4):
                tf.summary.scalar("x", 1.0, step=step)
                step.assign_add(1)
        with tf.summary.record_if(False):
            assert not bool(tf.summary.should_record_summaries())
            assert not bool(tf.summary.histogram("h", [1.0], step=1))
        assert bool(tf.summary.should_record_summaries())
    assert [result[0] for result in read(folder)] == [0, 2]


def test_the_default_writer_of_a_program(folder):
    writer = tf.summary.create_file_writer(folder, filename_suffix=".mine")
    try:
        writer.set_as_default(step=3)
        tf.summary.scalar("x", 1.0)
        tf.summary.flush()
        assert [result[0] for result in read(folder)] == [3]
    finally:
        tf.summary.create_noop_writer().set_as_default()
    writer.close()
    writer.close()
    with writer.as_default(), pytest.raises(RuntimeError, match="already closed"):
        tf.summary.scalar("x", 1.0, step=1)


def test_events_are_written_in_portions(folder):
    writer = tf.summary.create_file_writer(folder, max_queue=3)
    (path,) = pathlib.Path(folder).iterdir()
    sizes = []
    writer.set_as_default()
    try:
        for step in range(8):
            tf.summary.scalar("x", 1.0, step=step)
            sizes.append(path.stat().st_size)
    finally:
        tf.summary.create_noop_writer().set_as_default()
    assert len(set(sizes)) == 3


def test_a_program_that_ends_without_closing_gets_its_events(folder):
    program = """
        import sys
        import gradtape as tf
        writer = tf.summary.create_file_writer(sys.argv[1])
        writer.set_as_default()
        tf.summary.scalar("x", 4.0, step=2)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program), folder], check=True)
    ((step, tag, *_, value),) = read(folder)
    assert (step, tag, float(value)) == (2, "x", 4.0)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda s: s.scalar("x", [1.0, 2.0], step=1), "expected scalar shape for 'x'"),
        (lambda s: s.scalar("x", "text", step=1), "must be a real number"),
        (lambda s: s.image("x", np.zeros((2, 3, 3)), step=1), "must have rank 4"),
        (lambda s: s.image("x", np.zeros((1, 3, 3, 5)), step=1), "1 to 4 channels"),
        (lambda s: s.image("x", np.zeros((1, 3, 3, 1)), step=1, max_outputs=-1), "not be negative"),
        (lambda s: s.text("x", 3, step=1), "must be text"),
        (lambda s: s.audio("x", np.zeros((2, 3)), 8000, step=1), "must have rank 3"),
        (lambda s: s.audio("x", np.zeros((1, 2, 3)), 8000, encoding="mp3"), "Unknown encoding"),
        (lambda s: s.create_file_writer(None), "cannot be None"),
    ],
)
def test_wrong_arguments(folder, call, text):
    with tf.summary.create_file_writer(folder).as_default(), pytest.raises(ValueError, match=text):
        call(tf.summary)
