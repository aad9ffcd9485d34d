"""`Text`: the docstring of a public function or class, completed by the first who asks for it."""

from __future__ import annotations

from types import FunctionType


class Text(str):
    """A docstring. `inspect.getdoc`, and so `help` and notebooks, get the completed one.

    They expand its tabs before anything else. That is the one thing of theirs that a text can
    answer for itself, and completing all docstrings when they are made would cost every program
    time that hardly any needs.
    """

    __slots__ = ("name", "value")
    name: str
    value: object

    def expandtabs(self, tabsize: int = 8) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] (by keyword, too)
        from gradtape.api.documentation.compose import completed

        return completed(self.name, self.value, str.expandtabs(self, tabsize))


def give_text(name: str, value: object) -> None:
    """Make the docstring of a public function or class one that is completed when asked for."""
    if not isinstance(value, (FunctionType, type)) or not value.__module__.startswith("gradtape."):
        return
    written = value.__doc__ if isinstance(value, FunctionType) else vars(value).get("__doc__")
    if isinstance(written, Text) and written.value is value:
        return  # it has a public name already
    if not isinstance(written, str):
        return
    text = Text(written)
    text.name, text.value = name, value
    value.__doc__ = text
