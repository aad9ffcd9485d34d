"""The import of JAX, with an error that says what to install."""

from __future__ import annotations

import _thread
import atexit
import functools
import gc
import os
from collections.abc import Callable
from typing import Any, TypeVar

from gradtape.backends.native.extension import extension

OLDEST = (0, 5, 0)
_Function = TypeVar("_Function", bound=Callable)
_INSTALL = (
    'Install it with `pip install "gradtape[xla]"`; on a machine with an NVIDIA GPU with '
    '`pip install "gradtape[xla]" "jax[cuda13]"` ("jax[cuda12]" with an older driver than 580).'
)

try:
    import jax
except ImportError as error:
    raise ImportError(
        f"gradtape computes on GPUs, TPUs and XLA devices with JAX, which cannot be imported here "
        f"({error}). {_INSTALL}"
    ) from error

if jax.__version_info__ < OLDEST:
    raise ImportError(
        f"gradtape needs JAX {'.'.join(map(str, OLDEST))} or newer for XLA devices; this is JAX "
        f"{jax.__version__}. {_INSTALL}"
    )

if extension is not None:
    # JAX has a callback of the garbage collector, which is written in Python: a signal that arrives
    # just then is handled there, and Python ignores what a callback raises.
    gc.callbacks[:] = [
        extension.postponing_interrupts(each)
        if (getattr(each, "__module__", None) or "").startswith("jax")
        else each
        for each in gc.callbacks
    ]


def holding(flag: Any, value: Any, function: Callable, /, *arguments: Any, **names: Any) -> Any:
    """Call a function while a flag of JAX's, such as `jax.enable_x64`, has a value in this thread.

    Nothing can leave the flag set. JAX's own context managers are written in Python, and a signal
    that is handled at the first instruction of `__exit__` skips the rest of it. Here the flag is
    set back by a call of a function in C that `finally` begins with: signals are handled after
    calls, and there is none in between.
    """
    if not hasattr(flag, "set_local"):  # older versions have only the context manager
        with flag(value):
            return function(*arguments, **names)
    set_local, before = flag.set_local, flag.get_local()
    try:
        set_local(value)
        return function(*arguments, **names)
    finally:
        set_local(before)


def exactly(function: Callable, /, *arguments: Any, **names: Any) -> Any:
    """Call a function with exact float64 and int64: see the docstring of `kernels`."""
    return holding(_ENABLE_X64, True, function, *arguments, **names)


def is_exact() -> bool:
    """Return whether this thread is in a call of `exactly`, where JAX may be tracing."""
    return hasattr(_ENABLE_X64, "get_local") and _ENABLE_X64.get_local() is True


def in_thread(function: Callable, *arguments: Any) -> Any:
    """Call a function that lets JAX trace in another thread, and return its result.

    JAX keeps what it traces in the thread, by context managers that are written in Python: an
    interrupt inside of their `__exit__` would leave all that the thread computes later in a trace
    that has ended. Interrupts reach only the main thread. (Nor do the classes of `threading` bear
    interrupts: one inside of `Thread.start` can leave the lock taken that the new thread needs.)

    When this returns, the other thread may not have ended, but refers to nothing: the memory of an
    array that it still held could not be donated.
    """
    to_call, results = [functools.partial(function, *arguments)], []
    errors: list[BaseException] = []
    done = _thread.allocate_lock()

    def work() -> None:
        _working.add(done)
        try:
            results.append(to_call.pop()())
        except BaseException as error:  # raised in the thread that waits
            errors.append(error)
        finally:
            _working.discard(done)
            done.release()

    done.acquire()
    _thread.start_new_thread(work, ())
    done.acquire()
    if errors:
        raise errors.pop()
    return results.pop()


_working: set[Any] = set()  # locks of threads that work


def _wait_for_threads() -> None:
    """Wait for threads that an interrupted caller has left: JAX cannot be stopped midway."""
    for done in list(_working):
        done.acquire(timeout=60)


atexit.register(_wait_for_threads)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_working.clear)


def exact(function: _Function) -> _Function:
    """Decorate a function that is to be called with exact types."""
    wrapper: Any = functools.update_wrapper(functools.partial(exactly, function), function)
    return wrapper


if hasattr(jax, "enable_x64"):
    _ENABLE_X64 = jax.enable_x64
else:  # older versions have it elsewhere
    from jax import experimental

    _ENABLE_X64 = experimental.enable_x64
