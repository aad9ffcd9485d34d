"""What waits on a device: calls of ops, and their results as payloads of tensors."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.require import in_thread, jax
from gradtape.backends.xla.runtime.memory import LARGE
from gradtape.core import native

_KEPT_FORMS = 4096


class Form:
    """Shape and dtype of an operand or result. There is one object of each, known by identity."""

    __slots__ = ("dtype", "is_weak", "nbytes", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype, is_weak: bool) -> None:
        self.shape = shape
        self.dtype = dtype
        self.is_weak = is_weak  # whether JAX may promote it, as it does Python's numbers
        self.nbytes = math.prod(shape) * dtype.itemsize


form_for = functools.lru_cache(_KEPT_FORMS)(Form)


@functools.lru_cache(_KEPT_FORMS)
def form_of(aval: Any) -> Form:
    """Return the form of one of JAX's arrays from its `aval`, which is quick to hash."""
    return form_for(tuple(aval.shape), np.dtype(aval.dtype), bool(aval.weak_type))


class DeferrableOp:
    """An op with its parameters, as a part of a program and as a program of its own."""

    __slots__ = ("kernel", "outputs", "run", "typed")

    def __init__(self, outputs: int, kernel: Callable, run: Callable[[list], Any]) -> None:
        self.outputs = outputs
        self.kernel = kernel
        self.run = run  # raises errors in the user's terms
        self.typed: dict[tuple[Form, ...], TypedOp] = {}

    def with_types(self, forms: tuple[Form, ...]) -> TypedOp | None:
        """Return the op for operands of these forms; None if it does not take them."""
        operands = [jax.ShapeDtypeStruct(x.shape, x.dtype, weak_type=x.is_weak) for x in forms]
        try:
            # A Python function, whose signature JAX need not parse.
            made = in_thread(xla.exactly, jax.eval_shape, lambda *xs: self.kernel(*xs), *operands)
        except Exception:  # the op runs at once, and its error is explained there
            return None
        made = (made,) if self.outputs == 1 else tuple(made)
        if not all(isinstance(y, jax.ShapeDtypeStruct) for y in made):  # the history of a loop
            return None
        typed = TypedOp(self, [form_of(y) for y in made])
        if len(self.typed) >= _KEPT_FORMS:
            self.typed.clear()
        self.typed[forms] = typed
        return typed


class TypedOp:
    """An op for operands of given forms: what identifies a step of a program."""

    __slots__ = ("forms", "is_small", "nbytes", "op")

    def __init__(self, op: DeferrableOp, forms: list[Form]) -> None:
        self.op = op
        self.forms = forms  # of the results
        self.nbytes = sum(form.nbytes for form in forms)
        self.is_small = self.nbytes < LARGE


class Call:
    """A call that waits. Operands are JAX's or NumPy's arrays, and `DeferredArray`s."""

    __slots__ = ("operands", "serial", "typed")

    def __init__(self, typed: TypedOp, operands: list) -> None:
        self.typed = typed
        self.operands = operands
        self.serial = next(_serials)


_serials = itertools.count()


class DeferredArray:
    """The payload of a tensor or variable on a device whose value may not be computed yet."""

    __slots__ = ("call", "copy", "dtype", "form", "index", "shape", "sharding", "step", "value")

    _compute: ClassVar[list[Callable]] = []  # [0]: computes a value (set by `deferral`)

    def __init__(self, call: Call | None, index: int, form: Form, sharding: Any) -> None:
        self.call = call  # None once the value is there
        self.index = index  # of the result among those of the call
        self.form = form
        self.shape = form.shape
        self.dtype = form.dtype
        self.sharding = sharding
        self.step: object = None  # of the program, in which a variable got it
        self.value: Any = None  # JAX's array
        self.copy: Any = None  # the same in memory of the host, if the program has put it there

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.form.nbytes

    @property
    def is_waiting(self) -> bool:
        return self.value is None

    def devices(self) -> set:
        return self.sharding.device_set

    def array(self) -> Any:
        """Return JAX's array, computed now if it was not."""
        value = self.value
        return self._compute[0](self) if value is None else value

    def on_host(self) -> Any:
        """Return JAX's array in memory of the host, if the program can copy it there."""
        if self.value is None:
            self._compute[0](self, True)
        return self.value if self.copy is None else self.copy

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        array = self.on_host()
        return np.array(array, dtype) if copy else np.asarray(array, dtype)

    # Python looks these up in the class, so that __getattr__ is not asked.

    def __int__(self) -> int:
        return int(self.array())

    def __float__(self) -> float:
        return float(self.array())

    def __complex__(self) -> complex:
        return complex(self.array())

    def __bool__(self) -> bool:
        return bool(self.array())

    def __index__(self) -> int:
        return self.array().__index__()

    def __len__(self) -> int:
        return len(self.array())

    def __iter__(self) -> Any:
        return iter(self.array())

    def __getitem__(self, index: Any) -> Any:
        return self.array()[index]

    def __eq__(self, other: object) -> Any:
        """Compare elements, as arrays do; by identity, nobody would notice that none is."""
        return self.array() == other

    __hash__ = None  # pyright: ignore[reportAssignmentType] (how Python spells unhashable)

    def __getattr__(self, name: str) -> Any:
        """Ask JAX's array for whatever else it has: that needs the value."""
        return getattr(self.array(), name)


native.connect(
    DeferredArray=DeferredArray,
    DeferrableOp=DeferrableOp,
    TypedOp=TypedOp,
    Call=Call,
    Form=Form,
    OneDevice=jax.sharding.SingleDeviceSharding,
    call_serials=_serials,
    form_of=form_of,
)


def computed(data: Any) -> Any:
    """Return the payload of a tensor, computed if it was deferred, on a device or on the host."""
    return data.array() if type(data) is DeferredArray else native.materialize(data)
