"""Transactions: variables are read, changed and written back as one atomic step.

Three kinds of observers can interfere: other threads, signal handlers (Ctrl-C), and handlers of
exceptions. The rules:

* **An array that a variable has published never changes under a reader.** It is written to only
  by one call into C that checks that there is no other reference to the array, and writes, without
  releasing the GIL in between (`in_place`). Everything else makes a new array.
* **Code that reads a value to write another that depends on it does so in a transaction** on the
  variables that it writes (`exclusively`): two transactions on the same variable are serialized,
  from any thread. The same thread may begin one inside of another. A transaction begins on all of
  its variables at once, so that threads never deadlock.
* **Several variables are read and written atomically** (`read_all`, `write_all`): others see all
  of a step or nothing. Signal handlers run between the bytecodes of the main thread, and these are
  single calls into C.
* **A program on a device that takes over the memory of variables** (donation) runs while they have
  no value at all (`run_over`): readers wait, and the variables have their new values before
  anything else can happen. If there is another reference to an array, the program gets a copy.

Readers do not begin transactions: a value is read in one step as it is.

Without the extension, one lock serves all variables, arrays are not written to while other
threads are alive, and programs on devices always get copies.
"""

from __future__ import annotations

import _thread
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice, repeat, starmap
from operator import attrgetter, call
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape.backends.numpy import is_unshared
from gradtape.backends.numpy.rows import Write
from gradtape.backends.numpy.updates import is_native
from gradtape.core.native import extension, materialize, native_version
from gradtape.core.tensor import Tensor, TensorBase

if TYPE_CHECKING:
    from gradtape.core.typing import Array

_lock: Any = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_lock._at_fork_reinit)
_array_of = attrgetter("_data")


