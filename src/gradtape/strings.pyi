# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape import as_string as as_string
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from typing import Any

def bytes_split(input: TensorLike, name: str | None = None) -> RaggedTensor:
    """Return the bytes of each string, each as a string."""

def format(
    template: str,
    inputs: TensorLike,
    placeholder: str = '{}',
    summarize: IntLike = 3,
    name: str | None = None,
) -> Tensor:
    """Return a template with its placeholders replaced by tensors, as `tf.print` writes them."""

def join(inputs: TensorLike, separator: str = '', name: str | None = None) -> Tensor:
    """Return strings joined, element by element; scalars join every element."""

def length(input: TensorLike, unit: str = 'BYTE', name: str | None = None) -> Tensor:
    """Return the lengths of strings, in bytes or in characters of UTF-8."""

def lower(input: TensorLike, encoding: str = '', name: str | None = None) -> Tensor:
    """Return strings in small letters: ASCII ones, or all with encoding="utf-8"."""

def ngrams(
    data: TensorLike,
    ngram_width: Any,
    separator: str = ' ',
    pad_values: Any = None,
    padding_width: Any = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return all runs of `ngram_width` strings along the last axis, each joined to one string.

    With several widths, the runs of one follow those of the other. `pad_values` (left, right) or
    one for both stand before and after each row, `padding_width` times or one less than the width.
    """

def reduce_join(
    inputs: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    separator: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the strings along axes joined into one."""

def regex_full_match(input: TensorLike, pattern: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each string matches a regular expression of RE2 from end to end."""

def regex_replace(
    input: TensorLike,
    pattern: TensorLike,
    rewrite: str,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""Return strings with what matches a regular expression of RE2 replaced.

    In `rewrite`, `\0` is the whole match and `\1` to `\9` are its groups.
    """

def split(
    input: TensorLike,
    sep: Any = None,
    maxsplit: IntLike = -1,
    name: str | None = None,
) -> RaggedTensor:
    """Return the parts of each string between separators, or between white space."""

def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Return strings without white space at their ends."""

def substr(
    input: TensorLike,
    pos: Any,
    len: Any,
    unit: str = 'BYTE',
    name: str | None = None,
) -> Tensor:
    """Return the part of each string that begins at `pos` (from the end, if negative)."""

def to_hash_bucket(input: TensorLike, num_buckets: IntLike, name: str | None = None) -> Tensor:
    """Return a bucket for each string, by a hash that may change with TensorFlow's version."""

def to_hash_bucket_fast(input: TensorLike, num_buckets: IntLike, name: str | None = None) -> Tensor:
    """Return a bucket for each string, by FarmHash's fingerprint."""

def to_hash_bucket_strong(
    input: TensorLike,
    num_buckets: IntLike,
    key: Any,
    name: str | None = None,
) -> Tensor:
    """Return a bucket for each string, by SipHash with a key of two integers."""

def to_number(input: TensorLike, out_type: DTypeLike = ..., name: str | None = None) -> Tensor:
    """Return the numbers that strings spell."""

def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> RaggedTensor:
    """Return the code points of each string."""

def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the code points of each string, and where in it they begin."""

def unicode_encode(
    input: TensorLike,
    output_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    name: str | None = None,
) -> Tensor:
    """Return the strings that the code points along the last axis spell."""

def unicode_script(input: TensorLike, name: str | None = None) -> Tensor:
    """Return ICU's number for the script of each code point; -1 for what is none."""

def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    name: str | None = None,
) -> RaggedTensor:
    """Return the characters of each string."""

def unicode_split_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the characters of each string, and where in it they begin."""

def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return strings in another encoding of Unicode."""

def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    separator: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the strings of each segment joined, in their order."""

def upper(input: TensorLike, encoding: str = '', name: str | None = None) -> Tensor:
    """Return strings in capital letters: ASCII ones, or all with encoding="utf-8"."""
