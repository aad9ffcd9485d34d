"""Writers and readers of a variable in threads, and steps that are interrupted.

Nothing here depends on time: what is asserted must hold however threads and signals fall.
"""

from __future__ import annotations

import contextlib
import gc
import linecache
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import numpy as np

import gradtape as tf
from gradtape.core.scope import enter_op_scope, op_scope


@contextlib.contextmanager
def switching_often() -> Iterator[None]:
    """Python's threads take turns as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def in_threads(*functions: Callable[[], object], timeout: float = 600) -> None:
    """Call functions at the same time, each in a thread of its own; raise what one raises."""
    errors: list[BaseException] = []
    start = threading.Barrier(len(functions))

    def run(function):
        try:
            start.wait()
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(f,), daemon=True) for f in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout)
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads), "threads wait for each other"


def race(write: Callable[[], object], read: Callable, writers: int = 4, rounds: int = 25) -> int:
    """Write from several threads while another reads: what is read is never half written.

    The number of writes.
    """
    left = [writers]
    lock = threading.Lock()

    def writing():
        try:
            for _ in range(rounds):
                write()
        finally:
            with lock:
                left[0] -= 1

    def reading():
        while left[0]:
            for value in np.atleast_1d(read()), np.atleast_1d(read()):
                assert value.min() == value.max(), "a value was read half written"

    with switching_often():
        in_threads(reading, *[writing] * writers)
    return writers * rounds


class Interrupted(KeyboardInterrupt):
    """What the handler of the timer raises."""


@contextlib.contextmanager
def nothing_collected() -> Iterator[None]:
    """Switch the garbage collector off: no callback of its runs, and no finalizer of a cycle."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextlib.contextmanager
def those_not_passed_on(
    kind: type[BaseException] = Interrupted,
) -> Iterator[list[type[BaseException]]]:
    """List the interrupts of a kind that Python itself cannot pass on.

    They came in a finalizer or in a callback of a weak reference or of the garbage collector
    (hypothesis and JAX have one). What else cannot be passed on is left to the hook before.
    """
    lost: list[type[BaseException]] = []
    before = sys.unraisablehook

    def note(unraisable):
        if unraisable.exc_type is kind:
            lost.append(unraisable.exc_type)
        else:
            before(unraisable)

    sys.unraisablehook = note
    try:
        yield lost
    finally:
        sys.unraisablehook = before


@contextlib.contextmanager
def no_scope_left_open() -> Iterator[None]:
    """Close the name scopes that an interrupt leaves open, for the tests that come later.

    Python has no remedy against one that comes at the first instruction of an `__exit__`.
    """
    path, keras = op_scope(), sys.modules.get("keras.src.backend.common.global_state")
    stack = [] if keras is None else keras.get_global_attribute("name_scope_stack", [])
    count = len(stack)
    try:
        yield
    finally:
        enter_op_scope(path)
        stack = [] if keras is None else keras.get_global_attribute("name_scope_stack", [])
        del stack[count:]


def interrupt(step: Callable[[], object], check: Callable[[], None], rounds: int, seed=0) -> None:
    """Interrupt a step that is made again and again, at random moments; check after each.

    The interrupt has to arrive, except where Python itself cannot pass it on.
    """
    moments = random.Random(seed)
    raised = [0]

    def raise_it(*_):
        raised[0] += 1
        raise Interrupted

    def repeat(count: int) -> None:
        # Not in the `try` itself: Python 3.13 leaves the jump back of such a loop out of the table
        # of exceptions, and what a signal raises there passes by the `except`.
        while raised[0] == count:
            step()

    handler = signal.signal(signal.SIGALRM, raise_it)
    try:
        with those_not_passed_on() as lost, no_scope_left_open():
            for _ in range(rounds):
                before, lost_before = raised[0], len(lost)
                arrived = False
                try:
                    signal.setitimer(signal.ITIMER_REAL, 1e-5 + 5e-4 * moments.random())
                    repeat(before)
                except Interrupted:
                    arrived = True
                assert arrived or len(lost) > lost_before, "an interrupt was swallowed"
                check()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


# --- interrupts at a line ------------------------------------------------------------------------

INTERRUPTED_PACKAGES = ("gradtape", "keras_gradtape", "keras")


def _may_be_interrupted(frame) -> bool:
    """Return whether an exception at a line of a frame is one that a signal handler could raise.

    Python comes back to the line of a `with` statement at the end of its block, where an exception
    of a trace function would leave the context manager without its exit; a signal is not handled
    there. Nor is one before the first call of a `finally`: those of its `try` handle their own.
    """
    file, line = frame.f_code.co_filename, frame.f_lineno
    before, text = linecache.getline(file, line - 1), linecache.getline(file, line)
    return before.strip() != "finally:" and not text.lstrip().startswith("with ")


def interrupt_at_line(function: Callable[[], object], line: int | None) -> int:
    """Call a function, and interrupt it at its line of this number; return how many it ran.

    Lines of this project and of Keras count. Those of other packages and of finalizers do not, and
    nothing is collected meanwhile: each call runs the same lines.
    """
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        if event == "call":
            package = str(frame.f_globals.get("__name__")).partition(".")[0]
            if package not in INTERRUPTED_PACKAGES or frame.f_code.co_name == "__del__":
                return None
        elif event == "line" and _may_be_interrupted(frame):
            count += 1
            if count == line:
                sys.settrace(None)
                raise Interrupted
        return trace

    before, arrived = sys.gettrace(), False
    with nothing_collected(), no_scope_left_open(), those_not_passed_on() as lost:
        sys.settrace(trace)
        try:
            function()
        except Interrupted:
            arrived = True
        finally:
            sys.settrace(before)
    assert arrived or lost or count != line, "an interrupt was swallowed"
    return count


# --- ways to add one to a variable ---------------------------------------------------------------


def eagerly(v, one):
    return lambda: v.assign_add(one)


def in_a_function(v, one):
    return tf.function(lambda: v.assign_add(one * 1.0))


def in_nested_functions(v, one):
    inner = tf.function(lambda x: v.assign_add(x))
    return tf.function(lambda: inner(one))


def under_a_tape(v, one):
    add = tf.function(lambda: v.assign_add(one * 1.0))

    def step():
        with tf.GradientTape():
            add()

    return step
