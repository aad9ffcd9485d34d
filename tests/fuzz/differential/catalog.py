"""The ops that programs are made of: templates, the dtypes they take, and what may follow them.

A template names its arguments: `{x}` the main tensor, `{y}` and `{z}` tensors that broadcast with
it, `{s}` one of the same shape, `{b}` a bool one, `{m}` a matrix to multiply with, and parameters
(`{axis}`, `{axes}`, `{keep}`, `{perm}`, `{shape}`, `{index}`, `{rows}`, `{segments}`, `{pads}`,
`{k}`, `{dtype}`, `{reps}`), which `generator.Generator` fills in.
"""

from __future__ import annotations

from dataclasses import dataclass

FLOATS = ("float32", "float64", "float16", "bfloat16")
FULL = ("float32", "float64")
INTS = ("int32", "int64", "int8", "int16", "uint8", "uint16")
COMPLEX = ("complex64", "complex128")
REAL = FLOATS + INTS
NUMBERS = REAL + COMPLEX
ALL = (*NUMBERS, "bool")


@dataclass(frozen=True)
class Op:
    template: str
    dtypes: tuple[str, ...] = FLOATS
    rank: int = 0  # at least
    jumps: bool = False  # a small change of the input can be a large one of the result
    moves: bool = False  # results are values of the input, not rounded
    style: str | None = None  # how a new {x} is drawn, where the function is not defined everywhere
    largest: int = 200_000  # elements of {x}


def _each(names: str, template: str, **options) -> list[Op]:
    return [Op(template.replace("NAME", name), **options) for name in names.split()]


ELEMENTWISE = [
    *_each("tanh sin cos exp sigmoid square", "tf.NAME({x})", dtypes=FLOATS + COMPLEX),
    *_each(
        "math.softplus atan sinh cosh math.erf math.expm1 math.erfc nn.relu nn.elu nn.selu "
        "nn.gelu nn.silu nn.leaky_relu nn.relu6 nn.softsign asinh math.log_sigmoid",
        "tf.NAME({x})",
    ),
    *_each(
        "math.log sqrt math.rsqrt math.log1p math.lgamma math.digamma math.reciprocal",
        "tf.NAME({x})",
        style="positive",
    ),
    *_each("asin acos atanh math.erfinv", "tf.NAME({x})", style="inside"),
    *_each("acosh", "tf.NAME({x} + 1)", style="positive"),
    *_each(
        "math.bessel_i0e math.bessel_i1e math.bessel_i0 math.bessel_i1", "tf.NAME({x})", dtypes=FULL
    ),
    Op("tf.abs({x})", NUMBERS, moves=True),
    Op("tf.negative({x})", (*FLOATS, "int32", "int64", *COMPLEX), moves=True),
    Op("tf.sign({x})", NUMBERS, jumps=True),
    *_each("floor math.ceil round math.rint", "tf.NAME({x})", jumps=True),
    *_each("math.is_nan math.is_inf math.is_finite", "tf.NAME({x})", jumps=True),
    *_each("add subtract multiply", "tf.NAME({x}, {y})", dtypes=NUMBERS),
    *_each("maximum minimum", "tf.NAME({x}, {y})", dtypes=REAL, moves=True),
    Op("{x} + {y}", NUMBERS),
    Op("{x} - {y}", NUMBERS),
    Op("{x} * {y}", NUMBERS),
    Op("{x} / {y}", FLOATS + COMPLEX + INTS),
    Op("{x} // {y}", REAL, jumps=True),
    Op("{x} % {y}", REAL, jumps=True),
    Op("-{x}", (*FLOATS, "int32", "int64"), moves=True),
    Op("2 * {x}", NUMBERS),
    Op("{x} - 1", NUMBERS),
    Op("1.5 / {x}", FLOATS),
    Op("0.5 * {x}", FLOATS),
    Op("{x} ** 2", NUMBERS),
    Op("{x} ** 0.5", FLOATS, style="positive"),
    Op("{x} ** -1", FLOATS),
    Op("tf.pow({x}, {y})", FLOATS, style="positive"),
    Op("tf.pow({x}, 3)", NUMBERS),
    Op("tf.math.divide_no_nan({x}, {y})", FLOATS),
    Op("tf.math.multiply_no_nan({x}, {y})", FLOATS),
    Op("tf.math.squared_difference({x}, {y})", NUMBERS),
    Op("tf.atan2({x}, {y})"),
    Op("tf.math.xlogy({x}, {s})", FLOATS),
    Op("tf.math.xdivy({x}, {y})", FLOATS),
    Op("tf.math.floormod({x}, {y})", REAL, jumps=True),
    Op("tf.truncatediv({x}, {y})", INTS),
    Op("tf.clip_by_value({x}, -1, 1)", (*FLOATS, "int32", "int64"), moves=True),
    Op("tf.where({b}, {x}, {y})", ALL, moves=True),
    Op("tf.where({x} > 0, {x}, {y})", REAL, moves=True),
    *_each("< <= > >=", "{x} NAME {y}", dtypes=REAL, jumps=True),
    *_each("== !=", "{x} NAME {y}", dtypes=ALL, jumps=True),
    *_each("logical_and logical_or math.logical_xor", "tf.NAME({x}, {y})", dtypes=("bool",)),
    Op("tf.logical_not({x})", ("bool",)),
    *_each(
        "bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor",
        "tf.NAME({x}, {y})",
        dtypes=INTS,
    ),
    Op("tf.bitwise.invert({x})", INTS),
    Op("tf.cast({x}, tf.{dtype})", ALL, jumps=True),
    *_each("math.real math.imag math.conj math.angle", "tf.NAME({x})", dtypes=COMPLEX),
    Op("tf.complex({x}, {s})", FULL),
    Op("tf.identity({x})", ALL, moves=True),
    Op("tf.stop_gradient({x})", ALL, moves=True),
    Op("tf.zeros_like({x})", ALL, moves=True),
    Op("tf.ones_like({x})", ALL, moves=True),
    Op("tf.nn.crelu({x})", FLOATS, 1),
]

