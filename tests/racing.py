"""Writers and readers of a variable in threads, and steps that are interrupted.

Nothing here depends on time: what is asserted must hold however threads and signals fall.
"""

from __future__ import annotations

import contextlib
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import numpy as np

import gradtape as tf


@contextlib.contextmanager
def switching_often() -> Iterator[None]:
    """Python's threads take turns as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def in_threads(*functions: Callable[[], object], timeout: float = 60) -> None:
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


def interrupt(step: Callable[[], object], check: Callable[[], None], rounds: int, seed=0) -> None:
    """Interrupt a step that is made again and again, at random moments; check after each.

    The interrupt has to arrive, except where Python itself cannot pass it on: in a finalizer or a
    callback of the garbage collector (JAX has one).
    """
    moments = random.Random(seed)
    raised, not_passed_on = [0], [0]

    def raise_it(*_):
        raised[0] += 1
        raise Interrupted

    def note(unraisable):
        not_passed_on[0] += unraisable.exc_type is Interrupted

    handler, hook = signal.signal(signal.SIGALRM, raise_it), sys.unraisablehook
    sys.unraisablehook = note
    try:
        for _ in range(rounds):
            before, lost = raised[0], not_passed_on[0]
            arrived = False
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + 5e-4 * moments.random())
                while raised[0] == before:
                    step()
            except Interrupted:
                arrived = True
            assert arrived or not_passed_on[0] > lost, "an interrupt was swallowed"
            check()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.unraisablehook = hook


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
