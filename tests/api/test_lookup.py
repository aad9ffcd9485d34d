"""`tf.lookup`: what its recorded cases do not say (errors in words, functions, exports)."""

import numpy as np
import pytest

import gradtape as tf


def letters(default=-1):
    initializer = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    return tf.lookup.StaticHashTable(initializer, default)


def test_a_static_table_is_part_of_a_graph(caplog):
    table = letters()

    @tf.function
    def result(words):
        return table.lookup(tf.strings.lower(words)) * 2

    np.testing.assert_array_equal(result(tf.constant(["A", "c"])), [2, -2])
    assert not caplog.text
    assert "host_call" in tf.graph.text(result)


def test_a_function_sees_what_its_calls_have_done_to_a_table(caplog):
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, 0)

    @tf.function
    def count(word):
        table.insert(word, table[word] + 1)
        return table[word], table.size()

    seen = [tuple(map(int, count(tf.constant(word)))) for word in ("a", "a", "b")]
    assert seen == [(1, 1), (2, 1), (1, 2)]
    assert count.experimental_get_tracing_count() == 1
    table.insert("a", 7)
    assert int(count(tf.constant("a"))[0]) == 8


def test_a_table_is_used_in_branches_and_loops_of_a_function():
    table = tf.lookup.experimental.DenseHashTable(
        tf.int64, tf.float32, -1.0, empty_key=-1, deleted_key=-2
    )

    @tf.function
    def fill(n, forgets):
        for i in tf.range(n):
            table.insert(i, tf.cast(i, tf.float32) * 2.0)
        if forgets:
            table.remove(tf.constant([0, 1], tf.int64))
        return table.lookup(tf.constant([0, 1, 2], tf.int64))

    n = tf.constant(3, tf.int64)
    np.testing.assert_array_equal(fill(n, tf.constant(False)), [0, 2, 4])
    np.testing.assert_array_equal(fill(n, tf.constant(True)), [-1, -1, 4])
    assert int(table.size()) == 1


def test_lists_are_looked_up_too():
    np.testing.assert_array_equal(letters()[["a", "c"]], [1, -1])


def test_a_dense_table_exports_the_keys_that_are_there():
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, 0.0, -1, -2)
    table.insert_or_assign([3, 4, 5], [1.5, 2.5, 3.5])
    table.erase([4])
    keys, values = table.export()
    assert dict(zip(keys.numpy().tolist(), values.numpy().tolist(), strict=True)) == {
        3: 1.5,
        5: 3.5,
    }


def test_what_is_no_initializer_and_no_shape_of_keys():
    with pytest.raises(TypeError, match=r"filled by an initializer such as .*, got \[1\]"):
        tf.lookup.StaticHashTable([1], 2)
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, 0, [0, 0], [-1, -1])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"keys of shape \[..., 2\], got \[3\]"
    ):
        table.lookup([1, 2, 3])
    plain = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected shape \[2\] for default"):
        plain.lookup([1, 2], [5])


def test_no_gradient_flows_through_a_table():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1, 2], [0.5, 1.5]), 0.0)
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = table.lookup(tf.cast(x, tf.int32))
    np.testing.assert_array_equal(y, [0.5, 1.5])
    assert tape.gradient(y, x) is None


def test_xla_leaves_tables_to_the_host(caplog):
    pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")
    table = letters()

    @tf.function(jit_compile=True)
    def result(words):
        return table.lookup(words) + 1

    np.testing.assert_array_equal(result(tf.constant(["b", "c"])), [3, 0])
    assert "is compiled in parts, between which the host works" in caplog.text
