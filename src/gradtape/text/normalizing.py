"""Unicode's normal forms, and folding of case."""

from __future__ import annotations

import unicodedata
from typing import Any

from gradtape.core.errors import InvalidArgumentError
from gradtape.text.rows import change_each

_FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def _changed(text: bytes, change: Any) -> bytes:
    letters = text.decode(errors="surrogateescape")  # bytes that are no UTF-8 stay as they are
    return change(letters).encode(errors="surrogateescape")


def _fold(text: str) -> str:
    """Return Unicode's NFKC_Casefold: compatible forms, no case, nothing that is ignorable."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(letter for letter in folded if letter not in _IGNORABLE)


# Characters without a visible form (the property Default_Ignorable_Code_Point).
_IGNORABLE = frozenset(
    chr(code)
    for first, last in (
        (0xAD, 0xAD),
        (0x34F, 0x34F),
        (0x61C, 0x61C),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x206F),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFF8),
        (0x1BCA0, 0x1BCA3),
        (0x1D173, 0x1D17A),
        (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
)


def case_fold_utf8(input, name=None) -> Any:
    """Return strings without differences of case (Unicode's NFKC_Casefold)."""
    return change_each(lambda text: _changed(text, _fold), input, "CaseFoldUTF8")


def normalize_utf8(input, normalization_form="NFKC", name=None) -> Any:
    """Return strings in one of Unicode's normal forms: NFC, NFD, NFKC or NFKD."""
    form = str(normalization_form).upper()
    if form not in _FORMS:
        raise InvalidArgumentError(
            f"normalize_utf8: normalization_form is {normalization_form!r}; it must be one of "
            f"{', '.join(_FORMS)}. [Op:NormalizeUTF8]"
        )

    def change(text: bytes) -> bytes:
        return _changed(text, lambda letters: unicodedata.normalize(form, letters))

    return change_each(change, input, "NormalizeUTF8")
