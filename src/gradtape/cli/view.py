"""`gradtape view`: runs a program and writes a page that shows one of its tapes."""

from __future__ import annotations

import functools
import sys

from gradtape.engine.tape import GradientTape


def view(program: str, arguments: list[str], output: str, call: int) -> int:
    """Run a program, and write the page for its `call`-th gradient; the exit code."""
    from gradtape.cli.run import run

    seen = [0]
    original = GradientTape.gradient

    @functools.wraps(original)
    def gradient(self, target, *args, **kwargs):
        seen[0] += 1
        if seen[0] == call and self._recording is not None:
            try:
                self.to_html(output, target)
            except (OSError, TypeError, ValueError) as error:
                print(f"gradtape view: no page was written: {error}", file=sys.stderr)
            else:
                print(
                    f"gradtape view: wrote {output}, the tape of gradient call {call}.",
                    file=sys.stderr,
                )
        return original(self, target, *args, **kwargs)

    GradientTape.gradient = gradient
    try:
        code = run(program, arguments)
    finally:
        if seen[0] < call:
            print(
                f"gradtape view: no page was written: the program took {seen[0]} gradients, and "
                f"call {call} was asked for.",
                file=sys.stderr,
            )
    return code or int(seen[0] < call)
