"""Models of tf.Module that work on strings, print and check; as in `modules.py`."""

from __future__ import annotations

import sys

import numpy as np

WORDS = np.array([b"  Deep Learning ", b"on tapes", "ÄÖ größer".encode(), b"", b"a1b22"], object)


def strings(tf):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def __call__(self, x):
            low = tf.strings.lower(tf.strings.strip(x))
            return (
                low,
                tf.strings.upper(x, encoding="utf-8"),
                tf.strings.length(x),
                tf.strings.length(x, unit="UTF8_CHAR"),
                tf.strings.join([low, x, "!"], separator="-"),
                tf.strings.reduce_join(x, separator=" "),
                tf.strings.substr(tf.strings.join([x, "12345"]), 1, 3),
                tf.strings.regex_replace(x, "[0-9]+", "#"),
                tf.strings.regex_full_match(x, ".*[aeiou].*"),
                tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"),
            )

    return Model(), {"__call__": (WORDS,)}


def text_of_numbers(tf):
    class Model(tf.Module):
        @tf.function(
            input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([2, 2], tf.float32)]
        )
        def __call__(self, x, y):
            number = tf.strings.to_number(x)
            return (
                number * 2.0,
                tf.strings.to_number(tf.strings.regex_replace(x, "[.].*", ""), tf.int64),
                tf.strings.as_string(y, precision=3),
                tf.strings.as_string(tf.cast(y, tf.int32), width=5, fill="0"),
                tf.strings.as_string(y > 0.0),
                tf.strings.format("y = {}, {} of them", (y, tf.size(y))),
                tf.reduce_sum(y * y) * number,
            )

    numbers = np.array([b"1.5", b"-20", b"300"], object)
    return Model(), {"__call__": (numbers, np.array([[1.0, -2.0], [0.25, 1e6]], np.float32))}


def hashes_of_text(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.rows = tf.Variable(np.arange(40, dtype=np.float32).reshape(10, 4))

        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.string)])
        def __call__(self, x):
            fast = tf.strings.to_hash_bucket_fast(x, 10)
            strong = tf.strings.to_hash_bucket_strong(x, 10, [3, 7])
            return fast, strong, tf.gather(self.rows, fast) + tf.gather(self.rows, strong)

    return Model(), {"__call__": (WORDS[:4].reshape(2, 2),)}


def segments_of_text(tf):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([5], tf.string), tf.TensorSpec([5], tf.int32)])
        def __call__(self, x, ids):
            table = tf.reshape(tf.concat([x, ["z"]], 0), [2, 3])
            return (
                tf.strings.unsorted_segment_join(x, ids, 3, separator="+"),
                tf.strings.reduce_join(table, axis=1, keepdims=True, separator=","),
                tf.strings.reduce_join(table, axis=[0, 1]),
                tf.strings.unicode_script(ids + 65),
                tf.gather(x, ids),
                tf.where(tf.equal(x, ""), "empty", x),
            )

    return Model(), {"__call__": (WORDS, np.array([2, 0, 0, 1, 2], np.int32))}


def prints_and_checks(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([1.0, 2.0])

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def __call__(self, x):
            tf.debugging.assert_less(x, 100.0, message="too large")
            tf.print("sum", tf.reduce_sum(x), "of", x, output_stream=sys.stdout)
            y = x * self.w
            tf.Assert(tf.reduce_all(y < 1e4), ["large", y])
            if tf.reduce_sum(y) > 0.0:
                tf.print("positive {}", tf.shape(y), summarize=-1)
                y = y * 2.0
            tf.debugging.assert_equal(tf.shape(x)[1], 2)
            return y

    return Model(), {"__call__": (np.array([[1.0, 2.0], [3.0, -4.0]], np.float32),)}


BUILDERS = [strings, text_of_numbers, hashes_of_text, segments_of_text, prints_and_checks]
