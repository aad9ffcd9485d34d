"""The recording as a graph: in the language of Graphviz, and drawn as SVG without it."""

from __future__ import annotations

import dataclasses
from html import escape

from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable
from gradtape.explain.listing import result_text, value_name
from gradtape.explain.paths import RecordingGraph
from gradtape.explain.tables import shorten, write_text

# Above this number of ops, those of one line that follow each other become one box.
_MAX_BOXES = 300
# A watched value that is used again after so many ops is drawn again, near that use.
_FAR = 5
_LETTER, _HEIGHT, _GAP, _ROW = 6.6, 36, 18, 66


@dataclasses.dataclass
class Box:
    """A node of the drawing."""

    title: str
    below: str
    tip: str
    is_leaf: bool = False
    parents: list[int] = dataclasses.field(default_factory=list)
    rank: int = 0
    x: float = 0.0

    @property
    def width(self) -> float:
        return max(len(self.title), len(self.below)) * _LETTER + 20


def boxes(recording: Recording) -> list[Box]:
    """Return what to draw: watched values, and ops (of a long record, lines)."""
    graph = RecordingGraph(recording)
    drawn: list[Box] = []
    of_slot: dict[int, int] = {}
    used_last: dict[int, int] = {}  # the op that used a watched value last
    fold = len(graph.ops) > _MAX_BOXES
    last_line, count = None, 0
    for op in graph.ops:
        location = op.location
        line = (location.file, location.line)
        for s in op.inputs:
            if s in graph.names and not (fold and line == last_line):
                if op.index - used_last.get(s, -_FAR) >= _FAR:
                    of_slot[s] = len(drawn)
                    drawn.append(_leaf(graph, s))
                used_last[s] = op.index
        if fold and line == last_line:
            box, number = drawn[-1], len(drawn) - 1
            count += 1
            box.below = f"{count} ops {result_text(graph, op)}"
        else:
            number, count = len(drawn), 1
            title = f"{location.file.rsplit('/', 1)[-1]}:{location.line}" if fold else op.name
            box = Box(title, result_text(graph, op), f"{location}\n{location.text}")
            drawn.append(box)
        last_line = line
        for s in op.inputs:
            parent = of_slot.get(s)
            if parent is not None and parent != number and parent not in box.parents:
                box.parents.append(parent)
        for s in op.outputs:
            of_slot[s] = number
    return drawn


def _leaf(graph: RecordingGraph, slot: int) -> Box:
    x = graph.names[slot]
    kind = "variable" if isinstance(x, Variable) else "watched"
    return Box(value_name(graph, slot), f"{kind} {list(x.shape)}", "", is_leaf=True)


def to_dot(recording: Recording, path=None) -> str:
    """Return the graph for Graphviz: `dot -Tsvg`. Also written to `path` if given."""
    lines = ["digraph tape {", "  node [shape=box, fontname=monospace, fontsize=10];"]
    for i, box in enumerate(boxes(recording)):
        style = ", style=rounded" if box.is_leaf else ""
        label = _quote(f"{box.title}\\n{box.below}")
        lines.append(f"  n{i} [label={label}, tooltip={_quote(box.tip)}{style}];")
        lines += [f"  n{parent} -> n{i};" for parent in box.parents]
    return write_text("\n".join([*lines, "}"]) + "\n", path, "to_dot")


def _quote(text: str) -> str:
    return '"' + text.replace('"', '\\"').replace("\n", "\\n") + '"'


def to_svg(recording: Recording, path=None) -> str:
    """Return the graph as an SVG image, from the watched values at the top to the results below.

    Also written to `path` if given.
    """
    all_boxes = boxes(recording)
    width, height = _lay_out(all_boxes)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="monospace" font-size="11">',
        "<style>.op{fill:#eef3fb;stroke:#5b7db1}.leaf{fill:#fdf3dc;stroke:#b58a2a}"
        ".line{fill:none;stroke:#8795a8}.below{fill:#5c6773;font-size:10px}text{fill:#1d2530}"
        "@media(prefers-color-scheme:dark){.op{fill:#22304a}.leaf{fill:#443712}"
        ".below{fill:#a7b2c0}text{fill:#e8edf3}}</style>",
    ]
    parts += [_edge(all_boxes[parent], box) for box in all_boxes for parent in box.parents]
    for box in all_boxes:
        left, top = box.x - box.width / 2, box.rank * _ROW + 10
        kind, radius = ("leaf", 12) if box.is_leaf else ("op", 3)
        parts.append(
            f"<g><title>{escape(box.tip or box.title)}</title>"
            f'<rect class="{kind}" x="{left:.1f}" y="{top}" width="{box.width:.1f}" '
            f'height="{_HEIGHT}" rx="{radius}"/>'
            f'<text x="{box.x:.1f}" y="{top + 15}" text-anchor="middle">{escape(box.title)}</text>'
            f'<text class="below" x="{box.x:.1f}" y="{top + 29}" text-anchor="middle">'
            f"{escape(shorten(box.below, 60))}</text></g>"
        )
    return write_text("\n".join([*parts, "</svg>"]) + "\n", path, "to_svg")


def _edge(start: Box, end: Box) -> str:
    y1, y2 = start.rank * _ROW + 10 + _HEIGHT, end.rank * _ROW + 10
    middle = (y1 + y2) / 2
    return (
        f'<path class="line" d="M{start.x:.1f} {y1} C{start.x:.1f} {middle:.1f} '
        f'{end.x:.1f} {middle:.1f} {end.x:.1f} {y2}"/>'
    )


def _lay_out(all_boxes: list[Box]) -> tuple[float, float]:
    """Lay boxes out in rows by their longest path from the top, near what they are
    computed from."""
    if not all_boxes:
        return 40.0, 40.0
    children: dict[int, list[int]] = {}
    for i, box in enumerate(all_boxes):
        box.rank = 1 + max((all_boxes[p].rank for p in box.parents), default=-1)
        for p in box.parents:
            children.setdefault(p, []).append(i)
    for i, box in enumerate(all_boxes):
        if box.is_leaf and i in children:  # a watched value stands just above its first use
            box.rank = max(0, min(all_boxes[c].rank for c in children[i]) - 1)
    rows: dict[int, list[Box]] = {}
    for box in all_boxes:
        rows.setdefault(box.rank, []).append(box)
    widest = max(sum(b.width + _GAP for b in row) for row in rows.values()) + _GAP
    for rank in sorted(rows):
        row = rows[rank]
        row.sort(key=lambda b: _mean([all_boxes[p].x for p in b.parents], widest / 2))
        total = sum(b.width + _GAP for b in row) - _GAP
        wanted = _mean([_mean([all_boxes[p].x for p in b.parents], widest / 2) for b in row], 0)
        left = min(max(wanted - total / 2, _GAP), widest - _GAP - total)
        for box in row:
            box.x = left + box.width / 2
            left += box.width + _GAP
    return widest, (max(rows) + 1) * _ROW


def _mean(numbers: list[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise
