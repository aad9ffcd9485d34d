"""What the commands have in common: how one is added, and the kinds of arguments they take."""

from __future__ import annotations

import argparse
import copy
import difflib
import math
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn


class UsageError(Exception):
    """The arguments of a command, or the file they name, are wrong."""


class CommandParser(argparse.ArgumentParser):
    """Reads the arguments of `gradtape`, or of one of its commands.

    A command that runs a program takes its own options before and after the program; what it does
    not know after the program, and everything after `--`, is the program's.
    """

    takes_program = False
    for_notebooks: frozenset[str] = frozenset()  # options that are a .py program's own
    _given: Sequence[str] = ()

    def __init__(self, **options: Any) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **options
        )

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride] (its has overloads)
        self, args=None, namespace=None
    ) -> tuple[Any, list[str]]:
        """Return what was chosen; what is left over is an error, or the program's."""
        given = self._given = sys.argv[1:] if args is None else list(args)
        if self.takes_program:
            return self._with_program(given, namespace or argparse.Namespace()), []
        chosen, rest = super().parse_known_args(given, namespace)
        if rest:
            self._refuse(rest[0])
        return chosen, []

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and what may be meant by a misspelled command or option."""
        wrong = re.match(r"argument COMMAND: invalid choice: '(.*?)'", message)
        if wrong:
            commands = next(action.choices for action in self._actions if action.choices)
            message += f".{_suggestion(wrong[1], commands)}"
        elif "arguments are required" in message:  # because one is misspelled
            known = self._option_strings()
            near = (w for w in self._given if w[:2] == "--" and w.partition("=")[0] not in known)
            hints = ((word, _suggestion(word, known)) for word in near)
            word, hint = next((pair for pair in hints if pair[1]), ("", ""))
            message = f"unrecognized argument: {word}.{hint}" if hint else message
        super().error(message)

    def _with_program(self, given: list[str], namespace) -> argparse.Namespace:
        own, programs = given, []
        if "--" in given:
            separator = given.index("--")
            own, programs = given[:separator], given[separator + 1 :]
        if own and own[0] in _HELP:
            self.print_help()
            self.exit()
        chosen, rest = self._parse_options(own, namespace, self.for_notebooks)
        program = next((word for word in rest + programs if not word.startswith("-")), "")
        if self.for_notebooks and program.endswith(".ipynb"):
            chosen, rest = self._parse_options(own, namespace, frozenset())
        rest += programs
        if not rest:
            self.error("the following arguments are required: PROGRAM")
        if rest[0] in _HELP:
            self.print_help()
            self.exit()
        if rest[0].startswith("-") and len(rest) > len(programs):
            self._refuse(rest[0])
        chosen.program, *chosen.arguments = rest
        for word in rest[1 : len(rest) - len(programs)]:
            named = word.startswith("--") and word not in _HELP
            hint = _suggestion(word, self._option_strings(), 0.8) if named else ""
            if hint:
                print(f"{self.prog}: {word} is given to {chosen.program}.{hint}", file=sys.stderr)
        return chosen

    def _parse_options(self, own: list[str], namespace, without: frozenset[str]):
        options = argparse.ArgumentParser(prog=self.prog, add_help=False, allow_abbrev=False)
        options.error = self.error
        for action in self._actions:
            is_help = isinstance(action, argparse._HelpAction)
            if action.option_strings and not is_help and action.dest not in without:
                options._add_action(action)
        options.set_defaults(**self._defaults, **dict.fromkeys(without))
        return options.parse_known_args(own, copy.deepcopy(namespace))

    def _refuse(self, word: str) -> NoReturn:
        self.error(f"unrecognized argument: {word}.{_suggestion(word, self._option_strings())}")

    def _option_strings(self) -> list[str]:
        return [text for action in self._actions for text in action.option_strings]


class Once(argparse.Action):
    """Stores an option that is given once: a second one may be meant for the program."""

    def __call__(self, parser, namespace, values, option_string=None) -> None:
        given = vars(namespace).setdefault("given", set())
        if self.dest in given:
            parser.error(
                f"{option_string} is given twice. One that is the program's is written after --, "
                f"as in PROGRAM -- {option_string} {values}"
            )
        given.add(self.dest)
        setattr(namespace, self.dest, values)


_HELP = ("-h", "--help")


def _suggestion(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """Return the words that suggest the nearest of what is known, if one is near."""
    name = word.partition("=")[0]
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=likeness)
    return f" Did you mean {close[0]}?" if close else ""


def add_command(commands, name: str, text: str, description: str, epilog: str) -> CommandParser:
    """Add a command whose description and epilog are printed as they are written."""
    return commands.add_parser(name, help=text, description=description, epilog=epilog)


def add_program(command: CommandParser) -> None:
    """Let a command take a program, and arguments that are the program's own."""
    command.takes_program = True
    command.add_argument("program", metavar="PROGRAM", help="a .py or .ipynb file")
    command.add_argument(
        "arguments",
        metavar="ARGUMENTS",
        nargs=argparse.REMAINDER,
        help="what the program is given: all that follows it but the options below, and all that "
        "follows --",
    )


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
