"""The errors of functions, in words: `errors.txt` has which mistake raises which class."""

from __future__ import annotations

# What `tools/wrong_calls.py` tries, with one parameter, or with two that belong together.
MISTAKES = {
    "dtype": "{} has a dtype that it does not take",
    "dtypes": "the dtypes of {} differ",
    "rank": "the shape of {} does not fit",
    "shapes": "the shapes of {} do not fit together",
    "axis": "{} is out of range",
    "indices": "{} has an index that is out of range",
    "negative": "{} is negative",
    "sizes": "{} has a negative size",
    "choice": "{} is not a known one",
    "unconvertible": "{} cannot be converted to a tensor",
    "callable": "{} is not callable",
    "type": "{} has a type that it does not take",
}


def sentences(rows: list[str]) -> list[str]:
    """Return a sentence for each class in rows such as `ValueError axis axis`.

    >>> sentences(["ValueError dtypes x+y x+z", "ValueError axis axis"])
    ['ValueError if the dtypes of `x`, `y` and `z` differ, or `axis` is out of range.']
    """
    by_class: dict[str, list[str]] = {}
    for row in rows:
        kind, mistake, *groups = row.split()
        names = list(dict.fromkeys(f"`{n}`" for group in groups for n in group.split("+")))
        last = "and" if "+" in groups[0] else "or"
        by_class.setdefault(kind, []).append(MISTAKES[mistake].format(_joined(names, last, "")))
    return [f"{kind} if {_joined(clauses, 'or', ',')}." for kind, clauses in by_class.items()]


def _joined(words: list[str], last: str, comma: str) -> str:
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])}{comma} {last} {words[-1]}"
