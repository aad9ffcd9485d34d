"""`gradtape.graph`: looking at the graphs that functions have become."""

from __future__ import annotations

from gradtape.api.export import export
from gradtape.api.functions import Function
from gradtape.engine.trace.show import routine_text


@export("graph.text")
def text(function, *args, optimised: bool = True, **kwargs) -> str:
    """The graph of a `tf.function`, as text: one line for each op.

    With arguments (tensors or specs), the graph for these; without, all graphs that there are.
    `optimised=False` shows the ops as the program asked for them.
    """
    if not isinstance(function, Function):
        raise TypeError(
            f"graph.text: a tf.function is wanted, got {function!r}. Decorate it with @tf.function."
        )
    if args or kwargs or not function._calls.entries:
        concrete = function.get_concrete_function(*args, **kwargs)
        concrete.graph  # noqa: B018 (says why there is none)
        entries = [concrete._traced]
    else:
        entries = list(function._calls.entries.values())
    parts = []
    for entry in entries:
        if entry.routine is None:
            parts.append(f"{function.name} runs eagerly: {entry.reason}")
        else:
            parts.append(routine_text(function.name, entry.routine, optimised=optimised))
    return "\n\n".join(parts)


@export("graph.print")
def print_(function, *args, optimised: bool = True, **kwargs) -> None:
    """Print the graph of a `tf.function` (see `graph.text`)."""
    print(text(function, *args, optimised=optimised, **kwargs))
