"""Profiles that start and end: TensorFlow's errors, exceptions, interrupts, threads, forks."""

import itertools
import os
import sys
import threading

import pytest

import gradtape as tf
from gradtape.profiler import recorder, session
from gradtape.profiler.clocks import Clocks
from tests.profiler.profiles import (
    clocks_are_off,
    experimental,
    folder_of,
    read_events,
    read_lines,
    read_space,
)


def test_only_one_profile_runs(tmp_path):
    experimental.start(str(tmp_path))
    with pytest.raises(tf.errors.AlreadyExistsError, match=r"^Another profiler is running\.$"):
        experimental.start(str(tmp_path))
    experimental.stop()
    assert folder_of(tmp_path)


def test_nothing_runs():
    message = r"^Cannot export profiling results\. No profiler is running\.$"
    with pytest.raises(tf.errors.UnavailableError, match=message):
        experimental.stop()


@pytest.mark.parametrize("kind", [str, os.fsencode, lambda path: path])
def test_paths(tmp_path, kind):
    with experimental.Profile(kind(tmp_path)):
        tf.square(2.0)
    assert sorted(path.suffix for path in folder_of(tmp_path).iterdir()) == [".gz", ".pb"]


def test_what_cannot_be_a_folder(tmp_path):
    with pytest.raises(TypeError, match="logdir must be a path, got int"):
        experimental.start(3)
    with pytest.raises(AttributeError, match=r"must be a tf\.profiler.*'_asdict'"):
        experimental.start(str(tmp_path), {"host_tracer_level": 1})
    file = tmp_path / "file"
    file.touch()
    experimental.start(str(file / "below"))
    with pytest.raises(tf.errors.FailedPreconditionError, match="Not a directory"):
        experimental.stop()
    experimental.start(str(tmp_path / "good"))
    experimental.stop()


def test_a_profile_that_is_not_saved(tmp_path):
    experimental.start(str(tmp_path / "none"))
    experimental.stop(save=False)
    assert not (tmp_path / "none").exists()


def test_two_profiles_in_a_second(tmp_path):
    for _ in range(3):
        with experimental.Profile(str(tmp_path)):
            tf.square(2.0)
    runs = list((tmp_path / "plugins" / "profile").iterdir())
    assert len(runs) == 3
    assert all(len(list(run.iterdir())) == 2 for run in runs)


def test_a_profile_inside_another(tmp_path):
    with (
        pytest.raises(tf.errors.AlreadyExistsError),
        experimental.Profile(str(tmp_path)),
        experimental.Profile(str(tmp_path)),
    ):
        raise AssertionError("the block is not entered")
    assert folder_of(tmp_path)


def test_a_block_that_ends_its_profile_itself(tmp_path):
    with pytest.raises(tf.errors.UnavailableError), experimental.Profile(str(tmp_path)):
        experimental.stop()


def test_an_exception_in_the_block(tmp_path):
    def fails():
        with experimental.Profile(str(tmp_path)):
            tf.square(2.0)
            _ = 1 / 0

    with pytest.raises(ZeroDivisionError):
        fails()
    assert [event.kind for event in read_events(tmp_path)] == ["Square"]


def test_an_interrupt_while_it_starts(tmp_path, monkeypatch):
    known = Clocks.put_on

    def interrupted(self):
        known(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Clocks, "put_on", interrupted)
    with pytest.raises(KeyboardInterrupt):
        experimental.start(str(tmp_path))
    assert session.running() is None
    assert clocks_are_off()


