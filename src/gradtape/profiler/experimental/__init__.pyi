# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.profiler.experimental import client as client
from gradtape.profiler.experimental import server as server
from gradtape.profiler.session import Profile as Profile
from gradtape.profiler.session import ProfilerOptions as ProfilerOptions
from gradtape.profiler.trace import Trace as Trace
from typing import Any

def start(logdir: Any, options: Any = None) -> None:
    """Start to record ops, functions and steps of all threads, for the folder `logdir`.

    Args:
        logdir: the folder of the files.
        options: a `tf.profiler.experimental.ProfilerOptions`; None for its defaults.

    Returns:
        Nothing.

    Raises:
        TypeError if `logdir` is no path.
    """

def stop(save: bool = True) -> None:
    """End the profile, and write its files into the folder that `start` was given.

    The folder `plugins/profile/<time>` in it has one file for TensorBoard, and one for the trace
    viewers of browsers.

    Args:
        save: whether to write the files.

    Returns:
        Nothing.

    Raises:
        tf.errors.UnavailableError if no profile is running.
    """
