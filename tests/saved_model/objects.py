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


def mutable_tables(tf):
    """Tables that change: of numbers and of vectors, which functions look up, fill and empty."""
    experimental = tf.lookup.experimental

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.scores = experimental.MutableHashTable(tf.string, tf.float32, -1.0)
            self.scores.insert(tf.constant(["a", "b"]), tf.constant([1.5, 2.5]))
            self.vectors = experimental.MutableHashTable(tf.int64, tf.float32, [0.0, 1.0])
            self.vectors.insert(tf.constant([7], tf.int64), tf.constant([[3.0, 4.0]]))
            self.w = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def __call__(self, words):
            return self.scores.lookup(words) * self.w

        @tf.function(
            input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([None], tf.float32)]
        )
        def learn(self, words, scores):
            before = self.scores.size()
            self.scores.insert(words, self.scores.lookup(words) + scores)
            self.scores.remove(words[:1])
            return before, self.scores.size(), self.scores.lookup(words)

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.int64)])
        def vector(self, keys):
            return self.vectors.lookup(keys)

    return Model(), {
        "__call__": (np.array([b"b", b"x"], object),),
        "learn": (np.array([b"a", b"c", b"b"], object), np.array([1.0, 2.0, 3.0], np.float32)),
        "vector": (np.array([[7, 1], [2, 7]]),),
    }


def dense_table(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.lookup.experimental.DenseHashTable(
                tf.int64,
                tf.float32,
                [-1.0, 0.0],
                empty_key=-1,
                deleted_key=-2,
                initial_num_buckets=16,
            )
            self.table.insert(tf.constant([3, 400], tf.int64), tf.constant([[1.0, 2], [3, 4]]))

        @tf.function(input_signature=[tf.TensorSpec([None], tf.int64)])
        def __call__(self, keys):
            result = self.table.lookup(keys)
            self.table.erase(keys[:1])
            return result, self.table.lookup(keys), self.table.size()

    return Model(), {"__call__": (np.array([400, 5, 3]),)}


def exported_table(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, 0)
            self.table.insert(tf.constant(["one"]), tf.constant([1], tf.int64))

        @tf.function(input_signature=[])
        def __call__(self):
            return self.table.export()

    return Model(), {"__call__": ()}


BUILDERS = [hash_table, vocabulary, mutable_tables, dense_table]
# What is computed by Python here, and so cannot be written.
READ_ONLY = [texts, exported_table]
