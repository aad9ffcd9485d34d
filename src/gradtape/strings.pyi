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
    """Return the bytes of each string, each as a string.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input has no strings.
    """

def format(
    template: str,
    inputs: TensorLike,
    placeholder: str = '{}',
    summarize: IntLike = 3,
    name: str | None = None,
) -> Tensor:
    """Return a template with its placeholders replaced by tensors, as `tf.print` writes them.

    Args:
        template: the text.
        inputs: a tensor, or a list of tensors, or what converts to them.
        placeholder: what stands for a tensor in the text.
        summarize: how many elements of each tensor an error shows.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `template` or `placeholder` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def join(inputs: TensorLike, separator: str = '', name: str | None = None) -> Tensor:
    """Return strings joined, element by element; scalars join every element.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        separator: what stands between the parts.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shapes differ.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.strings.join(["a", "b"], separator="-").numpy()
        b'a-b'
    """

def length(input: TensorLike, unit: str = 'BYTE', name: str | None = None) -> Tensor:
    """Return the lengths of strings, in bytes or in characters of UTF-8.

    Args:
        input: a tensor, or what converts to one.
        unit: "BYTE" or "UTF8_CHAR".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or `unit` is
            not a known one.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.strings.length(["a", "abc"]).numpy()
        array([1, 3], dtype=int32)
    """

def lower(input: TensorLike, encoding: str = '', name: str | None = None) -> Tensor:
    """Return strings in small letters: ASCII ones, or all with encoding="utf-8".

    Args:
        input: a tensor, or what converts to one.
        encoding: the encoding of the bytes, such as "utf-8".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or `encoding`
            is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.strings.lower("ABC").numpy()
        b'abc'
    """

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

    Args:
        data: a tensor, or what converts to one.
        ngram_width: how many words, or several such numbers.
        separator: what stands between the parts.
        pad_values: what to put before and behind.
        padding_width: how much to put there.
        preserve_short_sequences: whether a row that is too short gives itself.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if a width is less than 1.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def reduce_join(
    inputs: TensorLike,
    axis: AxisLike = None,
    keepdims: bool = False,
    separator: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the strings along axes joined into one.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        keepdims: whether reduced axes stay, with size 1.
        separator: what stands between the parts.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `inputs` has a dtype that it does not take.
        tf.errors.OutOfRangeError if the shape of `inputs` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def regex_full_match(input: TensorLike, pattern: TensorLike, name: str | None = None) -> Tensor:
    """Return whether each string matches a regular expression of RE2 from end to end.

    Args:
        input: a tensor, or what converts to one.
        pattern: a regular expression.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the pattern is invalid.
    """

def regex_replace(
    input: TensorLike,
    pattern: TensorLike,
    rewrite: str,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""Return strings with what matches a regular expression of RE2 replaced.

    In `rewrite`, `\0` is the whole match and `\1` to `\9` are its groups.

    Args:
        input: a tensor, or what converts to one.
        pattern: a regular expression.
        rewrite: what to put in its place; \1 is the first group.
        replace_global: whether all matches are replaced, and not only the first.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the pattern is invalid.

    Example:
        >>> tf.strings.regex_replace("a1b22", "[0-9]+", "#").numpy()
        b'a#b#'
    """

def split(
    input: TensorLike,
    sep: Any = None,
    maxsplit: IntLike = -1,
    name: str | None = None,
) -> RaggedTensor:
    """Return the parts of each string between separators, or between white space.

    Args:
        input: a tensor, or what converts to one.
        sep: what separates; spaces if None.
        maxsplit: how often to split at most.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input has no strings.

    Derivative: none; the result consists of integers, truth values or strings.

    Example:
        >>> tf.strings.split("one two").numpy()
        array([b'one', b'two'], dtype=object)
    """

def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Return strings without white space at their ends.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def substr(
    input: TensorLike,
    pos: Any,
    len: Any,
    unit: str = 'BYTE',
    name: str | None = None,
) -> Tensor:
    """Return the part of each string that begins at `pos` (from the end, if negative).

    Args:
        input: a tensor, or what converts to one.
        pos: where to begin.
        len: how many characters.
        unit: "BYTE" or "UTF8_CHAR".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `unit` is not a known one.

    Example:
        >>> tf.strings.substr("hello", 1, 3).numpy()
        b'ell'
    """

