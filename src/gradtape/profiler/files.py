"""The files of a profile: where TensorBoard's profile plugin looks for them."""

from __future__ import annotations

import os
import socket
import time

from gradtape.formats.atomic import write_whole
from gradtape.profiler.device import DeviceProfile
from gradtape.profiler.planes import encode_space, read_planes
from gradtape.profiler.recorder import Recorder
from gradtape.profiler.trace_viewer import encode_trace


def write_profile(folder: str, recorder: Recorder, device: DeviceProfile | None) -> None:
    """Write a profile into `plugins/profile/<time>` of a folder."""
    host = socket.gethostname() or "localhost"
    others = [] if device is None else device.planes(recorder.began_at)
    space = encode_space(recorder, host, others)
    trace = encode_trace(read_planes(space))
    run = _new_folder(os.path.join(folder, "plugins", "profile"))
    write_whole(os.path.join(run, f"{host}.xplane.pb"), [space])
    write_whole(os.path.join(run, f"{host}.trace.json.gz"), [trace])


def _new_folder(parent: str) -> str:
    """Make a folder named after the time; a second profile of the same second has its own."""
    name = time.strftime("%Y_%m_%d_%H_%M_%S")
    os.makedirs(parent, exist_ok=True)
    number = 0
    while True:
        path = os.path.join(parent, f"{name}_{number}" if number else name)
        try:
            os.mkdir(path)
        except FileExistsError:
            number += 1
        else:
            return path
