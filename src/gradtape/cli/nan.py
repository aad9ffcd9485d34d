"""`gradtape nan`: run a program, and stop where its first nan begins."""

from __future__ import annotations

import sys

from gradtape.explain.nan_hunt import Hunter
from gradtape.explain.nonfinite import NonFiniteFinding
from gradtape.explain.watchdog import watching


class _NanFound(SystemExit):
    """Ends the program, whatever errors it catches."""


def nan(program: str, arguments: list[str], stops_at_inf: bool) -> int:
    """Run a program until an op makes a nan; return the exit code."""
    from gradtape.cli.run import run

    def report(finding: NonFiniteFinding, before: NonFiniteFinding | None) -> None:
        sys.stdout.flush()
        print(f"gradtape nan: {finding}", file=sys.stderr)
        if before is not None:
            print(f"It began with an infinity: {before}", file=sys.stderr)
        raise _NanFound(1)

    hunter = Hunter(report, stops_at_inf)
    what = "inf or nan" if stops_at_inf else "nan"
    try:
        with watching(hunter):
            code = run(program, arguments)
    except _NanFound:
        raise
    except SystemExit:
        print(_nothing_found(hunter, what), file=sys.stderr)
        raise
    if code != 2:
        print(_nothing_found(hunter, what), file=sys.stderr)
    return code


def _nothing_found(hunter: Hunter, what: str) -> str:
    text = f"gradtape nan: none of {hunter.ops} ops made a value that is {what}."
    if hunter.infinity is None:
        return text
    return f"{text} `{hunter.infinity.op}` made an inf first:\n{hunter.infinity}"
