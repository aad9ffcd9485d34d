"""The files: an XSpace as TensorBoard reads it, and JSON as browsers do."""

import socket
import sys
import threading
import types

import pytest

import gradtape as tf
from gradtape.formats import protobuf
from gradtape.profiler.planes import encode_space, read_planes
from gradtape.profiler.recorder import Event, Recorder
from tests.profiler.profiles import experimental, folder_of, read_space, read_trace


def test_names_of_files_and_planes(tmp_path):
    with experimental.Profile(str(tmp_path)):
        tf.square(2.0)
    host = socket.gethostname()
    assert sorted(path.name for path in folder_of(tmp_path).iterdir()) == [
        f"{host}.trace.json.gz",
        f"{host}.xplane.pb",
    ]
    assert list(read_space(tmp_path)) == ["/host:CPU", "Task Environment"]
    space = (folder_of(tmp_path) / f"{host}.xplane.pb").read_bytes()
    hosts = [bytes(value) for field, _, value, _ in protobuf.fields(space) if field == 4]
    assert hosts == [host.encode()]
    facts = read_planes(space)[1].facts
    assert 0 < facts["profile_start_time"] <= facts["profile_stop_time"]


def test_the_trace_of_browsers(tmp_path):
    with experimental.Profile(str(tmp_path)), experimental.Trace("step", step_num=7):
        tf.square(2.0)
    process, thread, *events = read_trace(tmp_path)
    assert process == {
        "ph": "M",
        "pid": 1,
        "name": "process_name",
        "args": {"name": "/host:CPU"},
    }
    assert thread["name"] == "thread_name"
    assert thread["args"]["name"].startswith(threading.current_thread().name)
    block, op = events
    assert (block["name"], block["args"]) == ("step", {"step_num": "7"})
    assert (op["name"], op["pid"], op["tid"]) == ("square:Square", 1, 1)
    assert block["ts"] <= op["ts"]
    assert op["ts"] + op["dur"] <= block["ts"] + block["dur"] + 1e-3


def recorded() -> Recorder:
    made = Recorder()
    made.add(Event("inner", made.began + 30, made.began + 40))
    made.add(Event("outer", made.began + 20, made.began + 50, "Kind", {"a": -1, "b": 0.5}))
    made.add(Event("first in outer", made.began + 20, made.began + 25))
    made.close()
    return made


def test_events_are_in_the_order_of_viewers():
    plane = read_planes(encode_space(recorded(), "host"))[0]
    assert [tuple(event) for event in plane.lines[0].events] == [
        ("outer", 20, 30, {"a": -1, "b": 0.5}),
        ("first in outer", 20, 5, {}),
        ("inner", 30, 10, {}),
    ]


def test_a_full_profile_says_so():
    made = recorded()
    made.dropped = 5
    space = encode_space(made, "host")
    (warning,) = [bytes(value) for field, _, value, _ in protobuf.fields(space) if field == 2 + 1]
    assert b"the last 5 events" in warning


# --- devices -------------------------------------------------------------------------------------


@pytest.fixture
def jax(monkeypatch):
    """A JAX whose profile has begun a second before."""

    def start_trace(folder, profiler_options=None):
        module.folder, module.level = folder, profiler_options.python_tracer_level

    def stop_trace():
        other = recorded()
        other.began_at -= 10**9
        run = f"{module.folder}/plugins/profile/now"
        tf.io.gfile.makedirs(run)
        device = read_first_plane(encode_space(recorded(), "host"), b"/device:GPU:0")
        with open(f"{run}/host.xplane.pb", "wb") as file:
            file.write(encode_space(other, "host", [device]))

    module = types.ModuleType("jax")
    module.folder = module.level = None
    module.profiler = types.SimpleNamespace(
        start_trace=start_trace, stop_trace=stop_trace, ProfileOptions=types.SimpleNamespace
    )
    monkeypatch.setitem(sys.modules, "jax", module)
    bridge = types.ModuleType("jax._src.xla_bridge")
    bridge._backends = {"gpu": 1}
    monkeypatch.setitem(sys.modules, "jax._src.xla_bridge", bridge)
    return module


def read_first_plane(space: bytes, name: bytes) -> bytes:
    plane = next(value for field, _, value, _ in protobuf.fields(space) if field == 1)
    return bytes(plane).replace(b"\x12\x09/host:CPU", b"\x12\x0d" + name)


def test_devices_are_a_part_of_the_profile(tmp_path, jax):
    with experimental.Profile(str(tmp_path)):
        tf.square(2.0)
    (path,) = folder_of(tmp_path).glob("*.xplane.pb")
    planes = {plane.name: plane for plane in read_planes(path.read_bytes())}
    assert list(planes) == [
        "/host:CPU",
        "/device:CUSTOM:JAX on the host",
        "/device:GPU:0",
        "Task Environment",
    ]
    ours = planes["/host:CPU"].lines[0].events[0]
    assert ours.name == "square:Square"
    for name in ("/device:GPU:0", "/device:CUSTOM:JAX on the host"):
        (line,) = planes[name].lines
        assert [event.name for event in line.events] == ["outer", "first in outer", "inner"]
        assert -1.1e9 < line.events[0].begin < -0.5e9  # on our clock
        assert line.events[0].facts == {"a": -1, "b": 0.5}
    named = [e["args"]["name"] for e in read_trace(tmp_path) if e["name"] == "process_name"]
    assert named == ["/host:CPU", "/device:CUSTOM:JAX on the host", "/device:GPU:0"]
    assert not tf.io.gfile.exists(jax.folder)
    assert jax.level == 0


def test_devices_that_are_not_asked_for(tmp_path, jax):
    options = experimental.ProfilerOptions(device_tracer_level=0)
    with experimental.Profile(str(tmp_path), options):
        tf.square(2.0)
    assert jax.folder is None


def test_a_profile_of_jax_that_runs_already(tmp_path, jax, caplog):
    def start_trace(folder, profiler_options):
        raise RuntimeError("Profile has already been started.")

    jax.profiler.start_trace = start_trace
    with experimental.Profile(str(tmp_path)):
        tf.square(2.0)
    assert "lacks the devices: Profile has already been started" in caplog.text
    assert list(read_space(tmp_path)) == ["/host:CPU", "Task Environment"]


def test_jax_that_is_not_in_use_stays_so(tmp_path, jax, monkeypatch):
    sys.modules["jax._src.xla_bridge"]._backends = {}
    with experimental.Profile(str(tmp_path)):
        tf.square(2.0)
    assert jax.folder is None
