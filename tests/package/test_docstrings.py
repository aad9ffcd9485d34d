"""Docstrings of functions say what they do, beginning with a verb, as NumPy's and JAX's do."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

VERB_FIRST = ("core", "ops", "engine", "backends")
# Words that begin a noun phrase, a clause or a condition, and no command.
STARTERS = set(
    "a an the this these those it its all any both each every few many most no none one other some "
    "two what whatever when whenever where whether which who why how if unless while because since "
    "so such then there as at by during for from in inside into like of on out over to under with "
    "within without and but not only or also again true false new old next last first second same "
    "just still now here nothing everything something whole row class label number value".split()
)
VERBS_IN_ED_OR_ING = {"Bring", "Embed", "Feed", "Proceed", "Seed", "Shed", "Speed"}


def begins_with_verb(docstring: str) -> bool:
    """Return whether the first word can be an imperative: "Return", not "Returns" or "The"."""
    match = re.match(r"([A-Z][a-z]+)(?:,? [^ ]|\.?$|:)", docstring)
    if match is None:  # a formula, a name in backquotes, an abbreviation
        return False
    word = match[1]
    follows = docstring[match.end(1) :].lstrip(",").split()
    is_other_form = re.search(r"([^s]s|ed|ing)$", word) and word not in VERBS_IN_ED_OR_ING
    is_noun = bool(follows) and follows[0] in {"of", "which", "is", "are", "has", "have"}
    return word.lower() not in STARTERS and not is_other_form and not is_noun


def functions_with_docstrings(folder: Path) -> list[tuple[str, str]]:
    """Return (location, docstring) of the functions and methods in the files of a folder."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", docstring)
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds) and (docstring := ast.get_docstring(node))
    ]


@pytest.mark.parametrize("folder", VERB_FIRST)
def test_docstrings_of_functions_begin_with_a_verb(folder):
    result = functions_with_docstrings(SOURCE / "gradtape" / folder)
    assert len(result) > 50
    assert not [
        f"{where}: {text.splitlines()[0]}" for where, text in result if not begins_with_verb(text)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The slot of a tensor or variable, or None where this recording does not know it.",
        "Whether a tape can watch a tensor of this type.",
        "x / y, and 0 where y is 0.",
        "`flat`, in the shape of `structure`.",
        "(value, pull): `pull(cotangent)` gives a cotangent for each argument.",
        "Returns the slot of a tensor.",
        "Slices of x along an axis.",
        "Transposed convolution: the cotangent of an input.",
        "Running sums along an axis.",
        "Copy of an array.",
        "RMSprop without momentum.",
    ],
)
def test_noun_phrases_and_other_forms_are_no_verbs(text):
    assert not begins_with_verb(text)
