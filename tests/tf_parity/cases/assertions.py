"""Assertions that hold, and small utilities that return plain values."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import array, integers, normal, positive

case = CaseList()

HOLDING = {
    "assert_equal": lambda tf, x: tf.debugging.assert_equal(x, x),
    "assert_none_equal": lambda tf, x: tf.debugging.assert_none_equal(x, x + 1.0),
    "assert_greater": lambda tf, x: tf.debugging.assert_greater(x + 1.0, x),
    "assert_greater_equal": lambda tf, x: tf.debugging.assert_greater_equal(x, x),
    "assert_less": lambda tf, x: tf.debugging.assert_less(x, x + 1.0),
    "assert_less_equal": lambda tf, x: tf.debugging.assert_less_equal(x, x),
    "assert_near": lambda tf, x: tf.debugging.assert_near(x, x + 1e-7),
    "assert_positive": lambda tf, x: tf.debugging.assert_positive(x),
    "assert_non_negative": lambda tf, x: tf.debugging.assert_non_negative(x),
    "assert_negative": lambda tf, x: tf.debugging.assert_negative(-x),
    "assert_non_positive": lambda tf, x: tf.debugging.assert_non_positive(-x),
    "assert_rank": lambda tf, x: tf.debugging.assert_rank(x, 1),
    "assert_rank_at_least": lambda tf, x: tf.debugging.assert_rank_at_least(x, 1),
    "assert_rank_in": lambda tf, x: tf.debugging.assert_rank_in(x, [1, 2]),
    "assert_integer": lambda tf, x: tf.debugging.assert_integer(tf.cast(x, tf.int32)),
    "assert_type": lambda tf, x: tf.debugging.assert_type(x, tf.float32),
    "assert_shapes": lambda tf, x: tf.debugging.assert_shapes([(x, ("N",)), (x, (3,))]),
    "assert_proper_iterable": lambda tf, x: tf.debugging.assert_proper_iterable([x]),
    "Assert": lambda tf, x: tf.debugging.Assert(tf.reduce_all(x > 0), [x]),
}
for name, check in HOLDING.items():
    case(name, lambda tf, x, check=check: _nothing(check(tf, x)), wrt="", x=positive(3))


def _nothing(result):
    """Assertions give nothing, or an operation that says nothing."""
    return result is None or not hasattr(result, "numpy")


case("check_numerics", lambda tf, x: tf.debugging.check_numerics(x, "fine"), x=normal(3))
case("assert_all_finite", lambda tf, x: tf.debugging.assert_all_finite(x, "fine"), x=normal(3))
case("assert_scalar", lambda tf, x: tf.debugging.assert_scalar(x), wrt="", x=normal())
case(
    "assert_same_float_dtype",
    lambda tf, x: tf.debugging.assert_same_float_dtype([x, x]).name,
    wrt="",
    x=normal(2),
)
case(
    "is_numeric_tensor",
    lambda tf, x: [tf.debugging.is_numeric_tensor(v) for v in (x, tf.constant("a"))],
    wrt="",
    x=normal(2),
)
case("top_level_assert_equal", lambda tf, x: _nothing(tf.assert_equal(x, x)), x=integers(3))
case("top_level_assert_greater", lambda tf, x: _nothing(tf.assert_greater(x + 1, x)), x=integers(3))
case("top_level_assert_less", lambda tf, x: _nothing(tf.assert_less(x, x + 1)), x=integers(3))
case("top_level_assert_rank", lambda tf, x: _nothing(tf.assert_rank(x, 1)), x=integers(3))
case(
    "assert_same_structure", lambda tf: tf.nest.assert_same_structure([1, {"a": 2}], [3, {"a": 4}])
)
case("no_op", lambda tf: tf.no_op())
case("as_string_integers", lambda tf, x: tf.as_string(x), x=array([1, -20], "int32"))
case(
    "as_string_precision", lambda tf, x: tf.as_string(x, precision=2), wrt="", x=array([1.239, 2.0])
)
case("device", lambda tf, x: _on_device(tf, x), x=normal(2))
case("init_scope", lambda tf, x: _in_init_scope(tf, x), wrt="", x=normal(2))
case(
    "dtype_aliases",
    lambda tf: [
        getattr(tf.dtypes, n).name
        for n in ("float32", "half", "double", "int64", "bool", "complex64", "string", "uint16")
    ],
)
case("dtypes_cast", lambda tf, x: tf.dtypes.cast(x, tf.dtypes.float64), x=normal(2))
case("autodiff_gradient_tape", lambda tf: tf.autodiff.GradientTape is tf.GradientTape)
case("tensor_shape", lambda tf: _shapes(tf))


def _on_device(tf, x):
    with tf.device("/CPU:0"):
        return x * 2.0


def _in_init_scope(tf, x):
    with tf.init_scope():
        return x + 1.0


def _shapes(tf):
    shape = tf.TensorShape([2, None, 3])
    return [
        shape.rank,
        shape.as_list(),
        shape.is_fully_defined(),
        str(shape),
        shape[1:].as_list(),
        shape.concatenate([4]).as_list(),
        shape.is_compatible_with([2, 5, 3]),
        tf.TensorShape([2, 3]) == [2, 3],
        tf.TensorShape([2, 3]).num_elements(),
        tf.TensorShape(None).rank,
    ]