REDUCTIONS = [
    *_each("reduce_sum reduce_mean", "tf.NAME({x}, axis={axes}, keepdims={keep})", dtypes=NUMBERS),
    *_each(
        "reduce_prod", "tf.NAME({x}, axis={axes}, keepdims={keep})", dtypes=NUMBERS, largest=200
    ),
    *_each(
        "reduce_max reduce_min",
        "tf.NAME({x}, axis={axes}, keepdims={keep})",
        dtypes=REAL,
        moves=True,
    ),
    *_each("reduce_all reduce_any", "tf.NAME({x}, axis={axes}, keepdims={keep})", dtypes=("bool",)),
    *_each(
        "math.reduce_std math.reduce_variance reduce_logsumexp norm math.reduce_euclidean_norm",
        "tf.NAME({x}, axis={axis}, keepdims={keep})",
        rank=1,
    ),
    *_each("argmax argmin", "tf.NAME({x}, axis={axis})", dtypes=REAL, rank=1, jumps=True),
    *_each(
        "cumsum math.cumprod",
        "tf.NAME({x}, axis={axis}, exclusive={keep}, reverse={keep})",
        dtypes=NUMBERS,
        rank=1,
        largest=3000,
    ),
    Op("tf.math.cumulative_logsumexp({x}, axis={axis})", FULL, 1, largest=3000),
    *_each("softmax log_softmax", "tf.nn.NAME({x}, axis={axis})", rank=1),
    Op("tf.math.l2_normalize({x}, axis={axis})", FLOATS, 1),
    Op("tf.math.count_nonzero({x})", ALL, jumps=True),
    Op("tf.sort({x}, axis={axis})", REAL, 1, moves=True),
    Op("tf.argsort({x}, axis={axis}, stable=True)", REAL, 1, jumps=True),
    Op("tf.sort({x}, axis={axis}, direction='DESCENDING')", REAL, 1, moves=True),
    Op("tf.math.top_k({x}, k=1)[0]", REAL, 1, moves=True),
    Op("tf.nn.moments({x}, axes=[{axis}])", FULL, 1),
    *_each(
        "segment_sum segment_mean segment_max segment_min segment_prod",
        "tf.math.NAME({x}, {segments})",
        dtypes=REAL,
        rank=1,
        largest=3000,
    ),
    *_each(
        "sum mean max min prod",
        "tf.math.unsorted_segment_NAME({x}, {rows}, 5)",
        dtypes=FLOATS,
        rank=1,
        largest=3000,
    ),
    Op("tf.unique(tf.reshape({x}, [-1]))[0]", (*INTS, *FULL), moves=True),
    Op("tf.add_n([{x}, {s}, {s}])", NUMBERS),
    Op("tf.math.bincount({x}, minlength=3)", ("int32",), 1, style="naturals", largest=3000),
]

