"""Extension types where composites are taken: functions, control flow, nests, tapes, loops of
rows."""

import typing

import numpy as np
import pytest

import gradtape as tf


class Point(tf.experimental.BatchableExtensionType):
    x: tf.Tensor
    n: int = 3


class Table(tf.experimental.ExtensionType):
    columns: typing.Mapping[str, tf.Tensor]
    rows: tf.RaggedTensor
    point: Point


def table():
    return Table({"b": 1.0, "a": 2.0}, tf.ragged.constant([[1, 2], [3]]), Point(4.0))


def test_a_function_is_traced_once_for_each_spec():
    traces = []

    @tf.function
    def shifted(p):
        traces.append(p)
        return Point(p.x + 1, p.n)

    assert float(shifted(Point(1.0)).x) == 2.0
    assert float(shifted(Point(5.0)).x) == 6.0
    assert len(traces) == 1
    assert shifted(Point(1.0, 4)).n == 4
    assert shifted(Point([1.0])).x.shape == [1]
    assert len(traces) == 3


def test_keys_of_a_mapping_are_part_of_the_spec():
    @tf.function
    def doubled(t):
        return Table({k: v * 2 for k, v in t.columns.items()}, t.rows * 2, Point(t.point.x))

    result = doubled(table())
    assert {k: float(v) for k, v in result.columns.items()} == {"b": 2.0, "a": 4.0}
    assert result.rows.to_list() == [[2, 4], [6]]
    other = Table({"c": 1.0, "d": 2.0}, table().rows, Point(4.0))
    assert list(doubled(other).columns) == ["c", "d"]


def test_signatures_and_concrete_functions():
    spec = Point.Spec(tf.TensorSpec([None]), 3)
    doubled = tf.function(lambda p: Point(p.x * 2), input_signature=[spec])
    np.testing.assert_array_equal(doubled(Point([1.0])).x, [2.0])
    np.testing.assert_array_equal(doubled(Point([1.0, 2.0])).x, [2.0, 4.0])
    with pytest.raises(TypeError, match=r"Can not cast Point\.Spec"):
        doubled(Point([1]))
    concrete = tf.function(lambda p: p.x + 1).get_concrete_function(spec)
    assert concrete.graph is not None
    np.testing.assert_array_equal(concrete(Point([1.0, 2.0])), [2.0, 3.0])
    with pytest.raises(TypeError, match="Can not cast"):
        concrete(Point([1]))


def is_graph(function):
    return all(entry.routine is not None for entry in function._cache.entries.values())


def test_branches_and_loops_carry_components():
    @tf.function
    def branch(flag, t):
        if flag:
            t = Table(t.columns, t.rows * 2, Point(t.point.x + 1))
        return t

    assert branch(tf.constant(True), table()).rows.to_list() == [[2, 4], [6]]
    assert float(branch(tf.constant(False), table()).point.x) == 4.0
    assert is_graph(branch)

    @tf.function
    def loop(count, p):
        return tf.while_loop(
            lambda i, p: i < count, lambda i, p: (i + 1, Point(p.x * 2, p.n)), [0, p]
        )[1]

    assert float(loop(tf.constant(100), Point(1.0)).x) == 2.0**100
    assert is_graph(loop)
    assert float(tf.cond(tf.constant(True), lambda: Point(1.0), lambda: Point([2.0])).x) == 1.0


def test_branches_of_different_static_values_run_eagerly():
    @tf.function
    def branch(flag):
        return tf.cond(flag, lambda: Point(1.0, 1), lambda: Point(2.0, 2))

    assert branch(tf.constant(True)).n == 1
    assert branch(tf.constant(False)).n == 2


