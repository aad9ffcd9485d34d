"""Ops of TensorFlow that work element by element."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import lookup
from gradtape.core.dtypes import complex64
from gradtape.saved_model.reading.table import op, rows

rows(
    Abs="abs",
    Acos="math.acos",
    Acosh="math.acosh",
    Add="add",
    AddV2="add",
    Asin="math.asin",
    Asinh="math.asinh",
    Atan="math.atan",
    Atan2="math.atan2",
    Atanh="math.atanh",
    BesselI0="math.bessel_i0",
    BesselI0e="math.bessel_i0e",
    BesselI1="math.bessel_i1",
    BesselI1e="math.bessel_i1e",
    Betainc="math.betainc",
    BitwiseAnd="bitwise.bitwise_and",
    BitwiseOr="bitwise.bitwise_or",
    BitwiseXor="bitwise.bitwise_xor",
    Ceil="math.ceil",
    ClipByValue="clip_by_value",
    Complex="complex",
    ComplexAbs="abs",
    Conj="math.conj",
    Cos="cos",
    Cosh="cosh",
    Digamma="math.digamma",
    DivNoNan="math.divide_no_nan",
    Elu="nn.elu",
    Erf="math.erf",
    Erfc="math.erfc",
    Erfinv="math.erfinv",
    Exp="exp",
    Expm1="math.expm1",
    Floor="floor",
    FloorDiv="math.floordiv",
    FloorMod="math.floormod",
    Greater="greater",
    GreaterEqual="greater_equal",
    Igamma="math.igamma",
    Igammac="math.igammac",
    Inv="math.reciprocal",
    Invert="bitwise.invert",
    IsFinite="math.is_finite",
    IsInf="math.is_inf",
    IsNan="math.is_nan",
    LeftShift="bitwise.left_shift",
    Less="less",
    LessEqual="less_equal",
    Lgamma="math.lgamma",
    Log="math.log",
    Log1p="math.log1p",
    LogicalAnd="logical_and",
    LogicalNot="logical_not",
    LogicalOr="logical_or",
    Maximum="maximum",
    Minimum="minimum",
    Mod="truncatemod",
    Mul="multiply",
    MulNoNan="math.multiply_no_nan",
    Ndtri="math.ndtri",
    Neg="negative",
    NextAfter="math.nextafter",
    Polygamma="math.polygamma",
    Pow="pow",
    RealDiv="divide",
    Reciprocal="math.reciprocal",
    Relu="nn.relu",
    Relu6="nn.relu6",
    RightShift="bitwise.right_shift",
    Rint="math.rint",
    Round="round",
    Rsqrt="math.rsqrt",
    SelectV2="where",
    Selu="nn.selu",
    Sigmoid="sigmoid",
    Sign="sign",
    Sin="sin",
    Sinh="sinh",
    Softplus="math.softplus",
    Softsign="nn.softsign",
    Sqrt="sqrt",
    Square="square",
    SquaredDifference="math.squared_difference",
    Sub="subtract",
    Tan="tan",
    Tanh="tanh",
    TruncateDiv="truncatediv",
    TruncateMod="truncatemod",
    Xdivy="math.xdivy",
    Xlog1py="math.xlog1py",
    Xlogy="math.xlogy",
    Zeta="math.zeta",
)


@op("AddN")
def add_n(*inputs):
    return lookup("add_n")(list(inputs))


@op("Div")
def div(x, y):
    """Divide; integers are divided as in C."""
    return lookup("divide" if x.dtype.is_floating or x.dtype.is_complex else "truncatediv")(x, y)


@op("Equal")
def equal(x, y, *, incompatible_shape_error=True):
    return lookup("equal")(x, y)


@op("NotEqual")
def not_equal(x, y, *, incompatible_shape_error=True):
    return lookup("not_equal")(x, y)


@op("ApproximateEqual")
def approximate_equal(x, y, *, tolerance=1e-5):
    return abs(x - y) < ops.cast(tolerance, x.dtype)


@op("Cast")
def cast(x, *, DstT):
    return lookup("cast")(x, DstT)


@op("Bitcast")
def bitcast(x, *, type):
    return lookup("bitcast")(x, type)


@op("Real")
def real(x, *, Tout=complex64):
    return lookup("math.real")(x)


@op("Imag")
def imag(x, *, Tout=complex64):
    return lookup("math.imag")(x)


@op("Angle")
def angle(x, *, Tout=complex64):
    return lookup("math.angle")(x)


@op("LeakyRelu")
def leaky_relu(x, *, alpha=0.2):
    return lookup("nn.leaky_relu")(x, alpha)


@op("Select")
def select(condition, x, y):
    """Choose elements, or rows where the condition is a vector."""
    if condition.ndim == 1 and x.ndim > 1:
        condition = lookup("reshape")(condition, [-1, *[1] * (x.ndim - 1)])
    return lookup("where")(condition, x, y)
