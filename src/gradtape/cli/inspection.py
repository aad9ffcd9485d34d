"""The commands that look into a program's gradients: what they understand."""

from __future__ import annotations

from gradtape.cli.arguments import Once, add_command, add_program, count, is_missing

EXAMPLES = """\
  gradtape explain train.py                run it, and say why a gradient is None
  gradtape view train.py                   run it, and write a page that shows its tape
  gradtape nan train.py                    run it, and stop where its first nan begins
  gradtape check model.py:loss             are the derivatives of a function right
"""

_EXPLAIN = """\
Run a program as `gradtape run` does. Whenever a gradient is None, say why: where the path from the
source to the target was lost, and what to do. Lines are known outside of tapes, too; every
tf.function runs eagerly.
"""
_VIEW = """\
Run a program as `gradtape run` does, and write one page, in need of nothing else, that shows the
tape of one of its gradients: every op forward and backward, with shapes, memory, times and the
sizes of gradients. Every tf.function runs eagerly.
"""
_NAN = """\
Run a program as `gradtape run` does, and stop at the first op that makes a nan, forward or
backward: print the op, its line, its layer, what it was given, and what usually helps. Where the
nan came of an infinity, also print where that began. Every op is checked, and every tf.function
runs eagerly.
"""
_CHECK = """\
Compare the derivatives of a function, in reverse and in forward mode, with central differences in
float64. The file is imported, so that what stands under `if __name__ == "__main__"` does not run.
"""


def add_commands(commands) -> None:
    """Add the commands to those of `gradtape`."""
    explain = add_command(
        commands,
        "explain",
        "run a program, and say why gradients are None",
        _EXPLAIN,
        "examples:\n  gradtape explain train.py --epochs 1\n\n"
        "exit codes:\n  those of the program; 2 when there is no such program",
    )
    add_program(explain)
    explain.set_defaults(do=_explain)
    view = add_command(
        commands,
        "view",
        "run a program, and write a page that shows its tape",
        _VIEW,
        "examples:\n  gradtape view train.py\n"
        "  gradtape view train.py --epochs 1 --output step5.html --call 5\n"
        "  gradtape view train.py --output new.html --compare old.html\n"
        "  gradtape view train.py -- --output model.keras   after --, all is train.py's\n\n"
        "exit codes:\n  those of the program; 1 when no page was written; 2 when there is no such "
        "program, or no such folder to write to",
    )
    add_program(view)
    view.add_argument(
        "--output", "-o", action=Once, default="tape.html", help="the page (default: tape.html)"
    )
    view.add_argument(
        "--call",
        action=Once,
        type=count,
        default=1,
        help="which call of tape.gradient (default: the first)",
    )
    view.add_argument(
        "--compare", metavar="PAGE", help="a page written before, to compare this one with"
    )
    view.set_defaults(do=_view)
    nan = add_command(
        commands,
        "nan",
        "run a program, and stop where its first nan begins",
        _NAN,
        "examples:\n  gradtape nan train.py --epochs 1\n"
        "  gradtape nan --inf train.py              stop at the first infinity, too\n\n"
        "exit codes:\n  1 when a nan was found; else those of the program; 2 when there is no such "
        "program",
    )
    add_program(nan)
    nan.add_argument("--inf", action="store_true", help="stop at the first infinity, too")
    nan.set_defaults(do=_nan)
    check = add_command(
        commands,
        "check",
        "compare a function's derivatives with central differences",
        _CHECK,
        "examples:\n  gradtape check model.py:loss\n"
        "  gradtape check model.py:loss --shape 4,3 --order 2\n"
        "  gradtape check model.py:loss --at '[1.0, 2.0]' --at 0.5\n\n"
        "exit codes:\n  0 when they agree, 1 when they do not, 2 when it cannot be checked",
    )
    check.add_argument("function", metavar="FILE:FUNCTION")
    check.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="VALUE",
        help="the value of an argument; once for each (default: random numbers from 0.5 to 1.5)",
    )
    check.add_argument(
        "--shape", default="3", help="the shape of random arguments, '' for a number (default: 3)"
    )
    check.add_argument("--order", type=count, default=1, help="up to which order (default: 1)")
    check.set_defaults(do=_check)


def _explain(chosen) -> int:
    if is_missing("explain", chosen.program):
        return 2
    from gradtape.cli.explain import explain

    return explain(chosen.program, chosen.arguments)


def _view(chosen) -> int:
    if is_missing("view", chosen.program):
        return 2
    from gradtape.cli.view import view

    return view(chosen.program, chosen.arguments, chosen.output, chosen.call, chosen.compare)


def _nan(chosen) -> int:
    if is_missing("nan", chosen.program):
        return 2
    from gradtape.cli.nan import nan

    return nan(chosen.program, chosen.arguments, chosen.inf)


def _check(chosen) -> int:
    from gradtape.cli.check import check

    return check(chosen.function, chosen.at, chosen.shape, chosen.order)
