"""`tf.strings`: what its recorded cases do not say (errors in words, functions, devices)."""

import pytest

import gradtape as tf


def test_strings_refuse_what_is_none():
    Invalid = tf.errors.InvalidArgumentError
    for join in (tf.strings.join, tf.strings.reduce_join):
        for separator in (tf.float32, 3, ["-"], tf.constant("-")):
            with pytest.raises(TypeError, match=r"Expected string for argument 'separator'"):
                join(["a", "b"], separator=separator)
        assert join(["a", "b"], separator=b"-").numpy() == b"a-b"
        assert join(["a", "b"], separator=None).numpy() == b"ab"
    with pytest.raises(Invalid, match=r"Use tf.strings.as_string"):
        tf.strings.join([tf.constant(1)])
    with pytest.raises(Invalid, match=r"Input shapes do not match"):
        tf.strings.join([tf.constant(["a"]), tf.constant(["b", "c"])])
    with pytest.raises(Invalid, match=r"could not correctly convert string: x"):
        tf.strings.to_number("x")
    with pytest.raises(Invalid, match=r"'unit' of 'WORD' is not in the list"):
        tf.strings.length("x", unit="WORD")
    with pytest.raises(Invalid, match=r"precision not supported for int32"):
        tf.as_string(3, precision=2)
    with pytest.raises(
        ValueError, match=r"The template expects 1 tensors, but the inputs only has 2"
    ):
        tf.strings.format("{}", (1, 2))


def test_strings_are_ops_of_a_graph(caplog):
    @tf.function
    def clean(words):
        return tf.strings.regex_replace(tf.strings.lower(words), "[aeiou]", "*")

    assert clean(tf.constant(["Hello"])).numpy().tolist() == [b"h*ll*"]
    assert not caplog.text
    assert "host_call" in tf.graph.text(clean)


def test_parts_of_one_string_are_dense_and_those_of_several_ragged():
    assert tf.strings.split("a b").numpy().tolist() == [b"a", b"b"]
    for split in (
        tf.strings.split,
        tf.strings.bytes_split,
        lambda x: tf.strings.unicode_split(x, "UTF-8"),
        lambda x: tf.strings.unicode_decode(x, "UTF-8"),
    ):
        assert type(split(["a b", "c"])).__name__ == "RaggedTensor"


def test_a_single_byte_of_a_regular_expression_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\\C, a single byte"):
        tf.strings.regex_full_match("a", r"\C")


@pytest.mark.parametrize(
    ("pattern", "matches", "does_not"),
    [
        (r"(?i:a)b", "Ab", "AB"),
        (r"((?i)a)b", "Ab", "AB"),
        (r"(?i)a(?-i)b", "Ab", "AB"),
        (r"(?i)a(?-i:b)c", "AbC", "ABC"),
        (r"[[:alpha:]\d_-]+", "a1_-", "a b"),
        (r"\Qa+b\E+", "a+bb", "aab"),
        (r"[^\d\s]+", "ab", "a1"),
        (r"\p{Lu}\pN", "Ä٣", "ä3"),
        (r"[\p{Greek}\p{^Any}]", "α", "a"),
        (r"(?s:.)a", "\na", "\n"),
        (r"x{2,3}?y", "xxy", "xy"),
    ],
)
def test_what_re2_reads_otherwise_than_python(pattern, matches, does_not):
    assert bool(tf.strings.regex_full_match(matches, pattern))
    assert not bool(tf.strings.regex_full_match(does_not, pattern))
