"""Activation functions."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, integers, normal

case = CaseList()

SIMPLE = (
    "elu gelu leaky_relu relu relu6 selu sigmoid silu softplus softsign swish tanh crelu".split()
)
for name in SIMPLE:
    for dtype in ("float32", "float64"):
        case(f"{name}_{dtype}", call(f"nn.{name}"), x=normal(3, 4, dtype=dtype, scale=3.0))
    for dtype in ("float16", "bfloat16"):
        case(f"{name}_{dtype}", call(f"nn.{name}"), x=normal(2, 3, dtype=dtype))
    if name != "crelu":
        case(f"{name}_scalar", call(f"nn.{name}"), x=array(0.75))
case("gelu_approximate", call("nn.gelu", approximate=True), x=normal(3, 4))
case("gelu_approximate_float64", call("nn.gelu", approximate=True), x=normal(3, 4, dtype="float64"))
case("leaky_relu_alpha", call("nn.leaky_relu", alpha=0.01), x=normal(3, 4))
case("leaky_relu_zero_alpha", call("nn.leaky_relu", alpha=0.0), x=normal(3, 4))
case("leaky_relu_large_alpha", call("nn.leaky_relu", alpha=1.5), x=normal(3, 4))
case("leaky_relu_int", call("nn.leaky_relu"), wrt="", x=integers(4, low=-5, high=6))
case("silu_beta", call("nn.silu", beta=1.5), x=normal(3, 4))
case("silu_beta_gradient", lambda tf, x, b: tf.nn.silu(x, b), x=normal(3, 4), b=array(0.7))
case("swish_beta", call("nn.swish", 2.0), x=normal(3))
case("crelu_axis", call("nn.crelu", axis=0), x=normal(2, 3))
case("relu6_saturated", call("nn.relu6"), x=array([-1.0, 3.0, 5.5, 7.0, 100.0]))
case("relu_int32", call("nn.relu"), x=integers(5, low=-4, high=5))
case("relu_nan", call("nn.relu"), wrt="", x=array([float("nan"), -1.0, 2.0]))
FAR = array([-80.0, -20.0, -1e-4, 1e-4, 20.0, 80.0])
for name in "elu gelu selu silu softplus sigmoid".split():
    case(f"{name}_far_out", call(f"nn.{name}"), x=FAR)

for path in ("nn.softmax", "nn.log_softmax"):
    for dtype in ("float32", "float64"):
        case(f"{path}_{dtype}", call(path), x=normal(3, 4, dtype=dtype))
        case(f"{path}_axis0_{dtype}", call(path, axis=0), x=normal(3, 4, dtype=dtype))
    for dtype in ("float16", "bfloat16"):
        case(f"{path}_{dtype}", call(path), x=normal(2, 4, dtype=dtype))
    case(f"{path}_vector", call(path), x=normal(5))
    case(f"{path}_middle_axis", call(path, axis=1), x=normal(2, 3, 2))
    case(f"{path}_negative_axis", call(path, axis=-2), x=normal(2, 3, 2))
    case(f"{path}_large", call(path), x=array([[1000.0, 1001.0, 999.0], [-1e4, 0.0, 1e4]]))
    case(f"{path}_minus_infinity", call(path), x=array([0.0, 1.0, float("-inf")]))
    case(f"{path}_one_element", call(path), x=normal(3, 1))
    case(f"{path}_equal", call(path), x=array([2.0, 2.0, 2.0, 2.0]))
case("math.softmax", call("math.softmax", axis=1), x=normal(2, 3))
case("math.log_softmax", call("math.log_softmax"), x=normal(2, 3))
case("log_of_softmax", lambda tf, x: tf.math.log(tf.nn.softmax(x)), x=normal(2, 3))
case(
    "attention",
    lambda tf, q, k, v: tf.nn.softmax(q @ tf.transpose(k) / 2.0) @ v,
    q=normal(2, 4),
    k=normal(3, 4),
    v=normal(3, 2),
)
case(
    "masked_softmax",
    lambda tf, x: tf.nn.softmax(tf.where([True, False, True], x, -1e9)),
    x=normal(2, 3),
)
case("temperature_softmax", lambda tf, x, t: tf.nn.softmax(x / t), x=normal(4), t=array(0.5))