def test_nests_expand_values_and_specs():
    flat = tf.nest.flatten(table(), expand_composites=True)
    assert len(flat) == 5
    assert float(flat[0]) == 2.0  # of the key a
    for like in (table(), tf.type_spec_from_value(Point(1.0))):
        parts = tf.nest.flatten(like, expand_composites=True)
        assert type(tf.nest.pack_sequence_as(like, parts, expand_composites=True)) in (
            Table,
            Point,
        )
    added = tf.nest.map_structure(lambda x: x + 1, [Point(1), Point(2)], expand_composites=True)
    assert [int(p.x) for p in added] == [2, 3]
    tf.nest.assert_same_structure(Point(1), Point(2), expand_composites=True)
    for other in (Point(1, 5), table()):
        with pytest.raises(ValueError, match="Incompatible CompositeTensor TypeSpecs"):
            tf.nest.assert_same_structure(Point(1), other, expand_composites=True)
    with pytest.raises(ValueError, match="is a sequence, while substructure"):
        tf.nest.assert_same_structure(Point(1), tf.constant(1), expand_composites=True)


def test_gradients_flow_through_fields():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.function(lambda p: Point(p.x * p.x))(Point(x)).x
    assert float(tape.gradient(y, x)) == 6.0
    assert float(tape.gradient(y, x)) == 6.0
    point = Point(3.0)
    with tf.GradientTape() as tape:
        tape.watch(point)
        y = point.x * point.x
    assert float(tape.gradient(y, point.x)) == 6.0
    with tf.GradientTape() as tape:
        tape.watch(point)
        y = point.x * point.x
    with pytest.raises(ValueError, match="Type Point is not supported as a gradient source"):
        tape.gradient(y, point)


class OfValues:
    def get_gradient_components(self, value):
        return value.values

    def replace_gradient_components(self, value, component_grads):
        return value.with_values(component_grads)


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
    __composite_gradient__ = property(lambda self: OfValues())

    def with_values(self, values):
        return Masked(values, self.mask)


def test_a_class_may_say_what_is_differentiated():
    source = Masked([1.0, 2.0], [True, False])
    with tf.GradientTape() as tape:
        tape.watch(source)
        target = Masked(source.values * source.values, source.mask)
    gradient = tape.gradient(target, source)
    assert isinstance(gradient, Masked)
    np.testing.assert_array_equal(gradient.values, [2.0, 4.0])


def test_map_fn_and_vectorized_map():
    points = Point([1.0, 2.0])
    assert tf.map_fn(
        lambda p: p.x * 2, points, fn_output_signature=tf.float32
    ).numpy().tolist() == [
        2.0,
        4.0,
    ]
    np.testing.assert_array_equal(tf.map_fn(lambda p: Point(p.x + p.n), points).x, [4.0, 5.0])
    made = tf.map_fn(
        lambda x: Point(x, 5),
        tf.constant([1.0, 2.0]),
        fn_output_signature=Point.Spec(tf.TensorSpec([]), 5),
    )
    assert made.n == 5
    np.testing.assert_array_equal(made.x, [1.0, 2.0])
    np.testing.assert_array_equal(tf.vectorized_map(lambda p: p.x * 2, points), [2.0, 4.0])
    batch = tf.vectorized_map(lambda x: Point(x * 2), tf.constant([1.0, 2.0]))
    np.testing.assert_array_equal(batch.x, [2.0, 4.0])
    with pytest.raises(TypeError, match=r"map_fn can not consume Masked\.Spec"):
        tf.map_fn(lambda m: m.values, Masked([1.0], [True]), fn_output_signature=tf.float32)
    with pytest.raises(ValueError, match=r"fn_output_signature has Point\.Spec"):
        tf.map_fn(lambda p: Point(p.x, 7), points)


def test_identity_is_of_each_component():
    assert float(tf.identity(table()).point.x) == 4.0
    with pytest.raises(ValueError, match="unsupported type"):
        tf.convert_to_tensor(Point(1))
    with pytest.raises(TypeError, match="unsupported operand"):
        Point(1) + Point(2)


def test_mappings_of_a_field_are_arguments():
    doubled = tf.function(lambda columns: {key: x * 2 for key, x in columns.items()})
    first = Table({"a": 1.0}, tf.ragged.constant([[1]]), Point(1.0))
    second = Table({"b": 1.0}, tf.ragged.constant([[1]]), Point(1.0))
    assert list(doubled(first.columns)) == ["a"]
    assert list(doubled(second.columns)) == ["b"]
