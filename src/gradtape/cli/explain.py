"""`gradtape explain`: run a program, and report why each gradient that is None is None."""

from __future__ import annotations

import functools
import inspect
import sys
import warnings

from gradtape.engine.tape import GradientTape, UnconnectedGradients


def explain(program: str, arguments: list[str]) -> int:
    """Run a program with explanations; its exit code."""
    from gradtape.cli.run import run
    from gradtape.explain.origins import track_origins
    from gradtape.explain.why_none import NoGradientWarning

    reported: set[str] = set()
    calls = [0]
    _ask_for_reasons(calls)
    show = warnings.showwarning

    def report(message, category, filename, lineno, file=None, line=None):
        if not issubclass(category, NoGradientWarning):
            show(message, category, filename, lineno, file, line)
        elif str(message) not in reported:  # a loop warns of the same thing every time
            reported.add(str(message))
            print(f"gradtape explain: {message}\n", file=sys.stderr)

    warnings.showwarning = report
    warnings.simplefilter("always", NoGradientWarning)
    track_origins(True)
    code = None
    try:
        code = run(program, arguments)
        return code
    finally:
        if code == 2:
            pass  # there was nothing to run, and that was said
        elif calls[0] and not reported:
            print(
                f"gradtape explain: {calls[0]} gradient call{'s' if calls[0] > 1 else ''}, "
                "and no gradient was None.",
                file=sys.stderr,
            )
        elif not calls[0]:
            print("gradtape explain: the program took no gradient.", file=sys.stderr)


def _ask_for_reasons(calls: list[int]) -> None:
    """Let every tape explain its missing gradients, without being asked by the program."""
    for name in ("gradient", "jacobian", "batch_jacobian"):
        setattr(GradientTape, name, _explaining(getattr(GradientTape, name), calls))


def _explaining(original, calls: list[int]):
    signature = inspect.signature(original)

    @functools.wraps(original)
    def asked(*args, **kwargs):
        calls[0] += 1
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return original(*args, **kwargs)  # which says what is wrong
        chosen = bound.arguments.get("unconnected_gradients", UnconnectedGradients.NONE)
        if chosen in (UnconnectedGradients.NONE, "none"):
            bound.arguments["unconnected_gradients"] = UnconnectedGradients.EXPLAIN
        return original(*bound.args, **bound.kwargs)

    return asked
