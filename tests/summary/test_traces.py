"""`tf.summary.trace_on`, `trace_export` and `trace_off`, with TensorFlow's warnings and errors."""

import pytest

import gradtape as tf
from tests.profiler.profiles import clocks_are_off, experimental, folder_of, read_events


@pytest.fixture(autouse=True)
def nothing_is_left_on():
    yield
    tf.summary.trace_off()
    assert clocks_are_off()


def test_a_profile_between_two_lines(tmp_path, caplog):
    tf.summary.trace_on(graph=True, profiler=True, profiler_outdir=str(tmp_path))
    tf.square(2.0)
    tf.summary.trace_on()
    assert "Trace already enabled" in caplog.text
    tf.summary.trace_export("name", step=0, profiler_outdir="elsewhere")
    assert "Ignoring `profiler_outdir` passed to trace_export()" in caplog.text
    assert [event.kind for event in read_events(tmp_path)] == ["Square"]
    with pytest.raises(ValueError, match="Must enable trace before export"):
        tf.summary.trace_export("name", step=0)


def test_a_trace_of_the_graph_leaves_a_profile_running(tmp_path):
    tf.summary.trace_on(graph=True)
    experimental.start(str(tmp_path))
    tf.summary.trace_export("name", step=0, profiler_outdir=str(tmp_path))
    experimental.stop()
    assert folder_of(tmp_path)


def test_no_folder(caplog):
    tf.summary.trace_on(profiler=True)
    assert "No `profiler_outdir` passed to trace_on()" in caplog.text
    with pytest.raises(tf.errors.UnavailableError, match="No profiler is running"):
        tf.summary.trace_export("name", step=0)
    tf.summary.trace_off()
    assert "Error while stopping profiler" in caplog.text


def test_the_end_without_export(tmp_path):
    tf.summary.trace_on(profiler=True, profiler_outdir=str(tmp_path))
    tf.summary.trace_off()
    with pytest.raises(tf.errors.UnavailableError):
        experimental.stop()


def test_a_step_is_needed_with_a_writer(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    tf.summary.trace_on(graph=True)
    with writer.as_default():
        with pytest.raises(ValueError, match="No step set"):
            tf.summary.trace_export("name")
        tf.summary.trace_export("name", step=1)


def test_inside_of_functions(tmp_path, caplog):
    @tf.function
    def inside(x):
        tf.summary.trace_on()
        tf.summary.trace_export("name", step=0)
        return x

    inside(tf.ones(2))
    assert "Cannot enable trace inside a tf.function" in caplog.text
    assert "Cannot export trace inside a tf.function" in caplog.text
