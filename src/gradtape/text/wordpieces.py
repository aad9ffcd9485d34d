"""Words as pieces of a vocabulary."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from gradtape.core.dtypes import as_dtype, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.text.rows import join_rows, split_each


class FastWordpieceTokenizer:
    """Splits words into the longest pieces of a vocabulary, from the left to the right.

    Pieces that do not begin a word have a mark in front (`suffix_indicator`). A word that cannot be
    split so, or is longer than `max_bytes_per_word`, is the unknown token. Texts are split into
    words at white space and around punctuation first, unless `no_pretokenization`.
    """

    def __init__(
        self,
        vocab=None,
        suffix_indicator="##",
        max_bytes_per_word=100,
        token_out_type="int64",
        unknown_token="[UNK]",
        no_pretokenization=False,
        support_detokenization=False,
        model_buffer=None,
    ) -> None:
        if model_buffer is not None:
            raise NotImplementedError("FastWordpieceTokenizer: give vocab instead of model_buffer.")
        if vocab is None:
            raise InvalidArgumentError("FastWordpieceTokenizer: vocab must be given.")
        self._tokens = [t if isinstance(t, bytes) else str(t).encode() for t in vocab]
        self._ids = {token: i for i, token in enumerate(self._tokens)}
        self._mark = suffix_indicator.encode()
        self._most = int(max_bytes_per_word)
        self._dtype = as_dtype(token_out_type)
        self._unknown = unknown_token.encode()
        if self._unknown not in self._ids:
            raise InvalidArgumentError(
                f"FastWordpieceTokenizer: unknown_token {unknown_token!r} is not in vocab."
            )
        self._splits = not no_pretokenization
        self._joins = bool(support_detokenization)
        self._known: dict[bytes, list[bytes]] = {}

    def tokenize(self, input) -> Any:
        """Return the pieces of each string, or their numbers."""

        def split(text: bytes) -> list[list]:
            words = _words(text) if self._splits else [text]
            pieces = [piece for word in words for piece in self._pieces(word)]
            return [pieces if self._dtype is string else [self._ids[p] for p in pieces]]

        return split_each(split, input, "FastWordpieceTokenizeWithOffsets", [self._dtype])[0]

    def split(self, input) -> Any:
        """Return the pieces of each string, or their numbers."""
        return self.tokenize(input)

    def detokenize(self, input) -> Any:
        """Return the text of each row of numbers: pieces joined to words, words by spaces."""
        if not self._joins:
            raise InvalidArgumentError(
                "FastWordpieceTokenizer.detokenize needs support_detokenization=True."
            )
        return join_rows(self._joined, input)

    def _joined(self, ids: list) -> bytes:
        text = b""
        for i, number in enumerate(ids):
            token = self._tokens[number]
            if token.startswith(self._mark) and i:
                text += token[len(self._mark) :]
            else:
                text += (b" " if i else b"") + token
        return text

    def _pieces(self, word: bytes) -> list[bytes]:
        known = self._known.get(word)
        if known is None:
            known = self._matched(word)
            if len(self._known) < 2**16:
                self._known[word] = known
        return known

    def _matched(self, word: bytes) -> list[bytes]:
        if not word:
            return []
        if len(word) > self._most:
            return [self._unknown]
        pieces, at = [], 0
        while at < len(word):
            mark = self._mark if at else b""
            for end in range(len(word), at, -1):
                if mark + word[at:end] in self._ids:
                    pieces.append(mark + word[at:end])
                    at = end
                    break
            else:
                return [self._unknown]
        return pieces


def _words(text: bytes) -> list[bytes]:
    """Return the words and punctuation marks of a text."""
    letters = text.decode(errors="surrogateescape")
    spaced = "".join(f" {c} " if _is_mark(c) else c for c in letters)
    return [word.encode(errors="surrogateescape") for word in re.split(r"\s+", spaced) if word]


def _is_mark(letter: str) -> bool:
    """Return whether a character is a word of its own, as BERT has it."""
    code = ord(letter)
    ascii_mark = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    ideograph = 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF or 0x20000 <= code <= 0x2CEAF
    return (
        ascii_mark
        or ideograph
        or 0xF900 <= code <= 0xFAFF
        or 0x2F800 <= code <= 0x2FA1F
        or unicodedata.category(letter).startswith("P")
    )
