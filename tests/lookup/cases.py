"""Tables of `tf.lookup` whose answers, or errors, are TensorFlow's.

Each case is an expression of the module `tf` and of the functions below. `tests/recorded/record.py`
runs them with TensorFlow and writes `recorded.json`; `test_recorded.py` beside it compares.
"""

import functools
import os

import numpy as np

STATIC = r"""
static().lookup(tf.constant(["a", "c"]))
static()[tf.constant([["a"], ["b"]])]
static().size()
static(d="x")
static(d=[1])
static(d=1.5)
static().lookup(tf.constant([1]))
static(k=("a", "a"), v=(1, 2))
static(k=("a", "a"), v=(1, 1)).size()
static(k=("a", "b"), v=(1, 2, 3))
static(k=(1, 2), v=("x", "y"), d="").lookup(tf.constant([2, 3]))
static(k=(1, 2), v=("x", "y"), d="", key_dtype=I).lookup(tf.constant([2, 3]))
static(k=(1, 2), v=("x", "y"), d="", key_dtype=I).lookup(tf.constant([2, 3], I))
static(value_dtype=F).lookup(tf.constant(["a"]))
static(k=(1.0, 2.0), v=(1.0, 2.0), d=0.0)
static(k=(True,), v=(1,))
static(v=([1, 2], [3, 4]))
static().key_dtype.name
static().value_dtype.name
static().default_value
static().export()[0].shape.as_list()
static().lookup(tf.sparse.from_dense([["a", ""], ["", "b"]])).values
static().lookup(tf.zeros([0, 2], tf.string))
tf.lookup.KeyValueTensorInitializer(["a"], [1]).key_dtype.name
tf.lookup.KeyValueTensorInitializer(["a"], ["b"]).value_dtype.name
traced(static().lookup)(tf.constant(["a", "c"]))
tf.data.Dataset.from_tensor_slices(["a", "c"]).map(static().lookup)
tf.data.Dataset.from_tensor_slices(["a", "c"]).map(static().lookup).element_spec
tf.data.Dataset.from_tensor_slices(["a", "c"]).batch(2).map(static().lookup).element_spec
"""
FILES = r"""
lines("a", S, WHOLE, I, NUMBER).lookup(tf.constant(["y", "q"]))
lines("b", S, WHOLE, I, NUMBER, value_index_offset=5).lookup(tf.constant(["y", "q"]))
lines("c", I, NUMBER, S, WHOLE, d="?").lookup(tf.constant([1, 9], I))
columns("d", S, 0, I, 1).lookup(tf.constant(["y"]))
columns("e", I, 1, S, 0, d="").lookup(tf.constant([2], I))
columns("f", S, WHOLE, I, NUMBER, delimiter=" ").lookup(tf.constant(["y\t2"]))
columns("g", S, 1, I, 0)
columns("h", S, 3, I, 1)
lines("i", S, WHOLE, I, NUMBER, vocab_size=2).size()
lines("j", S, WHOLE, I, NUMBER, vocab_size=5)
lines("k", S, WHOLE, I, NUMBER, vocab_size=0)
lines("l", S, WHOLE, I, NUMBER, delimiter="ab")
lines("m", S, WHOLE, I, WHOLE)
lines("n", S, WHOLE, S, NUMBER)
lines("o", S, NUMBER, I, NUMBER)
lines("p", S, -3, I, NUMBER)
lines("q", S, WHOLE, I3, NUMBER)
lines("r", F, WHOLE, I, NUMBER)
lines("s", I, NUMBER, I, NUMBER)
file("t", "x\ny\nx\n", S, WHOLE, I, NUMBER)
file("u", "", S, WHOLE, I, NUMBER)
file("v", "x\t1\ny\n", S, 0, I, 1)
file("w", "x\r\ny\r\n", S, WHOLE, I, NUMBER).lookup(tf.constant(["x", "x\r"]))
file("x", "x\n\ny", S, WHOLE, I, NUMBER).lookup(tf.constant(["x", "", "y"]))
file("y", "1\n2\n", I, WHOLE, I, NUMBER).lookup(tf.constant([2, 1], I))
file(None, "", S, WHOLE, I, NUMBER)
"""
VOCABULARY = r"""
words().lookup(tf.constant(["a", "b", "c", "d", "e"]))
words(1)[tf.constant("zzz")]
words(1000).lookup(tf.constant(["the", "quick", "brown", "fox", "a rather long word, or not"]))
words().size()
words(0)
words(None)
words("a")
words().lookup(tf.constant([1]))
words().key_dtype.name
words().value_dtype.name
words().lookup(tf.sparse.from_dense([["a", ""], ["", "q"]])).values
traced(words(7).lookup)(tf.constant(["a", "x", "y"]))
tf.data.Dataset.from_tensor_slices(["a", "x"]).map(words(5).lookup)
tf.lookup.StaticVocabularyTable(None, 3).lookup(tf.constant(["a", "b"]))
tf.lookup.StaticVocabularyTable(None, 3).size()
tf.lookup.StaticVocabularyTable(None, 3, lookup_key_dtype=I).lookup(tf.constant([5], I))
tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["a"], [0]), 1)
numbers(4).lookup(tf.constant([5, 7, 8], I))
numbers(4, I3).lookup(tf.constant([5, 7, 8]))
numbers(4, S)
"""
MUTABLE = r"""
steps(mutable(), ("insert", AB, [1, 2]), ("lookup", AC), "size", ("remove", A), "size", "export")
steps(mutable(), ("insert", ["a", "a"], [1, 2]), ("lookup", AC))
steps(mutable(d=[0, 0]), ("insert", A, [[1, 2]]), ("lookup", AC))
steps(mutable(), ("insert", tf.constant("a"), 1), ("lookup", tf.constant("a")))
steps(mutable(), ("insert", A, [1, 2]))
steps(mutable(), ("insert", [1], [1]))
steps(mutable(), ("insert", A, ["x"]))
steps(mutable(), ("insert", A, [[1]]))
steps(mutable(), ("lookup", AC, tf.constant([7, 8], I)))
steps(mutable(), ("insert", A, [1]), ("lookup", AC, tf.constant([7, 8], I)))
steps(mutable(), ("remove", tf.constant([1])))
steps(mutable(), ("remove", AC), "size", "export")
steps(mutable(), ("insert", A, [1]), ("insert", A, [5]), ("lookup", AC), "size")
steps(mutable(I, S, "x"), ("lookup", tf.constant([1], I)))
steps(mutable(S, F, 1), ("lookup", A))
steps(mutable(S, I3, 1), ("lookup", A))
steps(mutable(S, B, True), ("lookup", A))
steps(mutable(I3, I3, 1), ("lookup", tf.constant([1])))
mutable(S, I, 1.5)
mutable(F, I, 1)
mutable()["a"]
mutable().key_dtype.name
counted(mutable())
restored(mutable, A, [3])
restored(functools.partial(mutable, d=[0, 0]), A, [[3, 4]])
restored(functools.partial(mutable, checkpoint=False), A, [3])
restored(functools.partial(mutable, I, F, 0.0), tf.constant([4], I), [1.5])
steps(dense(), ("insert", AB, [1, 2]), ("lookup", AC), "size", ("remove", A), ("lookup", AB))
steps(dense(), ("insert", ["$"], [1]))
steps(dense(), ("insert", ["!"], [1]))
steps(dense(), ("lookup", tf.constant(["$"])))
steps(dense(), ("remove", tf.constant(["$"])))
steps(dense(), ("insert", A, [1]), ("erase", A), "size")
dense(e="!")
dense(initial_num_buckets=3)
steps(dense(initial_num_buckets=4), "size")
steps(dense(I, I, -1, 0, -1), ("insert", K, K), ("lookup", tf.constant([5, 7], I)))
steps(dense(I, I, [-1, -1], 0, -1), ("insert", K, [[6, 7]]), ("lookup", tf.constant([5, 7], I)))
steps(dense(I, I, -1, [0, 0], [-1, -1]), ("insert", [[5, 6]], [6]), ("lookup", [[5, 6], [1, 1]]))
dense(I, I, -1, [0, 0], -1)
restored(dense, A, [3])
"""
EXPRESSIONS = [
    line for group in (STATIC, FILES, VOCABULARY, MUTABLE) for line in group.strip().splitlines()
]


