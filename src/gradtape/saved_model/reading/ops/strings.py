"""Ops of TensorFlow on strings, and sums over sparse rows."""

from __future__ import annotations

from gradtape.api.export import lookup
from gradtape.core.dtypes import float32
from gradtape.saved_model.reading.table import op, rows

rows(
    StringStrip="strings.strip",
    UnicodeScript="strings.unicode_script",
)


@op("AsString")
def as_string(x, *, precision=-1, scientific=False, shortest=False, width=-1, fill=b""):
    return lookup("strings.as_string")(x, precision, scientific, shortest, width, fill.decode())


@op("StringJoin")
def join(*inputs, separator=b""):
    return lookup("strings.join")(list(inputs), separator.decode())


@op("StringLength")
def length(x, *, unit=b"BYTE"):
    return lookup("strings.length")(x, unit.decode())


@op("StringLower")
def lower(x, *, encoding=b""):
    return lookup("strings.lower")(x, encoding.decode())


@op("StringUpper")
def upper(x, *, encoding=b""):
    return lookup("strings.upper")(x, encoding.decode())


@op("Substr")
def substr(x, at, size, *, unit=b"BYTE"):
    return lookup("strings.substr")(x, at, size, unit.decode())


@op("RegexReplace")
def regex_replace(x, pattern, rewrite, *, replace_global=True):
    texts = [pattern.numpy().decode(), rewrite.numpy().decode()]
    return lookup("strings.regex_replace")(x, *texts, replace_global)


@op("StaticRegexReplace")
def static_regex_replace(x, *, pattern, rewrite, replace_global=True):
    return lookup("strings.regex_replace")(x, pattern.decode(), rewrite.decode(), replace_global)


@op("RegexFullMatch")
def regex_full_match(x, pattern):
    return lookup("strings.regex_full_match")(x, pattern.numpy().decode())


@op("StaticRegexFullMatch")
def static_regex_full_match(x, *, pattern):
    return lookup("strings.regex_full_match")(x, pattern.decode())


@op("StringToNumber")
def to_number(x, *, out_type=float32):
    return lookup("strings.to_number")(x, out_type)


@op("StringToHashBucket")
def to_hash_bucket_of_old(x, *, num_buckets):
    return lookup("strings.to_hash_bucket")(x, num_buckets)


@op("UnicodeTranscode")
def transcode(
    x,
    *,
    input_encoding,
    output_encoding,
    errors=b"replace",
    replacement_char=65533,
    replace_control_characters=False,
):
    return lookup("strings.unicode_transcode")(
        x,
        input_encoding.decode(),
        output_encoding.decode(),
        errors.decode(),
        replacement_char,
        replace_control_characters,
    )


@op("UnsortedSegmentJoin")
def segment_join(x, ids, count, *, separator=b""):
    return lookup("strings.unsorted_segment_join")(x, ids, count, separator.decode())


@op("StringToHashBucketFast")
def to_hash_bucket(x, *, num_buckets):
    return lookup("strings.to_hash_bucket_fast")(x, num_buckets)


@op("StringToHashBucketStrong")
def to_hash_bucket_strong(x, *, num_buckets, key):
    return lookup("strings.to_hash_bucket_strong")(x, num_buckets, key)


@op("ReduceJoin")
def reduce_join(x, axis, *, keep_dims=False, separator=b""):
    return lookup("strings.reduce_join")(x, axis, keep_dims, separator.decode())


@op("StringSplitV2", outputs="indices values shape")
def split(x, separator, *, maxsplit=-1):
    """Split strings; the pieces are those of a sparse tensor."""
    rows = lookup("strings.split")(x, separator.numpy().decode() or None, maxsplit)
    sparse = rows.to_sparse()
    return sparse.indices, sparse.values, sparse.dense_shape
