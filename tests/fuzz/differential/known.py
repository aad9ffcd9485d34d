"""Differences that are meant: docs/design.md lists them, or TensorFlow's answer is no answer."""

from __future__ import annotations

import re

from tests.fuzz.differential.programs import Statement, program_text

_DERIVATIVE = r"(.|\n)*(Tape|Accumulator)"
# (a pattern at the start of the difference, one in the program, why)
KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        "zeros",
        "_outer|recompute_grad|Accumulator|while_loop|tf.cond",
        "None for a derivative that is zero everywhere",
    ),
    ("kind: array.*there python None", "_outer|Accumulator", "no derivative of a derivative there"),
    ("value: nan, there 0.0", "softmax", "TensorFlow's float32 softmax has zeros beside NaN"),
    ("fails.*GatherV2", r", 0[,)](.|\n)*vectorized_map", "pfor checks no index of empty rows"),
    ("value: .*there nan", "Tape|Accumulator", "TensorFlow's rule computes 0 * inf"),
    ("value", r"np\.resize" + _DERIVATIVE, "rules differ in how infinities cancel"),
    ("value", r"np\.resize(.|\n)*(max_pool|segment_m)", "TensorFlow skips NaN in maxima"),
    (
        "value",
        r"np\.resize(.|\n)*tf\.complex",
        "infinite parts of complex products are NaN in NumPy",
    ),
    ("value", r"16(.|\n)*_outer", "second derivatives in half precision are noise"),
    (
        "value",
        r"complex(.|\n)*(prod|xlogy|xdivy|det|sqrt|pow|\*\*|squared_difference)" + _DERIVATIVE,
        "a conjugate is missing there",
    ),
    ("value: nan, there -?inf", "bessel_[yk]" + _DERIVATIVE, "negative arguments"),
    ("fails: .*no single value", r", 0\)(.|\n)*tf\.where", "pfor of no elements"),
    ("fails: .*at least 2-dim", "band_part(.|\\n)*vectorized_map", "pfor checks no ranks"),
    ("value", "expm", "TensorFlow loses three digits"),
    ("value: .*there -?inf", r"np\.resize(.|\n)*logsumexp", "how infinities cancel"),
    ("dtype", r"complex(.|\n)*numpy_function", "TensorFlow's numpy_function widens complex64"),
    ("accepts", "confusion_matrix|conv1d", "scalars, and windows that do not fit, in a trace"),
    ("fails: .*a scalar has no axes", r"tf\.reverse", "TensorFlow refuses it in a function only"),
    ("class: .*IndexError", "foldl|scan", "a scalar is mapped over"),
    ("value", "bessel_i1" + _DERIVATIVE, "TensorFlow's derivative at 0 is wrong"),
    ("accepts|value", r"np\.resize(.|\n)*tf\.linalg", "what LAPACK computes of NaN"),
    ("value", r"np\.resize(.|\n)*(top_k|sort|searchsorted)", "the order of NaN"),
    ("accepts: .*TypeError", r"tf\.gradients", "tf.gradients of complex results"),
    (
        "kind: python None",
        "(polygamma|zeta|igamma|betainc)(.|\\n)*Accumulator",
        "NaN for no derivative",
    ),
    ("class: .*IndexError", "vectorized_map", "a scalar is mapped over"),
    ("value", "cumprod" + _DERIVATIVE, "TensorFlow divides by zeros"),
    ("accepts", r"(\(|, )0[,)]", "TensorFlow refuses what has no elements, now and then"),
    ("accepts", r"tf\.sparse(.|\n)*(map_fn|Dataset)", "scalars as sparse tensors"),
    ("value", r"float64(.|\n)*image\.resize", "TensorFlow resizes in float32"),
    ("fails: .*no single value", r", 0\)(.|\n)*boolean_mask", "pfor of no elements"),
    ("fails: .*out of range for a tensor of rank", "vectorized_map", "pfor checks no axes"),
    ("value", r"roll(.|\n)*(vectorized_map|jacobian)", "pfor shifts a negative axis of a roll"),
    ("shape|fails", r"conv[12]d", "an empty image: TensorFlow loses the channels"),
)


def known(text: str, statements: list[Statement]) -> str | None:
    """The reason why a difference is none, if there is one."""
    program = program_text(statements)
    for expected, pattern, reason in KNOWN:
        if re.match(expected, text) and re.search(pattern, program):
            return reason
    return None
