"""`gradtape.graph`: prints the graphs of functions."""

from __future__ import annotations

from gradtape.api.export import export
from gradtape.api.function.function import Function
from gradtape.graph.show import routine_text


@export("graph.text")
def text(function, *args, optimized: bool = True, **kwargs) -> str:
    """Return the graph of a `tf.function` as text: one line for each op.

    With arguments (tensors or specs), the graph for these; without, all graphs traced so far.
    `optimized=False` shows the ops as the program called them.
    """
    if not isinstance(function, Function):
        raise TypeError(
            f"graph.text: a tf.function is wanted, got {function!r}. Decorate it with @tf.function."
        )
    if args or kwargs or not function._cache.entries:
        concrete = function.get_concrete_function(*args, **kwargs)
        concrete.graph  # noqa: B018 (raises if there is none)
        entries = [concrete._latest_entry]
    else:
        entries = list(function._cache.entries.values())
    parts = []
    for entry in entries:
        if entry.routine is None:
            parts.append(f"{function.name} runs eagerly: {entry.reason}")
        else:
            parts.append(routine_text(function.name, entry.routine, optimized=optimized))
    return "\n\n".join(parts)


@export("graph.print")
def print_(function, *args, optimized: bool = True, **kwargs) -> None:
    """Print the graph of a `tf.function` (see `graph.text`)."""
    print(text(function, *args, optimized=optimized, **kwargs))