SHAPES = [
    *[
        Op(template, ALL, rank, moves=True, largest=largest)
        for template, rank, largest in [
            ("tf.reshape({x}, {shape})", 0, 200_000),
            ("tf.transpose({x})", 0, 200_000),
            ("tf.transpose({x}, {perm})", 1, 200_000),
            ("tf.expand_dims({x}, {axis})", 1, 200_000),
            ("tf.squeeze({x})", 0, 200_000),
            ("tf.reverse({x}, [{axis}])", 1, 200_000),
            ("tf.concat([{x}, {s}], axis={axis})", 1, 200_000),
            ("tf.stack([{x}, {s}], axis={axis})", 1, 200_000),
            ("tf.unstack({x}, axis=0)", 1, 60),
            ("tf.split({x}, [{k}, -1], axis={axis})", 1, 200_000),
            ("tf.tile({x}, {reps})", 1, 3000),
            ("tf.roll({x}, {k}, axis={axis})", 1, 200_000),
            ("tf.pad({x}, {pads})", 1, 200_000),
            ("tf.pad({x}, {pads}, mode='SYMMETRIC')", 1, 3000),
            ("tf.pad({x}, {pads}, mode='REFLECT')", 1, 3000),
            ("{x}[{index}]", 1, 200_000),
            ("{x}[{index}]", 1, 200_000),
            ("{x}[::-1]", 1, 200_000),
            ("{x}[..., tf.newaxis]", 0, 200_000),
            ("tf.gather({x}, {rows})", 1, 200_000),
            ("tf.gather({x}, {rows}, axis=0, batch_dims=0)", 1, 3000),
            ("tf.gather_nd({x}, {rows}[:, None])", 1, 3000),
            ("tf.boolean_mask({x}, {x} == {x})", 1, 3000),
            ("tf.broadcast_to({x}, (2,) + tuple({x}.shape))", 0, 3000),
            ("tf.repeat({x}, {k}, axis={axis})", 1, 3000),
            ("tf.linalg.diag({x})", 1, 300),
            ("tf.linalg.diag_part({x})", 2, 3000),
            ("tf.linalg.band_part({x}, 1, 0)", 2, 3000),
            ("tf.meshgrid({x}, {x})", 1, 60),
            ("tf.one_hot([0, 2], 3, axis=0)", 0, 3000),
            ("tf.tensor_scatter_nd_update({x}, [[0]], {x}[:1])", 1, 3000),
            ("tf.reverse_sequence({x}, tf.fill([{x}.shape[0]], 1), seq_axis=1)", 2, 3000),
        ]
    ],
    *_each(
        "add sub max min",
        "tf.tensor_scatter_nd_NAME({x}, [[0], [0]], tf.repeat({x}[:1], 2, 0))",
        dtypes=REAL,
        rank=1,
        largest=3000,
    ),
    Op(
        "tf.scatter_nd({rows}[:, None], tf.gather({x}, {rows}), {x}.shape)",
        NUMBERS,
        1,
        largest=3000,
    ),
    Op("tf.shape({x})", ALL),
    Op("tf.size({x})", ALL),
    Op("tf.where({x})", ("bool", "int32"), 1, largest=3000),
]

