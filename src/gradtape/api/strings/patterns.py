"""Regular expressions of RE2, which TensorFlow uses, written for Python's `re`.

The text is decoded from UTF-8, with bytes that are no UTF-8 as lone surrogates. What RE2 reads
otherwise than Python, or does not have, is translated or refused here:

* `\\d`, `\\w`, `\\s`, `\\b` are of ASCII alone; `$` is the end of the text, as `\\z` is;
* `(?i)` and other flags hold from where they stand to the end of their group;
* `\\pN`, `\\p{Greek}`, `[[:alpha:]]`, `\\Q…\\E`, `\\x{10FFFF}`, and the flag U, which makes
  repetition lazy;
* there are no references back, no looking around, no possessive repetition.
"""

from __future__ import annotations

import functools
import itertools
import re
import sys
import unicodedata

from gradtape.api.strings.scripts import script_ranges
from gradtape.core.errors import InvalidArgumentError

Ranges = list[tuple[int, int]]

_LAST = sys.maxunicode
_INVALID = "\udc80-\udcff"  # bytes that are no UTF-8: no character matches them
_MAX_REPEAT = 1000
_REPEAT = re.compile(r"\{(\d+)(,(\d*))?\}")
_DIGIT: Ranges = [(48, 57)]
_WORD: Ranges = [(48, 57), (65, 90), (95, 95), (97, 122)]
_SPACE: Ranges = [(9, 10), (12, 13), (32, 32)]
_PERL = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_POSIX: dict[str, Ranges] = {
    "alnum": [(48, 57), (65, 90), (97, 122)],
    "alpha": [(65, 90), (97, 122)],
    "ascii": [(0, 127)],
    "blank": [(9, 9), (32, 32)],
    "cntrl": [(0, 31), (127, 127)],
    "digit": _DIGIT,
    "graph": [(33, 126)],
    "lower": [(97, 122)],
    "print": [(32, 126)],
    "punct": [(33, 47), (58, 64), (91, 96), (123, 126)],
    "space": [(9, 13), (32, 32)],
    "upper": [(65, 90)],
    "word": _WORD,
    "xdigit": [(48, 57), (65, 70), (97, 102)],
}
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


@functools.lru_cache(512)
def compiled(pattern: bytes) -> re.Pattern[str]:
    """Return an expression of RE2 as one of Python's, which has the same groups."""
    text = pattern.decode(errors="surrogateescape")
    try:
        return re.compile(_Translation(text).translated())
    except _Refused as error:
        reason = str(error)
    except (re.error, OverflowError, RecursionError) as error:
        reason = str(error)
    raise InvalidArgumentError(f"Invalid pattern: {text}, error: {reason}")


class _Refused(Exception):
    """An expression that RE2 does not take, either."""


