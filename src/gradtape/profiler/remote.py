"""Profiles of other processes, which TensorFlow asks for over gRPC. gradtape has no servers."""

from __future__ import annotations

import logging

from gradtape.core.convert import static_int
from gradtape.core.errors import InvalidArgumentError, UnimplementedError

logger = logging.getLogger("gradtape")
_HERE = (
    "there is no gRPC here to ask another process for a profile. Profile in that process: with "
    "tf.profiler.experimental.Profile(logdir), or start(logdir) and stop()"
)


def start_server(port) -> None:
    """Log that there is no server: a program that can be profiled from outside goes on without."""
    number = static_int(port)
    logger.warning(
        "tf.profiler.experimental.server.start(%d): no server was started; "
        "there is no gRPC here, by which others could ask this process for a profile. Call "
        "tf.profiler.experimental.start(logdir) and stop() in it.",
        number,
    )


def trace(
    service_addr, logdir, duration_ms, worker_list="", num_tracing_attempts=3, options=None
) -> None:
    """Raise an error: another process cannot be profiled from here."""
    if static_int(duration_ms) <= 0:
        raise InvalidArgumentError("duration_ms must be greater than zero.")
    raise UnimplementedError(f"tf.profiler.experimental.client.trace: {_HERE}.")


def monitor(service_addr, duration_ms, level=1) -> str:
    """Raise an error: another process cannot be watched from here."""
    if static_int(duration_ms) <= 0:
        raise InvalidArgumentError("duration_ms must be greater than zero.")
    raise UnimplementedError(f"tf.profiler.experimental.client.monitor: {_HERE}.")
