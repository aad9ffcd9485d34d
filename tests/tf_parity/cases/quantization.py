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
case(
    "fake_quant_args_gradient",
    call(
        "quantization.fake_quant_with_min_max_args_gradient",
        VALUES.array("", ""),
        min=-2.0,
        max=4.0,
    ),
    wrt="",
    g=normal(8),
)
for narrow in (False, True):
    suffix = "_narrow" if narrow else ""
    case(
        f"fake_quant_vars_gradient{suffix}",
        lambda tf, g, x, low, high, n=narrow: tuple(
            tf.quantization.fake_quant_with_min_max_vars_gradient(
                g, x, low, high, num_bits=4, narrow_range=n
            )
        ),
        wrt="",
        g=normal(8),
        x=VALUES,
        low=array(-3.0),
        high=array(5.0),
    )
    case(
        f"fake_quant_per_channel_gradient{suffix}",
        lambda tf, g, x, low, high, n=narrow: tuple(
            tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient(
                g, x, low, high, narrow_range=n
            )
        ),
        wrt="",
        g=normal(4, 2),
        x=normal(4, 2, scale=3.0),
        low=array([-1.0, -4.0]),
        high=array([2.0, 4.0]),
    )
for name, options in {
    "data_range": {},
    "given_range": {"range_given": True},
    "unsigned": {"range_given": True, "signed_input": False},
    "few_bits": {"num_bits": 3, "range_given": True, "narrow_range": True},
    "half_up": {"num_bits": 4, "round_mode": "HALF_UP"},
}.items():
    for version in ("", "_v2"):
        case(
            f"quantize_and_dequantize{version}_{name}",
            call(f"quantization.quantize_and_dequantize{version}", -3.0, 5.0, **options),
            x=VALUES,
        )
# With a range for each channel, TensorFlow's own kernel refuses the bounds: only data ranges.
case(
    "quantize_and_dequantize_axis",
    call("quantization.quantize_and_dequantize", 0.0, 0.0, num_bits=4, axis=1),
    x=normal(3, 2, scale=2.0),
)
