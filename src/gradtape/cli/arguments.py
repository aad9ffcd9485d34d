"""What the commands have in common: how one is added, and the kinds of arguments they take."""

from __future__ import annotations

import argparse
import math
import os
import sys


class UsageError(Exception):
    """The arguments of a command, or the file they name, are wrong."""


def add_command(commands, name: str, text: str, description: str, epilog: str):
    """Add a command whose description and epilog are printed as they are written."""
    return commands.add_parser(
        name,
        help=text,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_program(command) -> None:
    """Let a command take a program, and everything that follows as the program's own."""
    command.add_argument("program", metavar="PROGRAM", help="a .py or .ipynb file")
    rest = command.add_argument(
        "arguments", metavar="ARGUMENTS", nargs=argparse.REMAINDER, help="what the program is given"
    )
    rest.required = False  # else the message about a missing PROGRAM asks for arguments too


def take_output(chosen: argparse.Namespace) -> None:
    """Take `-o FILE` after a notebook for the command's own: a notebook reads no arguments."""
    if not chosen.program.endswith(".ipynb") or chosen.output is not None:
        return
    match chosen.arguments:
        case ["-o" | "--output", output, *rest]:
            chosen.output, chosen.arguments = output, rest
        case [option, *rest] if option.startswith("--output="):
            chosen.output, chosen.arguments = option.partition("=")[2], rest


def count(text: str) -> int:
    """Return a whole number of 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: give a whole number of 1 or more")
    return int(text)


def positive(text: str, what: str) -> float:
    """Return a finite number above 0; the error asks for `what`."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text}: give {what}")
    return value


def missing_file(path: str) -> str | None:
    """Return what is wrong with a path that should be a file, or None."""
    if os.path.isfile(path):
        return None
    return f"{path}: {'a folder' if os.path.isdir(path) else 'no such file'}."


def missing_program(path: str) -> str | None:
    """Return what is wrong with the path of a program, or None."""
    missing = missing_file(path)
    return missing and f"{missing} Name a .py or .ipynb file."


def is_missing(command: str, program: str) -> bool:
    """Return whether there is no such program, after printing an error."""
    missing = missing_program(program)
    if missing is not None:
        print(f"gradtape {command}: {missing}", file=sys.stderr)
    return missing is not None
