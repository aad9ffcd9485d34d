"""Models with tables, files and strings that both libraries build and save."""

from __future__ import annotations

import os
import tempfile

import numpy as np


def hash_table(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.lookup.StaticHashTable(
                tf.lookup.KeyValueTensorInitializer(["a", "b", "c"], [1.5, -2.0, 3.0]), 0.5
            )
            self.w = tf.Variable([1.0, 2.0])

        @tf.function(input_signature=[tf.TensorSpec([2], tf.string)])
        def __call__(self, keys):
            return self.table.lookup(keys) * self.w

    return Model(), {"__call__": (np.array([b"b", b"x"], object),)}


def vocabulary(tf):
    path = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(path, "w") as file:
        file.write("the\ncat\nsat\n")

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.lookup.StaticVocabularyTable(
                tf.lookup.TextFileInitializer(
                    path,
                    tf.string,
                    tf.lookup.TextFileIndex.WHOLE_LINE,
                    tf.int64,
                    tf.lookup.TextFileIndex.LINE_NUMBER,
                ),
                2,
            )

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def __call__(self, words):
            return self.table.lookup(words)

    return Model(), {"__call__": (np.array([b"sat", b"the", b"dog", b"bird"], object),)}


def texts(tf):
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def __call__(self, words):
            lower = tf.strings.lower(tf.strings.regex_replace(words, "[^A-Za-z ]", ""))
            return (
                tf.strings.join([lower, words], "-"),
                tf.strings.length(lower),
                tf.strings.to_hash_bucket_fast(lower, 7),
                tf.strings.substr(lower, 0, 1),
            )

    return Model(), {"__call__": (np.array([b"Hello, World!", b"x1"], object),)}


BUILDERS = [hash_table, vocabulary]
# What is computed by Python here, and so cannot be written.
READ_ONLY = [texts]
