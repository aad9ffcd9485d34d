"""Text for people: tables, drawn by rich where it is installed and stdout is a terminal, and as
HTML in notebooks; files."""

from __future__ import annotations

import dataclasses
import io
import os
import sys
import textwrap
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

_SHOWN = 12  # shares of a total


@dataclasses.dataclass(frozen=True)
class Table:
    """A table. Columns whose title begins with ">" are aligned to the right."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    notes: str = ""

    def __str__(self) -> str:
        drawn = _rich(self.title, self.columns, self.rows, self.notes)
        return drawn or _plain(self.title, self.columns, self.rows, self.notes)

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        align = ["right" if c.startswith(">") else "left" for c in self.columns]

        def row(kind: str, cells: list[str]) -> str:
            parts = [
                f'<{kind} style="text-align:{side}">{escape(cell)}</{kind}>'
                for cell, side in zip(cells, align, strict=True)
            ]
            return f"<tr>{''.join(parts)}</tr>"

        head = row("th", [c.lstrip(">") for c in self.columns])
        notes = f"<p>{escape(self.notes)}</p>" if self.notes else ""
        body = "".join(row("td", cells) for cells in self.rows)
        return (
            f"<p><b>{escape(self.title)}</b></p><table><thead>{head}</thead>"
            f"<tbody>{body}</tbody></table>{notes}"
        )


class Report:
    """What is shown as tables: as text, and as HTML in notebooks."""

    def tables(self) -> list[Table]:
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.tables()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the report for notebooks."""
        return "".join(table._repr_html_() for table in self.tables())


def tables_of_shares(
    title: str,
    columns: dict[str, Callable[[Any], str]],
    by_line: list,
    by_op: list,
    by_layer: list,
    note: str = "",
) -> list[Table]:
    """Return the tables of a total by line, kind of op and layer; `columns` show it of a share."""

    def cells(share: Any) -> list[str]:
        return [*[show(share) for show in columns.values()], str(share.ops)]

    heads = [*columns, ">ops"]
    lines = [
        [*cells(s), str(s.location), shorten(s.location.text if s.location else "")]
        for s in by_line[:_SHOWN]
    ]
    more = len(by_line) - _SHOWN
    notes = [f"and {more} more lines" if more > 0 else "", note]
    tables = [Table(title, [*heads, "line", "code"], lines, "\n".join(filter(None, notes)))]
    for kind, shares in (("op", by_op), ("layer", by_layer)):
        rows = [[*cells(s), s.name] for s in shares[:_SHOWN]]
        if rows or kind == "op":
            tables.append(Table(f"By {kind}", [*heads, kind], rows))
    return tables


def table(title: str, columns: list[str], rows: list[list[str]], notes: str = "") -> str:
    """Return a table as text. Columns whose title begins with ">" are aligned to the right."""
    return str(Table(title, columns, rows, notes))


def framed(page: str, height: int) -> str:
    """Return a whole page inside a frame, for notebooks."""
    return (
        f'<iframe srcdoc="{escape(page)}" width="100%" height="{height}" '
        'style="border:1px solid #8886" sandbox="allow-scripts"></iframe>'
    )


def text_html(text: str, kind: str = "") -> str:
    """Return a text for notebooks: its first line as a headline, the rest as it is."""
    headline, _, rest = text.partition("\n")
    color = {"bad": "#c5221f", "good": "#2e7d32"}.get(kind, "#8886")
    body = f'<pre style="margin:4px 0;font-family:monospace">{escape(rest)}</pre>' if rest else ""
    return (
        f'<div style="border-left:3px solid {color};padding:2px 10px;margin:4px 0">'
        f"<b>{escape(headline)}</b>{body}</div>"
    )


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
    drawn = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        justify = "right" if column.startswith(">") else "left"
        drawn.add_column(column.lstrip(">"), justify=justify, overflow="fold")
    for row in _fit_columns(columns, rows, _width()):
        drawn.add_row(*[Text(cell) for cell in row])
    out = io.StringIO()
    Console(file=out, force_terminal=True, width=_width()).print(drawn)
    return "\n".join([title, out.getvalue().rstrip(), *([notes] if notes else [])])


def _fit_columns(columns: list[str], rows: list[list[str]], width: int) -> list[list[str]]:
    """Return the rows with code shortened to the width: its location stands beside it."""
    if "code" not in columns:
        return rows
    at = columns.index("code")
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    room = max(10, width - 3 * (len(columns) - 1) - sum(widths[:at] + widths[at + 1 :]))
    return [[*row[:at], shorten(row[at], room), *row[at + 1 :]] for row in rows]


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


def in_seconds(seconds: float) -> str:
    """Format a duration."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def write_text(text: str, path, asked: str) -> str:
    """Write the text to a file if a path is given, and return it."""
    if path is None:
        return text
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(
            f"tape.{asked}: the path must be a file name, got a value of type "
            f"{type(path).__name__}."
            + (" The target goes second: tape.to_html(path, target)." if asked == "to_html" else "")
        )
    Path(path).write_text(text, encoding="utf-8")
    return text


def wrap(text: str) -> list[str]:
    """Wrap a text as indented lines."""
    return textwrap.wrap(
        text,
        98,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def shorten(text: str, length: int = 48) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