class _Translation:
    """One pass over an expression: reads RE2's, writes Python's."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._written: list[str] = []
        self._atom: int | None = None  # where the atom begins that a repetition would repeat
        self._repeated = ""  # the repetition just read
        self._flags = {"i": False, "m": False, "s": False, "U": False}
        # For each open group: the flags outside, how many groups for letters of both cases are
        # open in it, and where it begins.
        self._groups: list[tuple[dict[str, bool], int, int]] = []
        self._cased = 0
        self._has_case = False

    def translated(self) -> str:
        while self._at < len(self._text):
            self._step()
        if self._groups:
            raise _Refused(f"missing ): {self._text}")
        self._close_case()
        return "".join(self._written)

    # --- reading ---------------------------------------------------------------------------------

    def _peek(self, text: str) -> bool:
        return self._text.startswith(text, self._at)

    def _take(self) -> str:
        self._at += 1
        return self._text[self._at - 1]

    def _step(self) -> None:
        letter = self._take()
        repetition = _REPEAT.match(self._text, self._at - 1) if letter == "{" else None
        if letter in "*+?" or repetition:
            self._repeat(letter if repetition is None else repetition[0], repetition)
            return
        self._repeated = ""
        match letter:
            case "(":
                self._open()
            case ")":
                self._close()
            case "|":
                self._alternate()
            case "[":
                self._at -= 1
                self._put(_class_text(*self._class()))
            case ".":
                self._put(f"[^{_INVALID}]" if self._flags["s"] else f"[^\n{_INVALID}]")
            case "^":
                self._put(r"(?m:^)" if self._flags["m"] else r"\A")
            case "$":
                self._put(r"(?m:$)" if self._flags["m"] else r"\Z")
            case "\\":
                self._escape()
            case _:
                self._put(re.escape(letter))

    # --- writing ---------------------------------------------------------------------------------

    def _put(self, atom: str) -> None:
        self._atom = len(self._written)
        self._written.append(atom)

    def _open_case(self) -> None:
        """Write the flag i as it is from here on, if any part of the expression has it."""
        self._has_case = self._has_case or self._flags["i"]
        if self._has_case:
            self._written.append("(?i:" if self._flags["i"] else "(?-i:")
            self._cased += 1

    def _close_case(self) -> None:
        self._written.append(")" * self._cased)
        self._cased = 0

    def _repeat(self, operator: str, counted: re.Match | None) -> None:
        if self._repeated:
            raise _Refused(f"bad repetition operator: {self._repeated}{operator}")
        if self._atom is None:
            raise _Refused(f"no argument for repetition operator: {operator}")
        if counted is not None:
            self._at += len(operator) - 1
            low, high = int(counted[1]), int(counted[3] or counted[1])
            if max(low, high) > _MAX_REPEAT or low > high:
                raise _Refused(f"invalid repetition size: {operator}")
        lazy = self._peek("?")
        self._at += lazy
        self._repeated = operator + "?" * lazy
        # As a group: Python repeats no assertion, and nothing twice.
        self._written[self._atom] = "(?:" + self._written[self._atom]
        self._written.append(f"){operator}{'?' * (lazy != self._flags['U'])}")

    # --- groups ----------------------------------------------------------------------------------

    def _open(self) -> None:
        start = len(self._written)
        outside = dict(self._flags)
        if not self._peek("?"):
            opening = "("
        elif named := re.compile(r"\?P<(\w+)>").match(self._text, self._at):
            self._at = named.end()
            opening = "("  # nothing asks for a group by name, and RE2 allows names of any letters
        else:
            if not self._set_flags():
                self._close_case()
                self._open_case()
                self._atom = None
                return  # flags for the rest of the group around
            opening = "(?:"
        self._written.append(opening)
        self._groups.append((outside, self._cased, start))
        self._cased = 0
        self._open_case()
        self._atom = None

    def _set_flags(self) -> bool:
        """Read the flags after a parenthesis; return whether they are those of a new group."""
        start, value = self._at - 1, True
        self._at += 1
        while self._at < len(self._text):
            letter = self._take()
            if letter in self._flags:
                self._flags[letter] = value
            elif letter == "-" and value:
                value = False
            elif letter in ":)":
                return letter == ":"
            else:
                break
        raise _Refused(f"invalid perl operator: {self._text[start : self._at]}")

    def _close(self) -> None:
        if not self._groups:
            raise _Refused(f"unexpected ): {self._text}")
        self._close_case()
        self._flags, self._cased, start = self._groups.pop()
        self._written[start:] = ["".join([*self._written[start:], ")"])]
        self._atom = start

    def _alternate(self) -> None:
        self._close_case()
        self._written.append("|")
        self._open_case()
        self._atom = None

    # --- characters ------------------------------------------------------------------------------

    def _escape(self) -> None:
        if self._at == len(self._text):
            raise _Refused("trailing \\")
        letter = self._text[self._at]
        if letter in "AzbBC":
            self._at += 1
            if letter == "C":
                raise _Refused("\\C, a single byte, is not supported: the text is read as UTF-8")
            self._put({"A": r"\A", "z": r"\Z", "b": r"(?a:\b)", "B": r"(?a:\B)"}[letter])
        elif letter == "Q":
            end = self._text.find("\\E", self._at)
            end = len(self._text) if end < 0 else end
            for quoted in self._text[self._at + 1 : end]:
                self._put(re.escape(quoted))
            self._at = end + 2
        else:
            self._at -= 1
            self._put(_class_text(self._escaped_ranges(), False))

    def _escaped_ranges(self) -> Ranges:
        r"""Read an escape that stands for characters: `\d`, `\pL`, `\x41`, `\.`."""
        start = self._at
        self._at += 1
        if self._at == len(self._text):
            raise _Refused("trailing \\")
        letter = self._take()
        if letter.lower() in _PERL:
            ranges = _PERL[letter.lower()]
            return complement(ranges) if letter.isupper() else ranges
        if letter in "pP":
            return self._property(start, letter == "P")
        if letter in _CONTROLS:
            code = _CONTROLS[letter]
        elif letter == "x":
            number = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})").match(self._text, self._at)
            if number is None or int(number[1] or number[2], 16) > _LAST:
                raise _Refused(f"invalid escape sequence: {self._text[start : self._at + 1]}")
            self._at = number.end()
            code = int(number[1] or number[2], 16)
        elif octal := re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}").match(self._text, self._at - 1):
            self._at = octal.end()
            code = int(octal[0], 8)
        elif letter.isalnum() and letter.isascii():
            raise _Refused(f"invalid escape sequence: {self._text[start : self._at]}")
        else:
            code = ord(letter)
        return [(code, code)]

    def _property(self, start: int, negated: bool) -> Ranges:
        if self._peek("{"):
            end = self._text.find("}", self._at)
            name = self._text[self._at + 1 : end]
            self._at = end + 1
        else:
            end = self._at
            name = self._text[end : end + 1]
            self._at += 1
        ranges = property_ranges(name.removeprefix("^")) if end >= 0 else None
        if ranges is None:
            given = self._text[start : self._at] if end >= 0 else self._text[start:]
            raise _Refused(f"invalid character class range: {given}")
        return complement(ranges) if negated != name.startswith("^") else ranges

    def _class(self) -> tuple[Ranges, bool]:
        """Read a class in brackets: its characters, and whether it means all others."""
        start = self._at
        self._at += 1
        negated = self._peek("^")
        self._at += negated
        members: Ranges = []
        first = True
        while first or not self._peek("]"):
            if self._at >= len(self._text):
                raise _Refused(f"missing ]: {self._text[start:]}")
            first = False
            if posix := re.compile(r"\[:(\^?)(\w+):\]").match(self._text, self._at):
                if posix[2] not in _POSIX:
                    raise _Refused(f"invalid character class range: {posix[0]}")
                self._at = posix.end()
                members += complement(_POSIX[posix[2]]) if posix[1] else _POSIX[posix[2]]
                continue
            begin = self._at
            ranges = self._class_item()
            is_range = self._peek("-") and not self._peek("-]") and self._at + 1 < len(self._text)
            if is_range and len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
                self._at += 1
                last = self._class_item()
                if last[0][0] != last[-1][1] or last[0][0] < ranges[0][0]:
                    given = self._text[begin : self._at]
                    raise _Refused(f"invalid character class range: {given}")
                ranges = [(ranges[0][0], last[0][0])]
            members += ranges
        self._at += 1
        return members, negated

    def _class_item(self) -> Ranges:
        if self._peek("\\"):
            return self._escaped_ranges()
        code = ord(self._take())
        return [(code, code)]


def complement(ranges: Ranges) -> Ranges:
    """Return all other characters."""
    gaps, following = [], 0
    for low, high in sorted(ranges):
        if low > following:
            gaps.append((following, low - 1))
        following = max(following, high + 1)
    return [*gaps, (following, _LAST)] if following <= _LAST else gaps


def _class_text(ranges: Ranges, negated: bool) -> str:
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1] and not negated:
        return re.escape(chr(ranges[0][0]))
    parts = [
        re.escape(chr(low)) if low == high else f"{re.escape(chr(low))}-{re.escape(chr(high))}"
        for low, high in ranges
    ]
    if negated:
        return f"[^{''.join(parts)}{_INVALID}]"
    if not parts:
        return "(?!)"
    # Ranges may run over the surrogates that stand for invalid bytes.
    guard = f"(?![{_INVALID}])" if any(a <= 0xDCFF and b >= 0xDC80 for a, b in ranges) else ""
    return f"{guard}[{''.join(parts)}]"


@functools.cache
def property_ranges(name: str) -> Ranges | None:
    r"""Return the characters of a general category or of a script, as `\p{name}` names them."""
    if name == "Any":
        return [(0, _LAST)]
    if not re.fullmatch(r"[CLMNPSZ][a-z]?", name):
        return script_ranges(name)
    return [run for category, run in _category_runs() if category.startswith(name)] or None


@functools.cache
def _category_runs() -> list[tuple[str, tuple[int, int]]]:
    """Return the runs of code points of one general category."""
    runs, start = [], 0
    categories = map(unicodedata.category, map(chr, range(_LAST + 1)))
    for category, run in itertools.groupby(categories):
        end = start + sum(1 for _ in run)
        runs.append((category, (start, end - 1)))
        start = end
    return runs
