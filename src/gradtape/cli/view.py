"""`gradtape view`: runs a program and writes a page that shows one of its tapes."""

from __future__ import annotations

import functools
import os
import sys

from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.engine.recording import Recording
from gradtape.engine.tape import GradientTape
from gradtape.explain.page.write import read_page, to_html


def view(
    program: str, arguments: list[str], output: str, call: int, compare: str | None = None
) -> int:
    """Run a program, and write the page for its `call`-th gradient; the exit code."""
    from gradtape.api.function.mode import run_functions_eagerly
    from gradtape.cli.run import run

    folder = os.path.dirname(output) or "."
    if not os.path.isdir(folder) or os.path.isdir(output) or not output:
        what = f"{output!r} is a folder" if os.path.isdir(output) else f"no folder {folder!r}"
        what = what if output else "the name of the page is empty"
        print(f"gradtape view: --output: {what}. Name a file to write.", file=sys.stderr)
        return 2
    if compare is not None:
        try:
            read_page(compare)
        except ValueError as error:
            print(f"gradtape view: --compare: {error}", file=sys.stderr)
            return 2
    run_functions_eagerly(True)  # a compiled function would be a single op
    seen = [0]
    written = [False]
    original = GradientTape.gradient

    @functools.wraps(original)
    def gradient(self, target, sources, *args, **kwargs):
        seen[0] += 1
        if seen[0] == call and self._recording is not None:
            written[0] = _write(self._recording, target, sources, output, call, compare)
        return original(self, target, sources, *args, **kwargs)

    GradientTape.gradient = gradient
    code = None
    try:
        code = run(program, arguments)
        return code or int(not written[0])
    finally:
        if code != 2 and seen[0] < call:
            took = "no gradient" if not seen[0] else f"{seen[0]} gradient" + "s" * (seen[0] > 1)
            asked = f", and call {call} was asked for" if call > 1 else ""
            print(
                f"gradtape view: no page was written: the program took {took}{asked}.",
                file=sys.stderr,
            )


def _write(
    recording: Recording, target, sources, output: str, call: int, compare: str | None
) -> bool:
    """Write the page, and say so; whether that was done."""
    note = ""
    slots = [recording.slot_of(t) for t in nest.flatten(target) if isinstance(t, Tensor)]
    if all(slot is None for slot in slots):
        note = (
            " No gradient reaches this target: the page shows everything on the tape, and at its "
            "top why."
        )
    try:
        to_html(recording, output, target, sources, compare, call)
    except OSError as error:
        print(f"gradtape view: no page was written: {error}", file=sys.stderr)
        return False
    print(
        f"gradtape view: wrote {output}, the tape of gradient call {call}.{note}", file=sys.stderr
    )
    return True