@native_version
def exclusively(variables: tuple[Any, ...], function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a transaction on variables."""
    with _lock:
        return function(*arguments)


@native_version
def read_all(variables: tuple[Any, ...]) -> list[Any]:
    """Return the arrays of variables, read atomically."""
    return list(map(_array_of, variables))


@native_version
def write_all(variables: tuple[Any, ...], arrays: Sequence[Any], start: int) -> None:
    """Set the arrays of variables to `arrays[start:]`, atomically."""
    with _lock:
        deque(map(setattr, variables, repeat("_data"), islice(arrays, start, None)), maxlen=0)
    for variable in variables:
        variable._snapshot = None


def compute_values(variables: tuple[Any, ...]) -> None:
    """Compute what variables were given and is still deferred, in a transaction on them.

    All of it together, and in the memory of the old values where nobody else needs these: a value
    that waits for a reader would keep them, and what it is computed from, alive.
    """
    if extension is None:
        return
    extension.relate([variable._data for variable in variables])
    for variable in variables:
        data = variable._data
        computed = materialize(data)
        if computed is not data:
            write_one(variable, computed)


@native_version
def write_one(variable: Any, array: Array) -> None:
    """Set the array of a variable."""
    with _lock:
        variable._data = array
    variable._snapshot = None


@native_version
def in_place(kernel: Callable[..., Any], *arguments: Any) -> bool:
    """Call a native kernel with the variables' own arrays, if they have no other references.

    Variables among the arguments are replaced by their arrays, all of which may be written to.
    Return False if nothing was done: an array is shared, or the kernel returned False.
    """
    return False


@native_version
def rewrite(variable: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call `function(array, *arguments)`, which writes to the array of a variable.

    The array is the variable's own if it is not shared, and otherwise a copy. Meanwhile other
    threads that read the value wait. If the function fails, what it has written stays: it must
    validate first.
    """
    with _lock:
        if may_write_into(variable):
            return function(variable._data, *arguments)
        copy = np.array(variable._data)
        outputs = function(copy, *arguments)
        write_one(variable, copy)
        return outputs


@native_version
def take_arrays(variables: tuple[Any, ...]) -> None:
    """Take the arrays of variables away until they get others: readers in other threads wait."""


@native_version
def give_back_arrays(variables: tuple[Any, ...]) -> None:
    """Give variables the arrays back that were taken and not replaced."""


@native_version
def run_over(
    program: Callable[..., Any],
    arrays: list[Any],
    constants: list[Any],
    indices: tuple[Any, ...],
    variables: tuple[Any, ...],
    start: int,
) -> tuple[Any, ...] | None:
    """Run a program that may overwrite the arrays at some indices: those of variables, or copies.

    For a variable that the program only writes to, the index is -1. The results from `start` on are
    the variables' new arrays. Return None if nothing was done: an array that is no copy has another
    reference. `program` must be a function in C that calls no Python; the caller is in a
    transaction on the variables.
    """
    for index, variable in zip(indices, variables, strict=True):
        if index >= 0 and arrays[index] is variable._data:
            return None
    outputs = program(*arrays, *constants)
    write_all(variables, outputs, start)
    return outputs


@native_version
def waiting_data(variables: Any) -> Any:
    """Return a descriptor for `_data` of variables that waits while the value is missing.

    A program in another thread that overwrites the variable's memory has taken it.
    """
    return variables._data


def may_write_into(variable: Any) -> bool:
    """Return whether NumPy, which releases the GIL, may write to a variable's array.

    There is no other reference to it, and no other thread that could take one.
    """
    variable._forget_snapshot()
    return not _thread._count() and is_unshared(variable)


def owned_array(variable: Any) -> np.ndarray:
    """Return an array with a variable's value to write to: its own if unshared, else a copy."""
    variable._forget_snapshot()
    data = materialize(variable._data)
    if data is not variable._data:  # it was deferred
        write_one(variable, data)
    del data
    # Without the extension, arrays cannot be taken from other threads.
    if is_unshared(variable) and (extension is not None or not _thread._count()):
        return variable._data
    return np.array(variable._data)


class WriteLog:
    """The writes of one call to arrays of variables: all are committed, or all are undone."""

    __slots__ = ("_undo", "_variables")

    def __init__(self, variables: tuple[Any, ...]) -> None:
        self._variables = variables
        self._undo: deque[Any] = deque()

    def begin(self) -> None:
        """Take the arrays, so that other threads do not see them."""
        take_arrays(self._variables)

    def write(self, write: Write) -> None:
        """Do a write, after recording how to undo it."""
        self._undo.appendleft(write.undo())
        write.perform()

    def commit(self, variables: tuple[Any, ...], arrays: Sequence[Any], start: int) -> None:
        """Give variables their arrays and clear the log, atomically."""
        _call_all([(write_all, variables, arrays, start), (self._undo.clear,)])

    def undo(self) -> None:
        """Undo all writes that were not committed."""
        _call_all([*self._undo, (self._undo.clear,), (give_back_arrays, self._variables)])


def _call_all(calls: list[tuple[Any, ...]]) -> None:
    """Call functions of C with their arguments: no signal handler runs in between."""
    deque(starmap(call, calls), maxlen=0)


def update(kernel: Callable[..., Any], *arguments: Any) -> None:
    """Call one of the kernels of `backends.numpy.updates` on the arrays of variables.

    Either all of them are changed, or none is.
    """
    variables = tuple([x for x in arguments if _is_variable(x)])
    exclusively(variables, _update, kernel, variables, arguments)


def _is_variable(x: Any) -> bool:
    return isinstance(x, TensorBase) and not isinstance(x, Tensor)


def _update(
    kernel: Callable[..., Any], variables: tuple[Any, ...], arguments: tuple[Any, ...]
) -> None:
    if kernel(*arguments):
        return
    arrays = {id(x): materialize(x._data) for x in variables}
    if all(map(is_native, arrays.values())):
        arrays = {key: np.array(array) for key, array in arrays.items()}  # written to in place
    made = kernel(*[arrays.get(id(x), x) for x in arguments])
    write_all(variables, list(arrays.values()) if made is True else made, 0)
