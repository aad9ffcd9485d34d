"""The page as text: its parts put together, with the data of one recording or of two."""

from __future__ import annotations

import json
import os
import re
from html import escape
from pathlib import Path

from gradtape.engine.recording import Recording
from gradtape.explain.page.data import page_data
from gradtape.explain.source import asked_target, calling_frame, short_path
from gradtape.explain.tables import framed, write_text

_FOLDER = Path(__file__).parent
# In the order in which the browser reads them.
_SCRIPTS = "state tree table layout graph timeline compare start".split()
_DATA = re.compile(r'<script id="data" type="application/json">(.*?)</script>', re.DOTALL)
# Shown in a notebook the page is a frame of this height.
_FRAME_HEIGHT = 480
# Above this number of ops a notebook gets the page without times, which take a run to measure.
_MAX_TIMED_OPS = 2000


def to_html(
    recording: Recording,
    path=None,
    target=None,
    sources=None,
    compare=None,
    call: int | None = None,
) -> str:
    """Return the page as text, also written to `path` if given."""
    frame = calling_frame()
    earlier = None if compare is None else read_page(compare)
    title = _title(frame.f_code.co_filename, None if target is None else asked_target(frame), call)
    return write_text(_page(page_data(recording, target, sources, title), earlier), path, "to_html")


def to_frame(recording: Recording) -> str:
    """Return the page inside a frame, for notebooks."""
    data = page_data(recording, timed=len(recording.entries) <= _MAX_TIMED_OPS)
    return framed(_page(data), _FRAME_HEIGHT)


def read_page(path) -> dict:
    """Return the data of a page that was written before."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        match = _DATA.search(text)
        data = json.loads(match[1]) if match else None
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot compare with {os.fspath(path)!r}: {error}") from None
    if not isinstance(data, dict) or "ops" not in data or "layers" not in data:
        raise ValueError(
            f"cannot compare with {os.fspath(path)!r}: it is no page of a tape. Give "
            "a file that tape.to_html or `gradtape view` wrote."
        )
    return data


def _title(file: str, target: str | None, call: int | None) -> str:
    parts = [
        os.path.basename(short_path(file)),
        f"gradient of {target}" if target else "a gradient tape",
    ]
    return ": ".join(parts) + (f" (call {call})" if call is not None else "")


def _page(data: dict, earlier: dict | None = None) -> str:
    def read(name: str) -> str:
        return (_FOLDER / name).read_text(encoding="utf-8").rstrip()

    title = data["title"] or "A gradient tape"
    parts = {
        "TITLE": escape(title),
        "STYLE": read("style.css"),
        "SCRIPT": "\n".join(read(f"{name}.js") for name in _SCRIPTS),
        "DATA": _json(data),
        "EARLIER": _json(earlier),
    }
    # In one pass: no text of the program is taken for a place to fill.
    return re.sub(r"__([A-Z]+)__", lambda match: parts[match[1]], read("template.html")) + "\n"


def _json(data) -> str:
    # No text of the program may end the script that holds it.
    return json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
