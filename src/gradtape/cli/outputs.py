"""What the cells of a notebook print, show and raise, in the format of notebook files."""

from __future__ import annotations

import base64
import contextlib
import io
import sys
from typing import Any

_METHODS = {
    "text/html": "_repr_html_",
    "image/png": "_repr_png_",
    "image/svg+xml": "_repr_svg_",
    "text/latex": "_repr_latex_",
    "text/markdown": "_repr_markdown_",
}

running: CellOutputs | None = None  # those of the cell that is running


class CellOutputs:
    """The outputs of one cell, in order."""

    def __init__(self, count: int) -> None:
        self.count = count  # the number of the cell among those that were run
        self.items: list[dict] = []
        self._printed = sys.stdout  # what is kept apart is not captured again

    def stream(self, name: str, text: str) -> None:
        last = self.items[-1] if self.items else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"] += text
        elif text:
            self.items.append({"output_type": "stream", "name": name, "text": text})

    def display(self, *values, **options) -> None:
        """Keep values as `display` shows them; print them, too."""
        for value in values:
            self._show({"output_type": "display_data", **bundle(value)})

    def result(self, value) -> None:
        """Keep the value of a cell's last expression; print it, too."""
        made = {"output_type": "execute_result", "execution_count": self.count, **bundle(value)}
        self._show(made)

    def _show(self, item: dict) -> None:
        self.items.append(item)
        print(item["data"]["text/plain"], file=self._printed)

    def picture(self, png: bytes) -> None:
        data = {"image/png": base64.b64encode(png).decode(), "text/plain": "<Figure>"}
        self.items.append({"output_type": "display_data", "data": data, "metadata": {}})

    def error(self, error: BaseException, lines: list[str]) -> None:
        self.items.append(
            {
                "output_type": "error",
                "ename": type(error).__name__,
                "evalue": str(error),
                "traceback": [line.rstrip("\n") for line in lines],
            }
        )

    @contextlib.contextmanager
    def capturing(self):
        """Keep what is printed in the block; it is printed all the same."""
        before = sys.stdout, sys.stderr
        sys.stdout = _Tee(before[0], self, "stdout")
        sys.stderr = _Tee(before[1], self, "stderr")
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before

    def show_figures(self) -> None:
        """Keep the figures of matplotlib that are open, and close them, as notebooks do."""
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        for number in pyplot.get_fignums():
            png = io.BytesIO()
            pyplot.figure(number).savefig(png, format="png", bbox_inches="tight")
            self.picture(png.getvalue())
        pyplot.close("all")


class _Tee(io.TextIOBase):
    """Writes to a stream, and to the outputs of a cell."""

    def __init__(self, stream, outputs: CellOutputs, name: str) -> None:
        self._stream, self._outputs, self._name = stream, outputs, name

    def write(self, text: str) -> int:
        self._outputs.stream(self._name, text)
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return False

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] (it is one)
        return self._stream.encoding


def bundle(value) -> dict:
    """Return a value in all forms that it has for notebooks: text, HTML, pictures."""
    data: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    whole = getattr(value, "_repr_mimebundle_", None)
    if callable(whole) and not isinstance(value, type):
        made: Any = whole(include=None, exclude=None)
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
    elif not isinstance(value, type):
        for kind, name in _METHODS.items():
            method = getattr(value, name, None)
            shown = method() if callable(method) else None
            if shown is not None:
                data[kind] = shown
        if hasattr(value, "savefig"):  # a figure of matplotlib
            png = io.BytesIO()
            value.savefig(png, format="png", bbox_inches="tight")
            data["image/png"] = png.getvalue()
    data = {
        kind: base64.b64encode(shown).decode() if isinstance(shown, bytes) else shown
        for kind, shown in data.items()
    }
    data.setdefault("text/plain", repr(value))
    return {"data": data, "metadata": metadata}
