"""The command `gradtape`: what it understands, and where that is done."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from gradtape.cli import inspection, jobs
from gradtape.cli.arguments import CommandParser, add_command, add_program

PROGRAM = "gradtape"

EXAMPLES = f"""\
examples:
  gradtape run train.py                    run a program written for TensorFlow
  gradtape run train.py --epochs 3         options that gradtape does not have are the program's
  gradtape run tutorial.ipynb              run the code cells of a notebook
{inspection.EXAMPLES.rstrip()}
{jobs.EXAMPLES.rstrip()}
  gradtape doctor                          what is installed, and does it work
"""

RUN_TEXT = """\
Run a program that says `import tensorflow as tf`, unchanged and without TensorFlow. gradtape stands
in for TensorFlow in the program and in its own modules, and in libraries that are made for
TensorFlow, in this process and in those that it starts with the same Python; other installed
packages see no TensorFlow. Everything else is as with `python program.py`: the arguments, the exit
code, what is printed.
"""

RUN_EXAMPLES = """\
examples:
  gradtape run train.py
  gradtape run train.py --epochs 3 --help  both options are train.py's
  gradtape run train.py -- --serve 8080    so is everything after --
  gradtape run tutorial.ipynb              cells in order; lines with ! and % are left out
  gradtape run tutorial.ipynb -o out.ipynb the same, and keeps what the cells print and show
  gradtape run --serve mylib train.py      mylib, which is installed, gets gradtape as TensorFlow;
                                           or [tool.gradtape] serve = ["mylib"] in pyproject.toml
  python -m gradtape run train.py          the same, with a Python of your choice

exit codes:
  the program's own; 1 when it ends with an error or needs something that gradtape does not have;
  2 when there is no such program
"""


def parser() -> CommandParser:
    """Return the parser of the command line."""
    top = CommandParser(
        prog=PROGRAM,
        description="Automatic differentiation with TensorFlow 2's GradientTape API, on NumPy.",
        epilog=EXAMPLES,
    )
    top.add_argument("--version", action="store_true", help="print the version and stop")
    commands = top.add_subparsers(title="commands", dest="command", metavar="COMMAND")

    run = add_command(
        commands,
        "run",
        "run a program or a notebook that was written for TensorFlow",
        RUN_TEXT,
        RUN_EXAMPLES,
    )
    run.add_argument(
        "--full-traceback",
        action="store_true",
        help="show gradtape's own frames too, when the program ends with an error",
    )
    run.add_argument(
        "--serve",
        metavar="NAME",
        action="append",
        default=[],
        help="an installed package, made for TensorFlow, that gets gradtape instead (repeatable)",
    )
    run.add_argument(
        "--output",
        "-o",
        metavar="NOTEBOOK",
        help="write the notebook that is run to this file, with the outputs of its cells",
    )
    run.for_notebooks = frozenset(["output"])
    add_program(run)

    inspection.add_commands(commands)
    jobs.add_commands(commands)

    add_command(
        commands,
        "doctor",
        "show versions, devices and what is accelerated; compute one gradient",
        "Show what is installed, what computes here, and compute one gradient.",
        "exit codes:\n  0 when everything that gradtape needs is there and works, else 1",
    )
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    understood = parser()
    chosen = understood.parse_args(arguments)
    if chosen.version:
        import gradtape

        print(f"{PROGRAM} {gradtape.__version__}")
        return 0
    if chosen.command == "run":
        from gradtape.cli.run import run

        return run(
            chosen.program,
            chosen.arguments,
            serve=chosen.serve,
            full_traceback=chosen.full_traceback,
            output=chosen.output,
        )
    if hasattr(chosen, "do"):
        return chosen.do(chosen)
    if chosen.command == "doctor":
        from gradtape.cli.doctor import doctor

        return doctor()
    understood.print_help(sys.stderr)
    return 2
