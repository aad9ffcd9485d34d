"""`tf.strings.regex_full_match` and `regex_replace`."""

from __future__ import annotations

import re

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.strings.arguments import form, packed, text_tensor
from gradtape.api.strings.patterns import compiled
from gradtape.core.dtypes import bool_, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

_REFERENCE = re.compile(r"\\(.?)", re.DOTALL)


def _scalar(value, what: str, op: str) -> Tensor:
    tensor = text_tensor(value, op)
    if tensor.ndim:
        raise InvalidArgumentError(
            f"{what} must be scalar, but received {list(tensor.shape)} [Op:{op}]"
        )
    if tensor._has_value:  # an expression that is none is refused while tracing, too
        _ = compiled(np.asarray(tensor.numpy(), object).item()) if what == "Pattern" else None
    return tensor


def _decoded(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


@export("strings.regex_full_match")
def regex_full_match(input, pattern, name=None) -> Tensor:
    """Return whether each string matches a regular expression of RE2 from end to end."""
    tensor = text_tensor(input, "RegexFullMatch")
    expression = _scalar(pattern, "Pattern", "RegexFullMatch")

    def compute(texts: np.ndarray, pattern: np.ndarray) -> np.ndarray:
        match = compiled(pattern.item()).fullmatch
        matches = [match(_decoded(text)) is not None for text in texts.ravel().tolist()]
        return np.array(matches, bool).reshape(texts.shape)

    return ops.host_call(compute, [tensor, expression], bool_, tensor.shape, form("RegexFullMatch"))


@export("strings.regex_replace")
def regex_replace(input, pattern, rewrite, replace_global=True, name=None) -> Tensor:
    r"""Return strings with what matches a regular expression of RE2 replaced.

    In `rewrite`, `\0` is the whole match and `\1` to `\9` are its groups.
    """
    tensor = text_tensor(input, "RegexReplace")
    expression = _scalar(pattern, "Pattern", "RegexReplace")
    replacement = _scalar(rewrite, "Rewrite", "RegexReplace")

    def compute(texts: np.ndarray, pattern: np.ndarray, rewrite: np.ndarray) -> np.ndarray:
        find = compiled(pattern.item())
        pieces = _rewrite_pieces(_decoded(rewrite.item()))
        if max((p for p in pieces if isinstance(p, int)), default=0) > find.groups:
            return texts  # RE2 replaces nothing then

        def replaced(text: bytes) -> bytes:
            whole = _replace(find, pieces, _decoded(text), replace_global)
            return whole.encode(errors="surrogateescape")

        return packed(map(replaced, texts.ravel().tolist()), texts.shape)

    inputs = [tensor, expression, replacement]
    written = form("RegexReplace", replace_global=bool(replace_global))
    return ops.host_call(compute, inputs, string, tensor.shape, written)


def _rewrite_pieces(rewrite: str) -> list[str | int]:
    r"""Return a replacement as texts and numbers of groups. RE2 stops at an escape but `\0`…`\9`
    and `\\`."""
    pieces, end = [], 0
    for reference in _REFERENCE.finditer(rewrite):
        pieces.append(rewrite[end : reference.start()])
        end = reference.end()
        if reference[1] == "\\":
            pieces.append("\\")
        elif reference[1] and reference[1] in "0123456789":
            pieces.append(int(reference[1]))
        else:
            return pieces
    return [*pieces, rewrite[end:]]


def _replace(
    find: re.Pattern[str], pieces: list[str | int], text: str, replace_global: bool
) -> str:
    result, at, last = [], 0, None
    while at <= len(text):
        match = find.search(text, at)
        if match is None:
            break
        if match.start() == match.end() == last:  # RE2 takes no empty match right after another
            result.append(text[at : at + 1])
            at += 1
            continue
        result.append(text[at : match.start()])
        result += [(match[p] or "") if isinstance(p, int) else p for p in pieces]
        at = last = match.end()
        if not replace_global:
            break
    return "".join([*result, text[at:]])
