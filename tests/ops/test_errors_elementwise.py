"""Wrong arguments of elementwise functions: the class of the error, and what its text names."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.errors import InvalidArgumentError, UnimplementedError

VECTOR2, VECTOR3 = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
INTS = tf.constant([1, 2])

WRONG = {
    "add shapes": (
        lambda: tf.add(VECTOR2, VECTOR3),
        (InvalidArgumentError, ValueError),
        ["add", "[2] vs. [3]"],
    ),
    "add dtypes": (
        lambda: VECTOR2 + INTS,
        (InvalidArgumentError, TypeError),
        ["AddV2", "float32", "int32", "tf.cast"],
    ),
    "add bool": (lambda: tf.add(True, False), (InvalidArgumentError, TypeError), ["AddV2", "bool"]),
    "multiply text": (
        lambda: tf.multiply("a", "b"),
        (InvalidArgumentError, TypeError),
        ["multiply", "string"],
    ),
    "sin of integers": (
        lambda: tf.sin(INTS),
        (InvalidArgumentError, TypeError),
        ["sin", "int32", "float32", "tf.cast"],
    ),
    "sin of None": (lambda: tf.sin(None), (ValueError,), ["None"]),
    "integer times fraction": (lambda: INTS * 2.5, (TypeError,), ["2.5", "int32"]),
    "power of integers and fraction": (lambda: INTS**2.5, (TypeError,), ["2.5", "int32"]),
    "negative power of integers": (
        lambda: tf.pow(INTS, -1),
        (InvalidArgumentError,),
        ["Integers to negative integer powers are not allowed", "Pow"],
    ),
    "negative powers of integers": (
        lambda: tf.pow(INTS, tf.constant([1, -1])),
        (InvalidArgumentError,),
        ["Integers to negative integer powers are not allowed", "Pow"],
    ),
    "power of bool": (
        lambda: tf.pow(tf.constant(True), True),
        (InvalidArgumentError, TypeError),
        ["power", "bool"],
    ),
    "floordiv by zero": (
        lambda: INTS // 0,
        (InvalidArgumentError,),
        ["FloorDiv", "Integer division by zero"],
    ),
    "floormod by zero": (
        lambda: INTS % tf.constant([1, 0]),
        (InvalidArgumentError,),
        ["FloorMod", "Integer division by zero"],
    ),
    "truncatediv by zero": (
        lambda: tf.truncatediv(INTS, 0),
        (InvalidArgumentError,),
        ["TruncateDiv", "Integer division by zero"],
    ),
    "truncatemod by zero": (
        lambda: tf.truncatemod(INTS, 0),
        (InvalidArgumentError,),
        ["TruncateMod", "Integer division by zero"],
    ),
    "truediv bool": (
        lambda: tf.constant(True) / tf.constant(True),
        (TypeError,),
        ["divide", "bool"],
    ),
    "floor of integers": (lambda: tf.floor(INTS), (InvalidArgumentError,), ["floor", "int32"]),
    "is_nan of integers": (
        lambda: tf.math.is_nan(INTS),
        (InvalidArgumentError,),
        ["is_nan", "int32"],
    ),
    "nextafter of half": (
        lambda: tf.math.nextafter(tf.constant(1.0, tf.float16), tf.constant(2.0, tf.float16)),
        (InvalidArgumentError,),
        ["nextafter", "float16"],
    ),
    "less of complex": (lambda: tf.less(1j, 2j), (InvalidArgumentError,), ["less", "complex128"]),
    "logical_and of integers": (lambda: tf.logical_and(1, 0), (TypeError,), ["logical_and"]),
    "logical_xor of floats": (
        lambda: tf.math.logical_xor(1.0, 0.0),
        (TypeError,),
        ["LogicalXor", "float32"],
    ),
    "xlogy of integers": (
        lambda: tf.math.xlogy(INTS, INTS),
        (InvalidArgumentError,),
        ["Xlogy", "int32"],
    ),
    "where with one choice": (lambda: tf.where([True], 1.0), (ValueError,), ["x and y must both"]),
    "where of numbers": (
        lambda: tf.where(INTS, 1.0, 2.0),
        (InvalidArgumentError,),
        ["where", "bool", "int32", "Op:SelectV2"],
    ),
    "where shapes": (
        lambda: tf.where([True, False], VECTOR3, 1.0),
        (InvalidArgumentError, ValueError),
        ["condition [2]", "then [3]", "else []"],
    ),
    "where dtypes": (
        lambda: tf.where([True, False], VECTOR2, INTS),
        (InvalidArgumentError,),
        ["SelectV2", "float32", "int32"],
    ),
    "where coordinates of scalar": (
        lambda: tf.where(tf.constant(True)),
        (InvalidArgumentError,),
        ["where", "scalar", "rank 1"],
    ),
    "where coordinates of text": (
        lambda: tf.where(["a", ""]),
        (InvalidArgumentError,),
        ["Where", "string"],
    ),
    "clip integers to fraction": (
        lambda: tf.clip_by_value(INTS, 1.5, 3),
        (TypeError,),
        ["int32"],
    ),
    "clip that would broadcast": (
        lambda: tf.clip_by_value(VECTOR2, [[1.0, 2.0]], 3.0),
        (ValueError,),
        ["clip_by_value", "(2,)", "(1, 2)"],
    ),
    "bitwise of floats": (
        lambda: tf.bitwise.bitwise_and(VECTOR2, VECTOR2),
        (InvalidArgumentError,),
        ["bitwise_and", "float32"],
    ),
    "bitwise of bool": (
        lambda: tf.bitwise.invert(True),
        (InvalidArgumentError,),
        ["bitwise_invert", "bool"],
    ),
    "bitcast sizes": (
        lambda: tf.bitcast(tf.constant([[1, 2, 3]], tf.uint8), tf.int32),
        (InvalidArgumentError, ValueError),
        ["Bitcast", "uint8[1, 3]", "int32", "size 4"],
    ),
    "bitcast scalar": (
        lambda: tf.bitcast(tf.constant(1.0), tf.float64),
        (InvalidArgumentError,),
        ["Bitcast", "float32[]", "float64"],
    ),
    "bitcast bool": (
        lambda: tf.bitcast(tf.constant(True), tf.int8),
        (InvalidArgumentError,),
        ["Bitcast", "bool"],
    ),
    "bitcast to text": (
        lambda: tf.bitcast(VECTOR2, tf.string),
        (InvalidArgumentError,),
        ["Bitcast", "string"],
    ),
    "complex of integers": (lambda: tf.complex(1, 2), (TypeError,), ["`real` and `imag`", "int32"]),
    "complex of both widths": (
        lambda: tf.complex(tf.constant(1.0), tf.constant(1.0, tf.float64)),
        (TypeError,),
        ["float32 float64", "tf.cast"],
    ),
    "real of text": (lambda: tf.math.real("a"), (TypeError,), ["real", "string"]),
    "conj of text": (lambda: tf.math.conj("a"), (TypeError,), ["conj", "string"]),
    "cast text": (
        lambda: tf.cast("1", tf.float32),
        (UnimplementedError,),
        ["Cast string to float32 is not supported"],
    ),
    "cast to unknown": (lambda: tf.cast(1.0, "float31"), (TypeError,), ["float31"]),
    "saturate_cast to bool": (
        lambda: tf.saturate_cast(VECTOR2, tf.bool),
        (TypeError,),
        ["saturate_cast", "float32", "bool"],
    ),
    "betainc shapes": (
        lambda: tf.math.betainc(VECTOR2, VECTOR3, 0.5),
        (InvalidArgumentError, ValueError),
        ["Betainc", "[2], [3] and []"],
    ),
    "igamma of integers": (lambda: tf.math.igamma(INTS, INTS), (TypeError,), ["igamma", "int32"]),
    "polygamma of integers": (
        lambda: tf.math.polygamma(INTS, INTS),
        (TypeError,),
        ["polygamma", "int32"],
    ),
    "elu of integers": (lambda: tf.nn.elu(INTS), (InvalidArgumentError,), ["Elu", "int32"]),
    "gelu of integers": (lambda: tf.nn.gelu(INTS), (ValueError,), ["floating point", "int32"]),
    "add_n of nothing": (lambda: tf.add_n([]), (ValueError,), ["at least one Tensor"]),
    "add_n shapes": (
        lambda: tf.add_n([VECTOR2, VECTOR3]),
        (InvalidArgumentError,),
        ["AddN", "[2] != input 1: [3]"],
    ),
    "accumulate_n shape": (
        lambda: tf.math.accumulate_n([VECTOR2, VECTOR2], shape=[3]),
        (ValueError,),
        ["accumulate_n", "(3,)", "(2,)"],
    ),
    "accumulate_n dtype": (
        lambda: tf.math.accumulate_n([VECTOR2], tensor_dtype=tf.float64),
        (TypeError,),
        ["accumulate_n", "float64", "float32"],
    ),
    "scalar_mul of vector": (
        lambda: tf.scalar_mul(VECTOR2, VECTOR2),
        (ValueError,),
        ["scalar", "(2,)", "tf.multiply"],
    ),
    "polyval of tensor": (
        lambda: tf.math.polyval(VECTOR2, 1.0),
        (ValueError,),
        ["coeffs must be list"],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_text(name):
    call, classes, texts = WRONG[name]
    with pytest.raises(classes[0]) as caught:
        call()
    for cls in classes:
        assert isinstance(caught.value, cls)
    for text in texts:
        assert text in str(caught.value), str(caught.value)


def test_numbers_out_of_range_do_not_crash():
    wild = tf.constant([np.nan, np.inf, -np.inf, 3e38, -3e38])
    for dtype in ("int8", "uint8", "int16", "int32", "int64", "uint64", "bool", "float16"):
        assert tf.cast(wild, dtype).shape == (5,)


def test_saturate_cast_stays_in_range():
    wild = tf.constant([-1e20, -1.0, 2.5, 300.0, 1e20])
    assert tf.saturate_cast(wild, tf.uint8).numpy().tolist() == [0, 0, 2, 255, 255]
    assert tf.saturate_cast(wild, tf.int8).numpy().tolist() == [-128, -1, 2, 127, 127]
    assert tf.saturate_cast(wild, tf.int64).numpy()[[0, 4]].tolist() == [
        -(2**63),
        int(np.nextafter(np.float32(2**63), np.float32(0))),
    ]
    assert tf.saturate_cast(tf.constant([300, -1]), tf.uint8).numpy().tolist() == [255, 0]
