"""Programs as lists of statements, which a minimizer can take apart and a person can run."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field, replace

HEADER = """\
import sys

import numpy as np

if sys.argv[1:] == ["gradtape"]:
    import gradtape as tf
else:
    import tensorflow as tf
"""

# How the values of an array are drawn. (Ties and zeros meet kinks; special values meet overflow.)
STYLES = {
    "uniform": "np.random.RandomState({seed}).uniform(-2, 2, {shape})",
    "positive": "np.random.RandomState({seed}).uniform(0.1, 2, {shape})",
    "inside": "np.random.RandomState({seed}).uniform(-0.9, 0.9, {shape})",
    "integers": "np.random.RandomState({seed}).randint(-3, 4, {shape})",
    "naturals": "np.random.RandomState({seed}).randint(0, 4, {shape})",
    "special": "np.resize([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e30, 1e-30], {shape})",
    "ones": "np.ones({shape})",
}


@dataclass(frozen=True)
class Statement:
    """One statement: the name that it defines, its text, and the names that it uses."""

    name: str
    text: str
    uses: tuple[str, ...] = ()
    pure: bool = True  # neither changes a variable nor depends on one

    def render(self) -> str:
        return self.text


@dataclass(frozen=True)
class Array(Statement):
    """A statement that makes an array, whose shape and values can be made simpler."""

    shape: tuple[int, ...] = ()
    dtype: str = "float32"
    style: str = "uniform"
    seed: int = 0

    def render(self) -> str:
        shape = repr(self.shape)
        values = STYLES[self.style].format(seed=self.seed, shape=shape)
        if self.dtype.startswith("complex") and self.style != "ones":
            imaginary = STYLES["uniform"].format(seed=self.seed + 1, shape=shape)
            values = f"{values} + 1j * {imaginary}"
        return f"{self.name} = tf.cast({values}, tf.{self.dtype})"


@dataclass(frozen=True)
class Function(Statement):
    """A function of tensors: statements and the name that it returns."""

    parameters: tuple[str, ...] = ()
    body: tuple[Statement, ...] = field(default=())
    returns: str = ""

    def render(self) -> str:
        lines = [statement.render() for statement in self.body] + [f"return {self.returns}"]
        body = textwrap.indent("\n".join(lines), "    ")
        return f"def {self.name}({', '.join(self.parameters)}):\n{body}"


def program_text(statements) -> str:
    """The program as a file that runs with either module."""
    lines = [statement.render() for statement in statements]
    return "\n".join([HEADER, *lines, f"print({statements[-1].name})"])


def slice_of(statements, names, pure_only: bool = False) -> list[Statement] | None:
    """The statements that `names` depend on, in order; None if one is not pure and must be."""
    wanted, kept = set(names), []
    for statement in reversed(statements):
        if statement.name in wanted or (not statement.pure and wanted & set(statement.uses)):
            if pure_only and not statement.pure:
                return None
            kept.append(statement)
            wanted |= set(statement.uses)
    return kept[::-1]


def renamed(statement: Statement, old: str, new: str) -> Statement:
    """The statement with one name in place of another among those it uses."""
    import re

    changes = {
        "text": re.sub(rf"\b{old}\b", new, statement.text),
        "uses": tuple(new if use == old else use for use in statement.uses),
    }
    return replace(statement, **changes)


def is_well_formed(statements) -> bool:
    """Whether every name is defined before it is used."""
    known: set[str] = set()
    for statement in statements:
        if not set(statement.uses) <= known:
            return False
        if isinstance(statement, Function):
            inner = set(statement.parameters)
            for each in statement.body:
                if not set(each.uses) <= inner:
                    return False
                inner.add(each.name)
            if statement.returns not in inner:
                return False
        known.add(statement.name)
    return True