_DEFINITE = "tf.matmul({x}, {x}, transpose_b=True) + tf.eye({x}.shape[-2], dtype={x}.dtype)"
_SIGNAL = "tf.reshape({x}, [1, -1, 1])"
PRODUCTS = [
    Op("tf.matmul({x}, {m})", (*FLOATS, "int32", *COMPLEX), 2, largest=100_000),
    Op("{x} @ {m}", FLOATS, 2, largest=100_000),
    Op("tf.matmul({x}, {x}, transpose_b=True)", FLOATS + COMPLEX, 2, largest=5000),
    Op("tf.matmul({x}, {x}, adjoint_a=True)", FLOATS + COMPLEX, 2, largest=5000),
    Op("tf.einsum('...i,...i->...', {x}, {s})", FULL, 1),
    Op("tf.tensordot({x}, {m}, axes=1)", FLOATS, 2, largest=5000),
    Op("tf.linalg.matvec({x}, {x}[..., 0, :])", FULL, 2, largest=5000),
    Op("tf.linalg.trace({x})", FLOATS + COMPLEX, 2, largest=5000),
    Op("tf.linalg.det(" + _DEFINITE + ")", FULL, 2, largest=60),
    Op("tf.linalg.inv(" + _DEFINITE + ")", FULL, 2, largest=60),
    Op("tf.linalg.cholesky(" + _DEFINITE + ")", FULL, 2, largest=60),
    Op("tf.linalg.solve(" + _DEFINITE + ", {x})", FULL, 2, largest=60),
    Op("tf.linalg.cross({x}[..., :3], {s}[..., :3])", FULL, 1, largest=3000),
    Op(
        "tf.nn.conv2d(tf.reshape({x}, [1, -1, 1, 1]), "
        "tf.ones([2, 1, 1, 2], {x}.dtype), {k}, 'SAME')",
        FULL,
        1,
        largest=3000,
    ),
    Op(
        "tf.nn.conv1d(" + _SIGNAL + ", tf.ones([3, 1, 2], {x}.dtype), {k}, 'VALID')",
        FULL,
        1,
        largest=3000,
    ),
    *_each(
        "max_pool1d avg_pool1d",
        "tf.nn.NAME(tf.reshape({x}, [1, -1, 1]), 2, {k}, 'SAME')",
        dtypes=FULL,
        rank=1,
        largest=3000,
    ),
    Op("tf.nn.softmax_cross_entropy_with_logits({x}, {s})", FLOATS, 1),
    Op("tf.nn.sigmoid_cross_entropy_with_logits({x}, {s})"),
    Op("tf.nn.bias_add({x}, {x}[0])", FLOATS, 2, largest=3000),
    Op("tf.nn.l2_loss({x})"),
    Op("tf.clip_by_norm({x}, 1.5)"),
    Op("tf.nn.embedding_lookup({x}, {rows})", FLOATS, 1, moves=True, largest=200_000),
    Op("tf.signal.fft({x})", COMPLEX, 1, largest=3000),
    Op("tf.signal.rfft({x})", FULL, 1, largest=3000),
    Op("tf.signal.irfft({x})", COMPLEX, 1, largest=3000),
]

