"""`Text`: the docstring of a public function or class, completed when it is first asked for."""

from __future__ import annotations

from types import FunctionType


class Text(str):
    """A docstring. `inspect.getdoc`, and so `help` and notebooks, get the completed one.

    They call `expandtabs` of it before anything else: the one step of theirs that a string can
    answer for itself (`__doc__` of a function has to be a `str`). To complete all docstrings when
    they are made would take a third of the time of `import gradtape` (663 of them 0.3 s, beside
    1.0 s), which hardly any program needs; to write them completed into the sources would state
    what a parameter means in each of its functions. If a later Python does not call `expandtabs`,
    `help` shows the docstring as it is written.
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
