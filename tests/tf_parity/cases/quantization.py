"""Simulated quantization and its straight-through gradients."""

from __future__ import annotations

from ..case import CaseList, call
from ..inputs import array, normal

case = CaseList()

VALUES = array([-7.0, -6.0, -0.51, 0.0, 0.024, 3.3, 6.0, 7.5])
case("fake_quant_args", call("quantization.fake_quant_with_min_max_args"), x=VALUES)
case(
    "fake_quant_args_narrow",
    call(
        "quantization.fake_quant_with_min_max_args",
        min=-2.0,
        max=4.0,
        num_bits=4,
        narrow_range=True,
    ),
    x=VALUES,
)
case(
    "fake_quant_vars",
    call("quantization.fake_quant_with_min_max_vars", num_bits=5),
    x=VALUES,
    low=array(-3.0),
    high=array(5.0),
)
case(
    "fake_quant_per_channel",
    call("quantization.fake_quant_with_min_max_vars_per_channel"),
    x=normal(4, 2, scale=3.0),
    low=array([-1.0, -4.0]),
    high=array([2.0, 4.0]),
)
case(
    "quantize_and_dequantize",
    call("quantization.quantize_and_dequantize_v2", -4.0, 4.0, range_given=True),
    x=VALUES,
)
