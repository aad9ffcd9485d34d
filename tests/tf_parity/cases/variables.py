"""Variables: assignments, scatter updates, and their part in gradients."""

from __future__ import annotations

import numpy as np

from ..case import CaseList
from ..inputs import array, normal, positive

case = CaseList()

VECTOR = normal(4)
METHODS = {
    "assign": lambda tf, v: v.assign([1.0, 2.0, 3.0, 4.0]),
    "assign_numpy": lambda tf, v: v.assign(np.arange(4, dtype=np.float32)),
    "assign_add": lambda tf, v: v.assign_add(tf.ones(4)),
    "assign_sub": lambda tf, v: v.assign_sub([1.0, 0.0, 1.0, 0.0]),
    "assign_twice": lambda tf, v: (v.assign_add(tf.ones(4)), v.assign_sub(v * 0.5)),
    "scatter_nd_update": lambda tf, v: v.scatter_nd_update([[1], [3]], [9.0, 8.0]),
    "scatter_nd_add": lambda tf, v: v.scatter_nd_add([[1], [1]], [1.0, 2.0]),
    "scatter_nd_sub": lambda tf, v: v.scatter_nd_sub([[0]], [5.0]),
    "scatter_update": lambda tf, v: v.scatter_update(tf.IndexedSlices([7.0, 6.0], [0, 2])),
    "scatter_add": lambda tf, v: v.scatter_add(tf.IndexedSlices([1.0, 1.0], [2, 2])),
    "scatter_sub": lambda tf, v: v.scatter_sub(tf.IndexedSlices([1.0], [3])),
    "scatter_mul": lambda tf, v: v.scatter_mul(tf.IndexedSlices([2.0, 3.0], [0, 1])),
    "scatter_div": lambda tf, v: v.scatter_div(tf.IndexedSlices([2.0, 4.0], [0, 1])),
    "scatter_max": lambda tf, v: v.scatter_max(tf.IndexedSlices([0.0, 0.5], [0, 1])),
    "scatter_min": lambda tf, v: v.scatter_min(tf.IndexedSlices([0.0, 0.5], [0, 1])),
    "slice_assign": lambda tf, v: v[1:3].assign([5.0, 6.0]),
    "slice_assign_step": lambda tf, v: v[::2].assign([5.0, 6.0]),
    "item_assign": lambda tf, v: v[2].assign(9.0),
}
for name, method in METHODS.items():
    case(name, lambda tf, v, m=method: _after(m(tf, v), v), wrt="", variables="v", v=VECTOR)


def _after(_, v):
    return v.read_value()


case("read_value", lambda tf, v: v.read_value() * 2.0, variables="v", v=VECTOR)
case("value", lambda tf, v: v.value() ** 2, variables="v", v=VECTOR)
case("operators", lambda tf, v: (v + 1.0) * v - v / 2.0, variables="v", v=VECTOR)
case(
    "reflected_operators", lambda tf, v: 2.0 * v + (1.0 - v) + 3.0 / v, variables="v", v=positive(3)
)
case("power", lambda tf, v: v**2, variables="v", v=VECTOR)
case("indexing", lambda tf, v: v[1:3] * v[0], variables="v", v=VECTOR)
case("matmul", lambda tf, w, x: x @ w, variables="w", w=normal(3, 2), x=normal(2, 3))
case("two_variables", lambda tf, a, b: tf.reduce_sum(a * b), variables="a b", a=VECTOR, b=VECTOR)
case("unused_variable_gives_none", lambda tf, a, b: a * 2.0, variables="a b", a=VECTOR, b=VECTOR)
case("sparse_read", lambda tf, v: v.sparse_read([0, 2, 2]), variables="v", v=normal(4, 2))
case("gather_nd_method", lambda tf, v: v.gather_nd([[0], [3]]), variables="v", v=VECTOR)
case("convert_to_tensor", lambda tf, v: tf.convert_to_tensor(v) * 3.0, variables="v", v=VECTOR)
case("read_before_assignment", lambda tf, v: _read_before(tf, v), variables="v", v=VECTOR)
case("read_after_assignment", lambda tf, v: _read_after(tf, v), variables="v", v=VECTOR)
case(
    "assigned_value_is_not_connected",
    lambda tf, v, x: _assigned_from(tf, v, x),
    variables="v",
    v=VECTOR,
    x=VECTOR,
)
case("integer_variable", lambda tf: _integer_variable(tf))
case("from_list", lambda tf: tf.Variable([1.0, 2.0]).read_value())
case("from_int", lambda tf: tf.Variable(3).read_value())
case("from_float", lambda tf: tf.Variable(3.0) * 2.0)
case("from_bool", lambda tf: tf.Variable([True, False]).read_value())
case("from_callable", lambda tf: tf.Variable(lambda: tf.ones([2])).read_value())
case("with_dtype", lambda tf: tf.Variable([1, 2], dtype=tf.float64).read_value())
case("initial_value_is_not_connected", lambda tf, x: tf.Variable(x) * 2.0, x=VECTOR)
case(
    "properties",
    lambda tf, v: [list(v.shape), v.dtype.name, v.trainable],
    wrt="",
    variables="v",
    v=VECTOR,
)
case("not_trainable", lambda tf: tf.Variable(1.0, trainable=False).trainable)
case("names", lambda tf: [tf.Variable(1.0, name="weight").name, tf.Variable(1.0).name])
case("repr", lambda tf: repr(tf.Variable(3.0, name="x")))
case("repr_matrix", lambda tf: repr(tf.Variable([[1.0, 2.0]], name="w")))
case("assign_returns_value", lambda tf, v: v.assign(v * 2.0) + 1.0, wrt="", variables="v", v=VECTOR)
case("numpy_of_variable", lambda tf, v: v.numpy() * 2, wrt="", variables="v", v=VECTOR)
case("comparison", lambda tf, v: (v > 0, v <= v), wrt="", variables="v", v=VECTOR)
case(
    "training_step",
    lambda tf, w, b, x: _training_step(tf, w, b, x),
    wrt="",
    variables="w b",
    w=normal(3, 1),
    b=array([0.5]),
    x=normal(4, 3),
)


def _read_before(tf, v):
    before = v * 2.0
    v.assign(tf.zeros(4))
    return before


def _read_after(tf, v):
    v.assign(v * 3.0)
    return v * v


def _assigned_from(tf, v, x):
    v.assign(x * 2.0)
    return v * x


def _integer_variable(tf):
    v = tf.Variable([1, 2, 3])
    v.assign_add([1, 1, 1])
    v.scatter_nd_update([[0]], [10])
    return v.read_value()


def _training_step(tf, w, b, x):
    losses = []
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w + b) ** 2)
        losses.append(loss)
        for variable, gradient in zip([w, b], tape.gradient(loss, [w, b]), strict=True):
            variable.assign_sub(0.1 * gradient)
    return losses, w.read_value(), b.read_value()
