"""`tf.summary.trace_on`, `trace_export`, `trace_off`: a profile between two lines of a program.

TensorFlow writes the graphs of functions, too; there are none here that TensorBoard could draw.
"""

from __future__ import annotations

import logging
import threading

from gradtape.core.errors import OpError
from gradtape.core.state import inside
from gradtape.profiler import session
from gradtape.summary.writer import checked_step, current_writer

logger = logging.getLogger("gradtape")


class _Current:
    has_profiler: bool | None = None  # of the trace that is on; None if none is
    lock = threading.RLock()


def trace_on(graph=True, profiler=False, profiler_outdir=None) -> None:
    """Start a profile for the folder `profiler_outdir`, if `profiler` is true.

    Graphs of functions are not written: `tf.graph.print` shows them.
    """
    if inside.get():
        logger.warning("Cannot enable trace inside a tf.function.")
        return
    with _Current.lock:
        if _Current.has_profiler is not None:
            logger.warning("Trace already enabled")
            return
        if profiler and profiler_outdir is None:
            logger.warning("No `profiler_outdir` passed to trace_on(). Profiler won't be enabled.")
        elif profiler:
            session.start(profiler_outdir)
        _Current.has_profiler = bool(profiler)


def trace_export(name, step=None, profiler_outdir=None) -> None:
    """End the trace, and write its profile into the folder that `trace_on` was given."""
    if step is not None:
        checked_step(step)
    if inside.get():
        logger.warning("Cannot export trace inside a tf.function.")
        return
    with _Current.lock:
        if _Current.has_profiler is None:
            raise ValueError("Must enable trace before export through tf.summary.trace_on.")
        if current_writer() is not None:
            checked_step(step)
        if _Current.has_profiler:
            if profiler_outdir:
                logger.warning(
                    "Ignoring `profiler_outdir` passed to trace_export(). Please pass it to "
                    "trace_on() instead."
                )
            session.stop()
        _Current.has_profiler = None


def trace_off() -> None:
    """End the trace, and its profile, if one is on."""
    with _Current.lock:
        has_profiler, _Current.has_profiler = _Current.has_profiler, None
        if has_profiler:
            try:
                session.stop()
            except OpError as error:
                logger.warning("Error while stopping profiler: %s", error)
