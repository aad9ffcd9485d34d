"""Tables in the terminal: drawn by rich where it is installed and stdout is a terminal."""

from __future__ import annotations

import io
import sys


def table(title: str, columns: list[str], rows: list[list[str]], notes: str = "") -> str:
    """A table as text. Columns whose title begins with ">" are aligned to the right."""
    return _rich(title, columns, rows, notes) or _plain(title, columns, rows, notes)


def _rich(title: str, columns: list[str], rows: list[list[str]], notes: str) -> str:
    if not getattr(sys.stdout, "isatty", lambda: False)():
        return ""
    try:
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        return ""
    drawn = Table(title=title, caption=notes or None, box=box.SIMPLE_HEAD, title_justify="left")
    for column in columns:
        justify = "right" if column.startswith(">") else "left"
        drawn.add_column(column.lstrip(">"), justify=justify, overflow="fold")
    for row in rows:
        drawn.add_row(*[Text(cell) for cell in row])
    out = io.StringIO()
    Console(file=out, force_terminal=True, width=_width()).print(drawn)
    return out.getvalue().rstrip()


def _width() -> int:
    import shutil

    return max(60, shutil.get_terminal_size((100, 20)).columns)


def _plain(title: str, columns: list[str], rows: list[list[str]], notes: str) -> str:
    titles = [c.lstrip(">") for c in columns]
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    right = [c.startswith(">") for c in columns]

    def line(cells: list[str]) -> str:
        parts = [
            c.rjust(w) if is_right else c.ljust(w)
            for c, w, is_right in zip(cells, widths, right, strict=True)
        ]
        return "  ".join(parts).rstrip()

    lines = [title, line(titles), line(["-" * w for w in widths]), *map(line, rows)]
    return "\n".join([*lines, notes] if notes else lines)


def in_bytes(count: float) -> str:
    """A number of bytes, as people read it."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError


def in_seconds(seconds: float) -> str:
    """A duration, as people read it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def shortened(text: str, length: int = 48) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