_IMAGE = "tf.reshape({x}, [1, -1, 2, 1])"
OTHERS = [
    *[
        Op(template, FULL, rank, largest=60)
        for template, rank in [
            ("tf.linalg.eigvalsh(" + _DEFINITE + ")", 2),
            ("tf.linalg.logdet(" + _DEFINITE + ")", 2),
            ("tf.linalg.expm(" + _DEFINITE + ")", 2),
            ("tf.linalg.svd({x}, compute_uv=False)", 2),
            ("tf.linalg.pinv({x})", 2),
            ("tf.linalg.lstsq(" + _DEFINITE + ", {x})", 2),
            ("tf.linalg.triangular_solve(tf.linalg.cholesky(" + _DEFINITE + "), {x})", 2),
            ("tf.linalg.set_diag({x}, tf.zeros_like(tf.linalg.diag_part({x})))", 2),
            ("tf.linalg.normalize({x})[0]", 1),
            ("tf.linalg.tensor_diag({x})", 1),
            ("tf.image.resize(" + _IMAGE + ", [3, 3])", 0),
            ("tf.image.resize(" + _IMAGE + ", [3, 3], method='nearest')", 0),
            ("tf.image.resize(" + _IMAGE + ", [3, 3], method='bicubic')", 0),
            ("tf.image.flip_left_right(" + _IMAGE + ")", 0),
            ("tf.image.per_image_standardization(" + _IMAGE + ")", 0),
            (
                "tf.nn.depthwise_conv2d(" + _IMAGE + ", tf.ones([2, 2, 1, 2], {x}.dtype), "
                "[1, 1, 1, 1], 'SAME')",
                0,
            ),
            (
                "tf.nn.conv2d_transpose(" + _IMAGE + ", tf.ones([2, 2, 3, 1], {x}.dtype), "
                "[1, 2 * tf.size({x}) // 2, 4, 3], 2)",
                0,
            ),
            ("tf.nn.batch_normalization({x}, 0.5, 2.0, 0.1, 1.5, 1e-3)", 0),
            ("tf.nn.weighted_cross_entropy_with_logits({s}, {x}, 0.7)", 0),
            ("tf.nn.log_poisson_loss({s}, {x})", 0),
            ("tf.nn.local_response_normalization(" + _IMAGE + ")", 0),
            ("tf.nn.space_to_depth(tf.reshape({x}, [1, 2, -1, 1]), 2)", 0),
            ("tf.quantization.fake_quant_with_min_max_args({x})", 0),
            ("tf.math.polyval([{x}, {s}, {s}], 0.5)", 0),
            ("tf.sparse.to_dense(tf.sparse.from_dense({x}))", 1),
            ("tf.sparse.sparse_dense_matmul(tf.sparse.from_dense({x}), {m})", 2),
            ("tf.scan(lambda a, b: a * 0.5 + b, {x})", 1),
            ("tf.foldl(lambda a, b: a * 0.5 + b, {x})", 1),
            ("tf.random.stateless_uniform({x}.shape, seed=[1, 2], dtype={x}.dtype) + {x}", 0),
            ("tf.random.stateless_normal({x}.shape, seed=[1, 2], dtype={x}.dtype) + {x}", 0),
            ("tf.nn.experimental.stateless_dropout({x}, 0.5, [3, 4])", 0),
            ("tf.custom_gradient(lambda x: (x * x, lambda g: 3 * g * x))({x})", 0),
            ("tf.grad_pass_through(tf.floor)({x} * 2.5)", 0),
            ("tf.clip_by_global_norm([{x}, {s}], 1.0)[0][0]", 0),
            ("tf.clip_by_global_norm([{x}, {s}], 1.0)[1]", 0),
            ("tf.histogram_fixed_width({x}, [-2.0, 2.0], 5)", 0),
        ]
    ],
    *_each(
        "igamma igammac zeta polygamma",
        "tf.math.NAME({x} + 1, {s} + 1)",
        dtypes=FULL,
        style="positive",
        largest=3000,
    ),
    Op("tf.math.betainc({x}, {x} + 1, tf.sigmoid({x}))", FULL, style="positive", largest=3000),
    *_each(
        "dawsn expint fresnel_sin fresnel_cos spence bessel_j0 bessel_j1 bessel_k0 bessel_k1 "
        "bessel_y0 bessel_y1",
        "tf.math.special.NAME({x})",
        dtypes=FULL,
        style="positive",
        largest=3000,
    ),
    *_each("ndtri", "tf.math.NAME(tf.sigmoid({x}))", dtypes=FULL),
    Op("tf.math.nextafter({x}, {s})", FULL),
    Op("tf.searchsorted(tf.sort({x}), {s})", REAL, 1, jumps=True, largest=3000),
    Op("tf.saturate_cast({x}, tf.{dtype})", REAL, jumps=True),
    Op(
        "tf.nn.sparse_softmax_cross_entropy_with_logits(np.zeros({x}.shape[:-1], np.int32), {x})",
        FLOATS,
        1,
    ),
    Op("tf.nn.in_top_k(np.zeros({x}.shape[0], np.int32), {x}, 1)", ("float32",), 2, jumps=True),
    Op("tf.sequence_mask({x}, 4)", ("int32",), style="naturals", largest=3000),
    Op("tf.one_hot({x}, 3)", ("int32", "int64", "uint8"), largest=3000),
    Op("tf.math.confusion_matrix({x}, {s}, 5)", ("int32",), 1, style="naturals", largest=3000),
    Op("tf.bitwise.left_shift({x}, 1 + 0 * {x})", INTS),
    Op("tf.space_to_batch(tf.reshape({x}, [1, -1, 1]), [2], [[0, 1]])", FULL, 1, largest=60),
    Op("tf.argsort({x}, axis={axis}, direction='DESCENDING', stable=True)", FULL, 1, jumps=True),
    Op("tf.math.top_k({x}, k=1)[1]", REAL, 1, jumps=True),
    Op("tf.debugging.check_numerics({x}, 'x')", FLOATS, moves=True),
    Op("tf.ensure_shape({x}, {x}.shape)", ALL, moves=True),
    Op("tf.strided_slice({x}, [0], [-1], [2])", ALL, 1, moves=True),
    Op("tf.slice({x}, [0] * {x}.shape.rank, [-1] * {x}.shape.rank)", ALL, 1, moves=True),
    Op("tf.linalg.matrix_transpose({x})", ALL, 2, moves=True),
    Op("tf.linalg.adjoint({x})", COMPLEX, 2, moves=True),
]

OPS = ELEMENTWISE + REDUCTIONS + SHAPES + PRODUCTS + OTHERS