def to_hash_bucket(input: TensorLike, num_buckets: IntLike, name: str | None = None) -> Tensor:
    """Return a bucket for each string, by a hash that may change with TensorFlow's version.

    Args:
        input: a tensor, or what converts to one.
        num_buckets: the number of buckets.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the number of buckets is less than 1.
    """

def to_hash_bucket_fast(input: TensorLike, num_buckets: IntLike, name: str | None = None) -> Tensor:
    """Return a bucket for each string, by FarmHash's fingerprint.

    Args:
        input: a tensor, or what converts to one.
        num_buckets: the number of buckets.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `num_buckets` is negative.
    """

def to_hash_bucket_strong(
    input: TensorLike,
    num_buckets: IntLike,
    key: Any,
    name: str | None = None,
) -> Tensor:
    """Return a bucket for each string, by SipHash with a key of two integers.

    Args:
        input: a tensor, or what converts to one.
        num_buckets: the number of buckets.
        key: two integers, the key of the hash.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the number of buckets is less than 1.
    """

def to_number(input: TensorLike, out_type: DTypeLike = ..., name: str | None = None) -> Tensor:
    """Return the numbers that strings spell.

    Args:
        input: a tensor, or what converts to one.
        out_type: the dtype of the result.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if a text is no number.

    Example:
        >>> tf.strings.to_number(["1.5", "2"]).numpy()
        array([1.5, 2. ], dtype=float32)
    """

def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> RaggedTensor:
    """Return the code points of each string.

    Args:
        input: a tensor, or what converts to one.
        input_encoding: the encoding of the bytes: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: what to do with bytes that are no text: "strict", "replace" or "ignore".
        replacement_char: the code of the character to replace them with.
        replace_control_characters: whether control characters are replaced, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_encoding` or `errors` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the code points of each string, and where in it they begin.

    Args:
        input: a tensor, or what converts to one.
        input_encoding: the encoding of the bytes: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: what to do with bytes that are no text: "strict", "replace" or "ignore".
        replacement_char: the code of the character to replace them with.
        replace_control_characters: whether control characters are replaced, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_encoding` or `errors` is not a known one.
    """

def unicode_encode(
    input: TensorLike,
    output_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    name: str | None = None,
) -> Tensor:
    """Return the strings that the code points along the last axis spell.

    Args:
        input: a tensor, or what converts to one.
        output_encoding: the encoding of the result: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: what to do with bytes that are no text: "strict", "replace" or "ignore".
        replacement_char: the code of the character to replace them with.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `output_encoding` or `errors` is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def unicode_script(input: TensorLike, name: str | None = None) -> Tensor:
    """Return ICU's number for the script of each code point; -1 for what is none.

    Args:
        input: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if the input has no int32 code points.
    """

def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    name: str | None = None,
) -> RaggedTensor:
    """Return the characters of each string.

    Args:
        input: a tensor, or what converts to one.
        input_encoding: the encoding of the bytes: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: what to do with bytes that are no text: "strict", "replace" or "ignore".
        replacement_char: the code of the character to replace them with.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_encoding` or `errors` is not a known one.
    """

def unicode_split_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Return the characters of each string, and where in it they begin.

    Args:
        input: a tensor, or what converts to one.
        input_encoding: the encoding of the bytes: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: what to do with bytes that are no text: "strict", "replace" or "ignore".
        replacement_char: the code of the character to replace them with.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input_encoding` or `errors` is not a known one.
    """

def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = 'replace',
    replacement_char: IntLike = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return strings in another encoding of Unicode.

    Args:
        input: a tensor, or what converts to one.
        input_encoding: the encoding of the bytes: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        output_encoding: the encoding of the result: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: what to do with bytes that are no text: "strict", "replace" or "ignore".
        replacement_char: the code of the character to replace them with.
        replace_control_characters: whether control characters are replaced, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the encoding is not known.
    """

def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    separator: str = '',
    name: str | None = None,
) -> Tensor:
    """Return the strings of each segment joined, in their order.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        segment_ids: for each row of the data, the segment that it belongs to.
        num_segments: the number of segments.
        separator: what stands between the parts.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of the ids does not fit.
    """

def upper(input: TensorLike, encoding: str = '', name: str | None = None) -> Tensor:
    """Return strings in capital letters: ASCII ones, or all with encoding="utf-8".

    Args:
        input: a tensor, or what converts to one.
        encoding: the encoding of the bytes, such as "utf-8".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or `encoding`
            is not a known one.

    Derivative: none; the result consists of integers, truth values or strings.
    """
