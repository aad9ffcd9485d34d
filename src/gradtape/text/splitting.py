"""Strings split at regular expressions, or at white space."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.api.strings.arguments import bytes_of, text_tensor
from gradtape.api.strings.patterns import compiled
from gradtape.core.dtypes import int64, string
from gradtape.text.rows import split_each


def regex_split(input, delim_regex_pattern, keep_delim_regex_pattern="", name=None) -> Any:
    """Return what stands between the matches of an expression of RE2, and those matches that
    `keep_delim_regex_pattern` matches from end to end. No part is empty."""
    return regex_split_with_offsets(input, delim_regex_pattern, keep_delim_regex_pattern)[0]


def regex_split_with_offsets(
    input, delim_regex_pattern, keep_delim_regex_pattern="", name=None
) -> tuple[Any, Any, Any]:
    """Return the parts of `regex_split`, and the bytes where each begins and ends."""
    delimiter = compiled(bytes_of(delim_regex_pattern, "delim_regex_pattern"))
    kept = compiled(bytes_of(keep_delim_regex_pattern, "keep_delim_regex_pattern"))

    def split(text: bytes) -> list[list]:
        letters = text.decode(errors="surrogateescape")
        parts, starts, ends = [], [], []
        at = end = 0  # in letters, in bytes

        def take(upto: int, keeps: bool) -> None:
            nonlocal at, end
            part = letters[at:upto].encode(errors="surrogateescape")
            if part and keeps:
                parts.append(part)
                starts.append(end)
                ends.append(end + len(part))
            at, end = upto, end + len(part)

        for match in delimiter.finditer(letters):
            if match.end() > match.start():
                take(match.start(), True)
                take(match.end(), kept.fullmatch(match[0]) is not None)
        take(len(letters), True)
        return [parts, starts, ends]

    if not isinstance(input, RaggedTensor):
        input = text_tensor(input, "RegexSplitWithOffsets")
        input = input if input.ndim else ops.expand_dims(input, 0)  # a string is a batch of one
    parts, starts, ends = split_each(split, input, "RegexSplitWithOffsets", [string, int64, int64])
    return parts, starts, ends


class WhitespaceTokenizer:
    """Splits strings at the white space of Unicode."""

    def tokenize(self, input) -> Any:
        """Return the words of each string."""
        return split_each(lambda text: [_words(text)], input, "WhitespaceTokenize", [string])[0]

    def split(self, input) -> Any:
        """Return the words of each string."""
        return self.tokenize(input)


def _words(text: bytes) -> list[bytes]:
    letters = text.decode(errors="surrogateescape")
    return [word.encode(errors="surrogateescape") for word in letters.split()]
