"""What an error about two dtypes advises: it works, and nothing that an operand holds is lost."""

import itertools
import re

import numpy as np
import pytest

import gradtape as tf
from gradtape.core import dtypes

KINDS = """
bool int8 uint8 int16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64 complex64
complex128 float8_e5m2 float8_e4m3fn
""".split()
PAIRS = list(itertools.permutations(KINDS, 2))


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_advice_gives_both_the_same_dtype_and_keeps_values(pair):
    x, y = (tf.cast(tf.constant([0, 1]), dtypes.as_dtype(name)) for name in pair)
    advice = dtypes.how_to_match(x.dtype, y.dtype)
    results = {"x": x, "y": y}
    casts = re.findall(r"tf\.cast\(([xy]), (.*?)\)", advice)
    assert casts, advice
    for letter, kind in casts:
        results[letter] = tf.cast(results[letter], eval(kind, {"tf": tf}))
    one, two = results["x"], results["y"]
    assert one.dtype == two.dtype
    for before, after in ((x, one), (y, two)):
        if before.dtype.is_complex:
            assert after.dtype.is_complex
        if before.dtype.is_floating:
            assert after.dtype.is_floating or after.dtype.is_complex
        if before.dtype.is_floating and after.dtype.is_floating:  # digits and range are not fewer
            old, new = (dtypes.as_dtype(t.dtype) for t in (before, after))
            assert float(new.max) >= float(old.max)
            assert tf.cast(tf.cast(before, new), old).numpy().tolist() == before.numpy().tolist()
        if before.dtype.is_integer and after.dtype.is_integer:
            assert after.dtype.max >= before.dtype.max
            assert after.dtype.min <= before.dtype.min


COMBINED = "Convert the tensor that it is combined with: "


@pytest.mark.parametrize(
    ("compute", "advice"),
    [
        (lambda i, f: i + f, "Convert the first: tf.cast(x, tf.float32)."),
        (lambda i, f: f + i, "Convert the second: tf.cast(y, tf.float32)."),
        (lambda i, f: tf.matmul(i[None], f[:, None]), "Convert the first: tf.cast(x, tf.float32)."),
        (lambda i, f: tf.stack([f, i]), "Convert the second: tf.cast(y, tf.float32)."),
        (lambda i, f: f + tf.cast(f, tf.float64), "Convert the first: tf.cast(x, tf.float64)."),
        (lambda i, f: i + tf.cast(i, tf.int64), "Convert the first: tf.cast(x, tf.int64)."),
        (
            lambda i, f: i * 1.5,
            COMBINED + "tf.cast(x, tf.float32).",
        ),
        (
            lambda i, f: 1.5 - i,
            COMBINED + "tf.cast(x, tf.float32).",
        ),
        (lambda i, f: i * 1j, COMBINED + "tf.cast(x, tf.complex64)."),
        (lambda i, f: f + tf.constant("a"), "tf.strings.to_number(x)"),
    ],
)
def test_errors_advise_to_convert_what_loses_nothing(compute, advice):
    with pytest.raises((TypeError, ValueError, tf.errors.InvalidArgumentError)) as caught:
        compute(tf.constant([1, 2]), tf.constant([1.5, 2.5]))
    assert advice in str(caught.value)


def test_the_advised_sum_has_the_fractions():
    i, f = tf.constant([1, 2]), tf.constant([1.5, 2.5])
    np.testing.assert_array_equal(tf.cast(i, tf.float32) + f, [2.5, 4.5])