def test_an_interrupt_while_it_ends(tmp_path, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    experimental.start(str(tmp_path))
    monkeypatch.setattr(session, "write_profile", interrupted)
    with pytest.raises(KeyboardInterrupt):
        experimental.stop()
    assert session.running() is None
    assert clocks_are_off()


def interrupted_at(number: int, run) -> bool:
    """Call a function, with an interrupt at a line of the profiler; return whether it came."""
    lines = itertools.count(1)

    def trace(frame, event, argument):
        if f"gradtape{os.sep}profiler" not in frame.f_code.co_filename:
            return None
        if event == "line" and next(lines) == number:
            sys.settrace(None)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_interrupts_at_any_line_leave_nothing_running(tmp_path):
    has_started = False

    def run():
        nonlocal has_started
        has_started = False
        experimental.start(str(tmp_path))
        has_started = True
        experimental.stop(save=False)

    number = 1
    while interrupted_at(number, run):
        if has_started and session.running() is not None:  # the end had not begun
            experimental.stop(save=False)
        assert session.running() is None
        assert clocks_are_off()
        number += 1 if number < 60 else 61
    assert number > 500


def test_each_thread_has_a_line(tmp_path):
    def work():
        tf.add(1.0, 2.0)

    with experimental.Profile(str(tmp_path)):
        tf.square(2.0)
        threads = [threading.Thread(target=work, name=name) for name in ("left", "right")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    lines = read_lines(tmp_path)
    main = threading.current_thread().name
    assert {name: [event.kind for event in line] for name, line in lines.items()} == {
        main: ["Square"],
        "left": ["Add"],
        "right": ["Add"],
    }


def test_a_thread_that_began_before(tmp_path):
    ready, go = threading.Event(), threading.Event()

    def work():
        with tf.GradientTape() as tape:
            x = tf.constant(2.0)
            tape.watch(x)
            ready.set()
            go.wait(60)
            tape.gradient(tf.exp(x), x)

    thread = threading.Thread(target=work, name="early")
    thread.start()
    ready.wait(60)
    with experimental.Profile(str(tmp_path)):
        go.set()
        thread.join()
    assert {event.kind for event in read_lines(tmp_path)["early"]} >= {"Exp", "Multiply"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_process_has_no_profile(tmp_path):
    experimental.start(str(tmp_path / "parent"))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            fine = session.running() is None and clocks_are_off()
            with experimental.Profile(str(tmp_path / "child")):
                tf.exp(1.0)
            code = 0 if fine else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    tf.square(2.0)
    experimental.stop()
    assert os.waitstatus_to_exitcode(status) == 0
    assert [event.kind for event in read_events(tmp_path / "child")] == ["Exp"]
    assert [event.kind for event in read_events(tmp_path / "parent")] == ["Square"]


def test_a_full_profile(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(recorder, "MAX_EVENTS", 3)
    with experimental.Profile(str(tmp_path)):
        for _ in range(5):
            tf.square(2.0)
    assert len(read_events(tmp_path)) == 3
    assert "it lacks the last 2 events" in caplog.text


def kinds_and_names(tmp_path, **options) -> list[str]:
    double = tf.function(lambda x: x * 2)
    double(tf.ones(3))
    with experimental.Profile(str(tmp_path), experimental.ProfilerOptions(**options)):
        with experimental.Trace("step"):
            double(tf.ones(3))
        tf.square(2.0)
    planes = read_space(tmp_path)
    return [event.name for event in read_events(tmp_path)] if 3 in planes["/host:CPU"] else []


def test_levels_of_the_host(tmp_path):
    ops = ["square:Square"]
    calls = ["step", "<lambda>"]
    assert kinds_and_names(tmp_path / "0", host_tracer_level=0) == []
    assert kinds_and_names(tmp_path / "1", host_tracer_level=1) == calls
    for level in (2, 3, None, "verbose"):
        names = kinds_and_names(tmp_path / str(level), host_tracer_level=level)
        assert names[:2] == calls
        assert names[-1:] == ops


def helper(x):
    return tf.square(x)


def test_calls_of_python(tmp_path):
    options = experimental.ProfilerOptions(python_tracer_level=1)
    with experimental.Profile(str(tmp_path), options):
        helper(2.0)
        thread = threading.Thread(target=helper, args=(2.0,), name="other")
        thread.start()
        thread.join()
    assert sys.getprofile() is None
    for line in read_lines(tmp_path).values():
        call = next(event for event in line if event.name.endswith(" helper"))
        op = next(event for event in line if event.kind == "Square")
        assert call.name.startswith("$test_session.py:")
        assert call.begin <= op.begin
        assert op.end <= call.end
        assert not any("clocks.py" in event.name for event in line)


def test_calls_of_python_that_another_profiler_watches(tmp_path, caplog):
    def mine(frame, event, argument):
        pass

    before = sys.getprofile()
    sys.setprofile(mine)
    try:
        options = experimental.ProfilerOptions(python_tracer_level=1)
        with experimental.Profile(str(tmp_path), options):
            helper(2.0)
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(before)
    assert "another profiler of Python is running" in caplog.text


def test_the_defaults_of_options():
    assert tuple(experimental.ProfilerOptions()) == (2, 0, 1, None)
