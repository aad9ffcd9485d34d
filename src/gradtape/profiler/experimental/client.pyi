# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.typing import IntLike
from typing import Any

def monitor(service_addr: Any, duration_ms: Any, level: IntLike = 1) -> str:
    """Raise an error: another process cannot be watched from here.

    Args:
        service_addr: the address of a server.
        duration_ms: how many milliseconds to profile.
        level: has no effect; there for compatibility.

    Returns:
        Nothing: it always raises an error.

    Raises:
        tf.errors.UnimplementedError always: there is no gRPC here. Profile in the process itself.
    """

def trace(
    service_addr: Any,
    logdir: Any,
    duration_ms: Any,
    worker_list: str = '',
    num_tracing_attempts: IntLike = 3,
    options: Any = None,
) -> None:
    """Raise an error: another process cannot be profiled from here.

    Args:
        service_addr: the address of a server.
        logdir: the folder of the files.
        duration_ms: how many milliseconds to profile.
        worker_list: has no effect; there for compatibility.
        num_tracing_attempts: has no effect; there for compatibility.
        options: a `tf.profiler.experimental.ProfilerOptions`; None for its defaults.

    Returns:
        Nothing: it always raises an error.

    Raises:
        tf.errors.UnimplementedError always: there is no gRPC here. Profile in the process itself.
    """
