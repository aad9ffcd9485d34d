"""`print(tape)`: the recording as a table, one op per row."""

from __future__ import annotations

from gradtape.core.brief import in_bytes
from gradtape.engine.recording import Recording
from gradtape.engine.variable import Variable
from gradtape.explain.memory import measure
from gradtape.explain.paths import RecordedOp, RecordingGraph
from gradtape.explain.tables import shorten, table

_FIRST, _LAST = 30, 10


def title(recording: Recording) -> str:
    """Return how much a tape has recorded, in a line."""
    watched = len(RecordingGraph(recording).names)
    return (
        f"<tf.GradientTape: {len(recording.entries)} ops, {watched} watched, keeps "
        f"{in_bytes(measure(recording).total_bytes)}>"
    )


def listing(recording: Recording) -> str:
    """Return the ops in the order they ran; of a long record, the first and the last."""
    graph = RecordingGraph(recording)
    memory = measure(recording)
    watched = [value_name(graph, slot) for slot in graph.names]
    text = title(recording)
    if watched:
        text += f"\nwatches {', '.join(watched[:8])}" + (" …" if len(watched) > 8 else "")
    if not graph.ops:
        return text
    in_layers = any(op.layer for op in graph.ops)
    shown = graph.ops
    skipped = len(shown) - _FIRST - _LAST
    rows = []
    if skipped > 0:
        shown = [*shown[:_FIRST], *shown[-_LAST:]]
    for op in shown:
        kept = memory.by_index[op.index]
        rows.append(
            [
                str(op.index),
                op.name,
                ", ".join(value_name(graph, s) for s in op.inputs[:4])
                + (" …" if len(op.inputs) > 4 else ""),
                result_text(graph, op),
                in_bytes(kept) if kept else "",
                *([op.layer] if in_layers else []),
                str(op.location),
                shorten(op.location.text, 40),
            ]
        )
        if skipped > 0 and op.index == _FIRST - 1:
            rows.append(["…", f"({skipped} more)", *[""] * (len(rows[0]) - 2)])
    layer = ["layer"] if in_layers else []
    return table(text, [">#", "op", "inputs", "result", ">kept", *layer, "line", "code"], rows)


def value_name(graph: RecordingGraph, slot: int) -> str:
    """Return a value in a few letters: a variable's name, the number of the op that made it, or
    const."""
    if slot < 0:
        return "const"
    if slot in graph.names:
        x = graph.names[slot]
        if isinstance(x, Variable):
            return graph.name_in_layer(x) or x.name.removesuffix(":0")
        return f"tensor{list(x.shape)}"
    producer = graph.producers.get(slot)
    return "?" if producer is None else f"#{producer.index}"


def result_text(graph: RecordingGraph, op: RecordedOp) -> str:
    """Return the shapes of an op's results."""
    return ", ".join(str(list(graph.shapes[s])) for s in op.outputs)
