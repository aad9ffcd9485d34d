"""What a parity case is, and the list of cases that a case module fills."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .inputs import Input

DIFFERENTIABLE = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")


@dataclass(frozen=True)
class Case:
    """One call that both libraries make.

    `function(tf, **inputs)` returns a tensor or a nested tuple, list or dictionary of tensors and
    plain Python values. `rtol` and `atol` replace the tolerances that follow from the dtypes;
    `exact` asks for the very same bits. Where TensorFlow's own kernels for the CPU are incomplete,
    `reference` says the same thing in words that it can run; the golden values come from that.
    `needs` is an optional package of gradtape's without which the case is skipped.
    """

    name: str
    function: Callable[..., Any]
    inputs: dict[str, Input]
    differentiated: tuple[str, ...]
    variables: tuple[str, ...] = ()
    rtol: float | None = None
    atol: float | None = None
    exact: bool = False
    reference: Callable[..., Any] | None = None
    needs: str = ""


class CaseList:
    """The cases of one module, in the order in which they were written."""

    def __init__(self) -> None:
        self._cases: dict[str, Case] = {}

    def __call__(
        self,
        name: str,
        function: Callable[..., Any],
        /,
        *,
        wrt: str | None = None,
        variables: str = "",
        rtol: float | None = None,
        atol: float | None = None,
        exact: bool = False,
        reference: Callable[..., Any] | None = None,
        needs: str = "",
        **inputs: Input,
    ) -> None:
        """Add a case.

        `wrt` names the inputs that are differentiated, separated by spaces (all inputs of a
        floating or complex dtype unless told); `variables` those that are passed as variables.
        """
        if name in self._cases:
            raise ValueError(f"There are two cases named {name!r} in this module.")
        if wrt is None:
            differentiated = [n for n, given in inputs.items() if given.dtype in DIFFERENTIABLE]
        else:
            differentiated = wrt.split()
        unknown = {*differentiated, *variables.split()} - inputs.keys()
        if unknown:
            raise ValueError(f"Case {name!r} has no input named {sorted(unknown)}.")
        self._cases[name] = Case(
            name=name,
            function=function,
            inputs=inputs,
            differentiated=tuple(differentiated),
            variables=tuple(variables.split()),
            rtol=rtol,
            atol=atol,
            exact=exact,
            reference=reference,
            needs=needs,
        )

    def __iter__(self) -> Iterator[Case]:
        return iter(self._cases.values())

    def __getitem__(self, name: str) -> Case:
        return self._cases[name]

    def __len__(self) -> int:
        return len(self._cases)


def resolve(tf: Any, path: str) -> Any:
    """The public function of that dotted name, such as `math.sin`."""
    result = tf
    for part in path.split("."):
        result = getattr(result, part)
    return result


def call(path: str, *extra: Any, **options: Any) -> Callable[..., Any]:
    """A case function: the named function of all inputs in order, then of the extra arguments."""

    def function(tf: Any, **inputs: Any) -> Any:
        return resolve(tf, path)(*inputs.values(), *extra, **options)

    return function


def numpy(name: str, *extra: Any, **options: Any) -> Callable[..., Any]:
    """A case function: `call` for a function of `tf.experimental.numpy`."""
    return call(f"experimental.numpy.{name}", *extra, **options)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reference that TensorFlow compiles: its compiler knows what its CPU kernels do not."""

    def reference(tf: Any, **inputs: Any) -> Any:
        # Positional arguments, because tracing sorts the named ones.
        def traced(*given: Any) -> Any:
            return function(tf, **dict(zip(inputs, given, strict=True)))

        return tf.function(traced, jit_compile=True, autograph=False)(*inputs.values())

    return reference


def with_numpy_methods(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reference during which TensorFlow's tensors have the method that some functions of
    `tf.experimental.numpy` need: they get it for good, and others with it, only when asked."""

    def reference(tf: Any, **inputs: Any) -> Any:
        tf.Tensor.astype = tf.cast
        try:
            return function(tf, **inputs)
        finally:
            del tf.Tensor.astype

    return reference
