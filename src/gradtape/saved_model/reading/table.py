"""The table of TensorFlow's ops: by name, a function of gradtape that does the same.

    rows(Sqrt="sqrt", Conj="math.conj")          # public functions of the inputs

    @op("Cumsum", "Cumprod")
    def cumulative(x, axis, *, exclusive=False, reverse=False): ...

Inputs come by position, attributes by keyword, with TensorFlow's defaults: a SavedModel leaves out
attributes that have them. An attribute that is a function comes as one of a list of values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape.api.export import lookup


class Row:
    """An op: the function, the attributes that it takes, the names of its outputs."""

    __slots__ = ("attributes", "call", "outputs")

    def __init__(self, call: Callable, outputs: str) -> None:
        self.call = call
        code = getattr(call, "__code__", None)
        count = 0 if code is None else code.co_argcount
        self.attributes: tuple[str, ...] = (
            () if code is None else code.co_varnames[count : count + code.co_kwonlyargcount]
        )
        self.outputs = outputs.split()

    def output_index(self, name: str, index: int) -> int:
        """Return which of all results `node:name:index` is."""
        return index + (self.outputs.index(name) if name in self.outputs else 0)


TABLE: dict[str, Row] = {}


def op(*names: str, outputs: str = "") -> Callable[[Callable], Callable]:
    """Register what ops of these names do; `outputs` are their names, where there are several."""

    def register(call: Callable) -> Callable:
        for name in names:
            if name in TABLE:
                raise ValueError(f"the op {name} is in the table twice")
            TABLE[name] = Row(call, outputs)
        return call

    return register


def rows(**public_names: str) -> None:
    """Register ops that are public functions of their inputs."""
    for name, public in public_names.items():
        op(name)(_public(public))


def _public(name: str) -> Callable:
    def call(*inputs: Any) -> Any:
        return lookup(name)(*inputs)

    return call
