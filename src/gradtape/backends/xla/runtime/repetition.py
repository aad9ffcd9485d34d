"""What a queue of calls runs: its calls one by one or, if they were met often, one program."""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any

from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.require import in_thread, jax
from gradtape.backends.xla.runtime import memory
from gradtape.backends.xla.runtime.deferred_array import Call, DeferrableOp, DeferredArray, TypedOp
from gradtape.backends.xla.runtime.memory import LARGE, PINNED
from gradtape.core.errors import OpError
from gradtape.core.native import native_version
from gradtape.core.recent import Recent
from gradtape.core.tensor import Spec

REPEATS = 16  # how often the same ops are queued before they are compiled as one program
_KEPT_PROGRAMS = 256


def needed(results: list[DeferredArray]) -> list[DeferredArray]:
    """Return what has to be computed for results, in order."""
    pending: dict[int, DeferredArray] = {}
    stack = list(results)
    while stack:
        x = stack.pop()
        call = x.call
        if id(x) not in pending and x.value is None and call is not None:
            pending[id(x)] = x
            stack += [y for y in call.operands if type(y) is DeferredArray]
    # (A call that is None by now has been computed by another thread.)
    ordered = [(x.call.serial, x.index, i, x) for i, x in pending.items() if x.call is not None]
    return [x for *_, x in sorted(ordered)]


# What `getrefcount` says of an object that is only in one list.
_ONLY_IN_LIST = next(map(getrefcount, [object()]))


@native_version
def queue_structure(
    waiting: list[DeferredArray], wanted: DeferredArray | None, on_host: DeferredArray | None
) -> tuple[list, list, list[DeferredArray]] | None:
    """Return what identifies a program for waiting values, its arguments, and what can be read.

    The first is a list of each step, a `TypedOp` followed by its operands: numbers of results, or
    ~n for argument n; then None, where they are, the number of the value to copy to the host or
    None, and the numbers of what can be read. None if they need others, which another thread has
    queued.

    A value can be read if there are references besides those of this list and of waiting calls.
    (If other threads change references meanwhile, this may be wrong: a value then is computed
    when it is read, or without need.)
    """
    counts = list(map(getrefcount, waiting))
    steps: list[Any] = []
    arguments: list[Any] = []
    numbers: dict[int, int] = {}  # of results by id
    by_id: dict[int, int] = {}  # ~ of arguments
    last, first, count = None, 0, 0
    uses: dict[int, int] = {}
    for x in waiting:
        call = x.call
        if call is None:  # computed by another thread
            continue
        if call is not last:
            last, first = call, count
            count += len(call.typed.forms)
            steps.append(call.typed)
            for operand in call.operands:
                if type(operand) is DeferredArray:
                    value = operand.value
                    if value is None:
                        number = numbers.get(id(operand))
                        if number is None:
                            return None
                        uses[number] = uses.get(number, 0) + 1
                        steps.append(number)
                        continue
                    operand = value
                number = by_id.get(id(operand))
                if number is None:
                    number = by_id[id(operand)] = ~len(arguments)
                    arguments.append(operand)
                steps.append(number)
        numbers[id(x)] = first + x.index
    read = []
    copied = None if on_host is None else numbers.get(id(on_host))
    steps += (None, waiting[0].sharding if waiting else None, copied)
    for x, references in zip(waiting, counts):  # noqa: B905 (hot)
        number = numbers.get(id(x))
        if number is None:
            continue
        if references - _ONLY_IN_LIST > uses.get(number, 0) or x is wanted or x is on_host:
            read.append(x)
            steps.append(number)
    return steps, arguments, read


class _Repetition:
    """How often the same ops were queued, and the program for all of them once there is one."""

    __slots__ = ("call", "count", "is_compilable")

    def __init__(self) -> None:
        self.count = 0
        self.call: Callable | None = None
        self.is_compilable = True


REPETITIONS = Recent(_KEPT_PROGRAMS)