def names(tf, folder):
    """What the expressions are made of."""
    lookup, experimental = tf.lookup, tf.lookup.experimental
    S, I64, F = tf.string, tf.int64, tf.float32

    def static(k=("a", "b"), v=(1, 2), d=-1, **options):
        initializer = lookup.KeyValueTensorInitializer(list(k), list(v), **options)
        return lookup.StaticHashTable(initializer, d)

    def file(name, text, *columns, d=-1, **options):
        path = os.path.join(folder, str(name))
        if name is not None:
            with open(path, "w", encoding="utf-8", newline="") as out:
                out.write(text)
        return lookup.StaticHashTable(lookup.TextFileInitializer(path, *columns, **options), d)

    def words(buckets=2):
        ids = tf.constant([0, 1], I64)
        initializer = lookup.KeyValueTensorInitializer(["a", "b"], ids)
        return lookup.StaticVocabularyTable(initializer, buckets)

    def numbers(buckets, dtype=None):
        initializer = lookup.KeyValueTensorInitializer([5, 6], [0, 1], I64, I64)
        return lookup.StaticVocabularyTable(initializer, buckets, lookup_key_dtype=dtype)

    def mutable(k=S, v=I64, d=-1, **options):
        return experimental.MutableHashTable(k, v, d, **options)

    def dense(k=S, v=I64, d=-1, e="$", x="!", **options):
        return experimental.DenseHashTable(k, v, d, e, x, **options)

    def steps(table, *calls):
        results = []
        for call in calls:
            name, *arguments = [call] if isinstance(call, str) else call
            results.append(getattr(table, name)(*arguments))
        return results

    def counted(table):
        """A table that a function changes."""

        @tf.function
        def count(word):
            table.insert(word, table.lookup(word) + 1)
            return table.lookup(word)

        return [count(tf.constant(word)) for word in ("a", "b", "a", "a")]

    def restored(make, keys, values):
        table, other = make(), make()
        table.insert(keys, values)
        path = tf.train.Checkpoint(table=table).save(os.path.join(folder, "saved"))
        tf.train.Checkpoint(table=other).restore(path)
        return [other.size(), other.lookup(tf.convert_to_tensor(keys))]

    return {
        "tf": tf,
        "functools": functools,
        "S": S,
        "I": I64,
        "I3": tf.int32,
        "F": F,
        "B": tf.bool,
        "WHOLE": lookup.TextFileIndex.WHOLE_LINE,
        "NUMBER": lookup.TextFileIndex.LINE_NUMBER,
        "A": tf.constant(["a"]),
        "AB": tf.constant(["a", "b"]),
        "AC": tf.constant(["a", "c"]),
        "K": tf.constant([5], I64),
        "lines": lambda name, *columns, **options: file(name, "x\ny\nz\n", *columns, **options),
        "columns": lambda name, *columns, **options: file(
            name, "x\t1\ny\t2\n", *columns, **options
        ),
        "traced": tf.function,
        "static": static,
        "file": file,
        "words": words,
        "numbers": numbers,
        "mutable": mutable,
        "dense": dense,
        "steps": steps,
        "counted": counted,
        "restored": restored,
    }


def _call(expression):
    return lambda tf, folder: eval(expression, names(tf, folder))


CASES = {expression: _call(expression) for expression in EXPRESSIONS}


def plain(value):
    """A result as JSON can hold it, with dtypes and shapes."""
    if value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, (list, tuple)) or hasattr(value, "element_spec"):
        return [plain(item) for item in value]
    if type(value).__name__ == "TensorSpec":
        return repr(value)
    if hasattr(value, "lookup"):
        return "a table"
    array = np.asarray(value)
    kind = "string" if array.dtype == object else array.dtype.name
    return [kind, list(array.shape), [repr(x) for x in array.ravel().tolist()]]
