"""Control flow: conditions, loops, maps and folds."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import array, integers, normal, positive

case = CaseList()

for truth in (True, False):
    label = str(truth).lower()
    case(
        f"cond_{label}",
        lambda tf, x, p=truth: tf.cond(tf.constant(p), lambda: x * x, lambda: x + 1.0),
        x=normal(3),
    )
    case(
        f"cond_python_{label}",
        lambda tf, x, p=truth: tf.cond(p, lambda: x * x, lambda: -x),
        x=normal(3),
    )
case(
    "cond_on_value",
    lambda tf, x: tf.cond(tf.reduce_sum(x) > 0, lambda: tf.sin(x), lambda: tf.cos(x)),
    x=normal(3),
)
case(
    "cond_structure",
    lambda tf, x: tf.cond(tf.constant(True), lambda: (x, x * 2.0), lambda: (x * 3.0, x)),
    x=normal(2),
)
case(
    "cond_unused_branch_gives_none",
    lambda tf, x, y: tf.cond(tf.constant(True), lambda: x * 2.0, lambda: y),
    x=normal(2),
    y=normal(2),
)
case(
    "cond_nested",
    lambda tf, x: tf.cond(x > 0, lambda: tf.cond(x > 1, lambda: x**2, lambda: x**3), lambda: -x),
    x=array(0.5),
)
for index in (0, 1, 2, 7, -1):
    label = str(index).replace("-", "minus_")
    case(
        f"switch_case_{label}",
        lambda tf, x, i=index: tf.switch_case(
            tf.constant(i), [lambda: x, lambda: x**2, lambda: tf.exp(x)]
        ),
        x=normal(2),
    )
case(
    "switch_case_default",
    lambda tf, x: tf.switch_case(
        tf.constant(5), {0: lambda: x, 1: lambda: 2.0 * x}, default=lambda: -x
    ),
    x=normal(2),
)
case(
    "case_first",
    lambda tf, x: tf.case([(tf.constant(True), lambda: x), (tf.constant(True), lambda: 2.0 * x)]),
    x=normal(2),
)
case(
    "case_second",
    lambda tf, x: tf.case(
        [(tf.reduce_sum(x) > 100, lambda: x), (tf.constant(True), lambda: x**2)], default=lambda: -x
    ),
    x=normal(2),
)
case(
    "case_default",
    lambda tf, x: tf.case([(tf.constant(False), lambda: x)], default=lambda: -x),
    x=normal(2),
)
case(
    "case_exclusive",
    lambda tf, x: tf.case(
        [(tf.constant(False), lambda: x), (tf.constant(True), lambda: 3.0 * x)], exclusive=True
    ),
    x=normal(2),
)

case(
    "while_loop_count",
    lambda tf: tf.while_loop(lambda i: i < 5, lambda i: (i + 1,), (tf.constant(0),)),
)
case(
    "while_loop_power",
    lambda tf, x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, x)),
    x=normal(3),
)
case(
    "while_loop_list_vars",
    lambda tf, x: tf.while_loop(
        lambda i, y: i < 2, lambda i, y: [i + 1, tf.sin(y)], [tf.constant(0), x]
    ),
    x=normal(3),
)
case(
    "while_loop_until_value",
    lambda tf, x: tf.while_loop(lambda y: tf.reduce_sum(y) < 20.0, lambda y: (y * 2.0,), (x,)),
    x=positive(3),
)
case(
    "while_loop_maximum",
    lambda tf, x: tf.while_loop(lambda y: True, lambda y: (y + x,), (x,), maximum_iterations=4),
    x=normal(2),
)
case(
    "while_loop_never",
    lambda tf, x: tf.while_loop(lambda y: False, lambda y: (y * 2.0,), (x,)),
    x=normal(2),
)
case(
    "while_loop_newton_root",
    lambda tf, a: tf.while_loop(
        lambda i, y: i < 6, lambda i, y: (i + 1, 0.5 * (y + a / y)), (0, a)
    )[1],
    a=positive(3, dtype="float64"),
)
case(
    "while_loop_dictionary",
    lambda tf, x: tf.while_loop(
        lambda s: s["i"] < 3,
        lambda s: ({"i": s["i"] + 1, "y": s["y"] * x},),
        ({"i": tf.constant(0), "y": x},),
    ),
    x=normal(2),
)
case("python_loop", lambda tf, x: _python_loop(tf, x), x=normal(3))
case("python_branch", lambda tf, x: x * 2.0 if tf.reduce_sum(x) > 0 else x * 3.0, x=normal(3))


def _python_loop(tf, x):
    total = tf.zeros_like(x)
    for step in tf.range(3):
        total += tf.cast(step + 1, tf.float32) * x**2
    return total


case("map_fn", lambda tf, x: tf.map_fn(lambda row: row * tf.reduce_sum(row), x), x=normal(3, 2))
case("map_fn_scalars", lambda tf, x: tf.map_fn(tf.sin, x), x=normal(4))
case(
    "map_fn_two_inputs",
    lambda tf, x, y: tf.map_fn(lambda p: p[0] * p[1], (x, y), fn_output_signature=tf.float32),
    x=normal(3),
    y=normal(3),
)
case(
    "map_fn_two_outputs",
    lambda tf, x: tf.map_fn(
        lambda row: (row, tf.reduce_sum(row)), x, fn_output_signature=(tf.float32, tf.float32)
    ),
    x=normal(3, 2),
)
case(
    "map_fn_other_dtype",
    lambda tf, i: tf.map_fn(
        lambda k: tf.cast(k, tf.float32) * 0.5, i, fn_output_signature=tf.float32
    ),
    i=integers(4),
)
case(
    "map_fn_captured",
    lambda tf, x, w: tf.map_fn(lambda row: tf.linalg.matvec(w, row), x),
    x=normal(3, 2),
    w=normal(2, 2),
)
case("scan_sum", lambda tf, x: tf.scan(lambda total, row: total + row, x), x=normal(4, 2))
case(
    "scan_initializer",
    lambda tf, x, s: tf.scan(lambda state, row: tf.tanh(state + row), x, initializer=s),
    x=normal(4, 2),
    s=normal(2),
)
case(
    "scan_reverse",
    lambda tf, x: tf.scan(lambda total, row: total * row, x, reverse=True),
    x=normal(4),
)
case(
    "scan_structure",
    lambda tf, x: tf.scan(lambda state, e: (state[0] + e, state[1] * e), x, initializer=(0.0, 1.0)),
    x=normal(4),
)
case(
    "scan_pairs",
    lambda tf, x, y: tf.scan(
        lambda state, pair: state + pair[0] * pair[1], (x, y), initializer=tf.constant(0.0)
    ),
    x=normal(3),
    y=normal(3),
)
case(
    "scan_recurrent",
    lambda tf, x, w, h: tf.scan(
        lambda s, row: tf.tanh(tf.linalg.matvec(w, s) + row), x, initializer=h
    ),
    x=normal(4, 2),
    w=normal(2, 2),
    h=normal(2),
)
for name in ("foldl", "foldr"):
    case(
        f"{name}_difference",
        lambda tf, x, f=name: getattr(tf, f)(lambda a, b: a - b, x),
        x=normal(4),
    )
    case(
        f"{name}_initializer",
        lambda tf, x, f=name: getattr(tf, f)(
            lambda a, b: a * 0.5 + b, x, initializer=tf.constant(1.0)
        ),
        x=normal(4),
    )
    case(
        f"{name}_matrices",
        lambda tf, x, f=name: getattr(tf, f)(lambda a, b: a @ b, x),
        x=normal(3, 2, 2),
    )
    case(
        f"{name}_pair",
        lambda tf, x, y, f=name: getattr(tf, f)(
            lambda a, e: a + e[0] * e[1], (x, y), initializer=tf.constant(0.0)
        ),
        x=normal(3),
        y=normal(3),
    )
case(
    "vectorized_map",
    lambda tf, x: tf.vectorized_map(lambda row: tf.reduce_sum(row**2), x),
    x=normal(3, 2),
)
case(
    "vectorized_map_outer",
    lambda tf, x: tf.vectorized_map(lambda row: row[:, None] * row[None, :], x),
    x=normal(3, 2),
)
case(
    "vectorized_map_two",
    lambda tf, x, y: tf.vectorized_map(lambda p: tf.tensordot(p[0], p[1], 1), (x, y)),
    x=normal(3, 2),
    y=normal(3, 2),
)
case(
    "vectorized_map_captured",
    lambda tf, x, w: tf.vectorized_map(lambda row: tf.linalg.matvec(w, row), x),
    x=normal(3, 2),
    w=normal(2, 2),
)
case("tensor_array", lambda tf, x: _tensor_array(tf, x), x=normal(3))
case(
    "tensor_array_stack_unstack",
    lambda tf, x: tf.TensorArray(tf.float32, 3).unstack(x).stack() * 2.0,
    x=normal(3, 2),
)
case(
    "tensor_array_gather",
    lambda tf, x: tf.TensorArray(tf.float32, 3).unstack(x).gather([2, 0]),
    x=normal(3, 2),
)
case(
    "tensor_array_concat",
    lambda tf, x: tf.TensorArray(tf.float32, 2).write(0, x).write(1, x * 3.0).concat(),
    x=normal(2, 2),
)
case("grad_pass_through", lambda tf, x: tf.grad_pass_through(tf.round)(x) * 2.0, x=normal(4))
case(
    "numpy_function",
    lambda tf, x: tf.numpy_function(lambda a: a * 2, [x], tf.float32),
    wrt="",
    x=normal(3),
)
case("py_function", lambda tf, x: tf.py_function(lambda a: a * a, [x], tf.float32), x=normal(3))
case("group_of_nothing", lambda tf: tf.group())
case("control_dependencies", lambda tf, x: _ordered(tf, x), x=normal(2))
case("name_scope", lambda tf, x: _scoped(tf, x), x=normal(2))
case(
    "nest_map",
    lambda tf, x, y: tf.nest.map_structure(lambda a: a * 2.0, {"p": x, "q": [y, x]}),
    x=normal(2),
    y=normal(2),
)
case(
    "nest_flatten",
    lambda tf, x, y: tf.nest.flatten({"b": x, "a": (y, [x])}),
    x=normal(2),
    y=normal(1),
)
case(
    "nest_pack",
    lambda tf, x, y: tf.nest.pack_sequence_as({"b": 0, "a": (0,)}, [x, y]),
    x=normal(2),
    y=normal(1),
)
case("nest_is_nested", lambda tf: [tf.nest.is_nested(v) for v in ([1], (1,), {"a": 1}, "a", 1)])


def _tensor_array(tf, x):
    array_ = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in range(3):
        array_ = array_.write(i, x[i] ** (i + 1))
    return array_.stack(), array_.read(1), array_.size()


def _ordered(tf, x):
    with tf.control_dependencies([x]):
        return tf.identity(x) * 2.0


def _scoped(tf, x):
    with tf.name_scope("inner"):
        return x * 3.0


case(
    "map_fn_converts_to_its_signature",
    lambda tf, x: tf.map_fn(
        lambda y: {"a": 1, "b": y}, x, fn_output_signature={"a": tf.float32, "b": x.dtype}
    ),
    x=normal(3),
)
case(
    "scan_of_nothing",
    lambda tf, x: tf.scan(lambda y, _: (y[0], y[1]), tf.range(0), initializer=(x, x[0])),
    wrt="",
    x=normal(2, 3),
)