def compute(
    waiting: list[DeferredArray],
    wanted: DeferredArray | None = None,
    read_on_host: DeferredArray | None = None,
) -> None:
    """Compute those of the values that can be read, and `wanted` in any case.

    `read_on_host` is copied to the host by the program, if it is small and there is a program.
    """
    x = read_on_host
    if x is not None and not memory.is_read_by_program(x.nbytes, x.sharding):
        read_on_host = None
    structure = queue_structure(waiting, wanted, read_on_host)
    if structure is None:
        waiting[:] = needed(waiting)
        structure = queue_structure(waiting, wanted, read_on_host)
    if structure is None:  # still so, as other threads compute some of them
        run_each(waiting, waiting[:])
        return
    steps, arguments, read = structure
    key = tuple(steps)
    if read and (len(waiting) < 2 or not _run_together(key, arguments, read, read_on_host)):
        del key, steps, arguments, structure  # nothing else keeps operands alive
        run_each(waiting, read)


# --- running -------------------------------------------------------------------------------------


def _run_together(
    key: tuple, arguments: list, read: list[DeferredArray], on_host: DeferredArray | None
) -> bool:
    """Run a program that was met often enough; return False if the ops are to run one by one."""
    known = REPETITIONS.find(key)
    if known is None:
        known = _Repetition()
        REPETITIONS.keep(key, known)
    known.count += 1
    if known.count <= REPEATS or not known.is_compilable:
        return False
    try:
        _check_memory(read)
        if known.call is None:
            known.call = in_thread(xla.exactly, _compiled, key, arguments)
        arrays = xla.exactly(known.call, *arguments)
    except Exception as error:
        # Short of memory, it may do op by op; the error then names the op. Else XLA has declined
        # what it takes piece by piece.
        known.is_compilable = isinstance(error, (OpError, jax.errors.JaxRuntimeError))
        return False
    for x, array in zip(read, arrays):  # noqa: B905 (the last one may be a copy)
        x.value = array
        x.call = None
    if on_host is not None and len(arrays) > len(read):
        on_host.copy = arrays[-1]
    return True


def _compiled(key: tuple, arguments: list) -> Callable:
    """Return steps (see `queue_structure`) as one compiled program."""
    end = key.index(None)
    _, sharding, copied, *read = key[end:]
    steps: list[tuple[DeferrableOp, list[int]]] = []
    for each in key[:end]:
        if type(each) is TypedOp:
            steps.append((each.op, []))
        else:
            steps[-1][1].append(each)

    def program(*arguments):
        values: list[Any] = []
        for op, operands in steps:
            made = op.kernel(*[arguments[~n] if n < 0 else values[n] for n in operands])
            values += [made] if op.outputs == 1 else made
        return tuple([values[n] for n in returned])

    returned, shardings = read, [sharding] * len(read)
    if copied is not None:
        returned = [*read, copied]
        shardings.append(sharding.with_memory_kind(PINNED))
    jitted = jax.jit(program, out_shardings=tuple(shardings))
    return jitted.lower(*arguments).compile(xla.compiler_options())


def _check_memory(read: list[DeferredArray]) -> None:
    """Raise an error if the device has no room for these results."""
    size = sum(x.nbytes for x in read)
    if size >= LARGE:
        specs = [Spec(x.shape, x.dtype) for x in read]
        memory.make_room("deferred ops", size, next(iter(read[0].devices())), specs)


def run_each(waiting: list[Any], read: list[DeferredArray]) -> None:
    """Run calls one by one, as far as they are needed for what is read."""
    needed = {id(x) for x in read}
    for x in reversed(waiting):
        call = x.call
        if id(x) in needed and call is not None:
            needed.update([id(y) for y in call.operands if type(y) is DeferredArray])
    last, made = None, ()
    for i, x in enumerate(waiting):
        waiting[i] = None  # what nobody uses is freed on the way
        call = x.call
        if call is None or id(x) not in needed:
            continue
        if call is not last:
            last, made = call, _results(call)
        x.value = made[x.index]
        x.call = None


def _results(call: Call) -> Any:
    """Run a call by the program of its op."""
    op = call.typed.op
    arrays = [x.value if type(x) is DeferredArray else x for x in call.operands]
    made = op.run(arrays)
    return (made,) if op.outputs == 1 else made
