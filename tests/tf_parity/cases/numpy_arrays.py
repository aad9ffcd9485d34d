"""`tf.experimental.numpy`: tensors made, reshaped, joined, parted and picked from."""

from __future__ import annotations

from ..case import CaseList, numpy
from ..inputs import array, booleans, distinct, integers, normal, positive

case = CaseList()


def made(text: str):
    """A case of a call that is written out, with `np` for the module."""
    case(text, lambda tf: eval(text, {"np": tf.experimental.numpy, "tf": tf}))


for text in """
    np.zeros([2, 3])
    np.zeros(3, int)
    np.zeros([2], tf.float32)
    np.ones([2, 3])
    np.ones([2], np.float16)
    np.empty([2])
    np.empty([2], bool)
    np.eye(3)
    np.eye(2, 4, 1)
    np.eye(3, 2, -1, dtype=np.int32)
    np.eye(2, k=5)
    np.identity(2)
    np.identity(2, np.float32)
    np.tri(3)
    np.tri(2, 4, 1)
    np.tri(3, 3, -1, bool)
    np.full([2, 2], 7)
    np.full([2, 2], [1.0, 2.0])
    np.full(3, 1, np.float32)
    np.arange(5)
    np.arange(1, 7, 2)
    np.arange(0.0, 1.0, 0.25)
    np.arange(5, 0, -2)
    np.arange(3, dtype=np.float32)
    np.arange(3, 1)
    np.array([1, 2, 3])
    np.array([1.5, 2])
    np.array([1.5, 2.5], int)
    np.array(2.0, ndmin=2)
    np.array([True, False])
    np.array([[1, 2], [3, 4]], np.float32)
    np.asarray([1.0, 2.0])
    np.asarray(3)
    np.asarray([1j, 2.0])
    np.asanyarray([1, 2])
    np.ascontiguousarray(2.0)
    np.copy([1.0, 2.0])
    np.zeros_like([1, 2])
    np.zeros_like([1, 2], float)
    np.ones_like([1.0, 2.0])
    np.ones_like([1.0, 2.0], np.int32)
    np.empty_like([1.0, 2.0])
    np.full_like([1.0, 2.0], 3)
    np.full_like([1, 2], 3.5)
    np.linspace(0.0, 1.0, 5)
    np.linspace(0, 10, 4, endpoint=False)
    np.linspace(1.0, 2.0, 3, retstep=True)
    np.linspace(2.0, 3.0, 1)
    np.logspace(0.0, 2.0, 5)
    np.logspace(0.0, 3.0, 4, base=2.0)
    np.geomspace(1.0, 1000.0, 4)
    np.geomspace(1.0, 8.0, 3, endpoint=False)
    np.diag_indices(3)
    np.diag_indices(2, 3)
    np.meshgrid([1, 2], [3, 4, 5])
    np.meshgrid([1.0, 2.0], [3.0, 4.0], indexing="ij")
    np.ix_([0, 2], [1, 3, 4])
    np.ix_([True, False, True], [1])
    np.broadcast_arrays([1, 2], [[3], [4]])
    np.vander([1, 2, 3])
    np.diag([1, 2])
    np.stack([[1, 2], [3.5, 4]])
    np.hstack([[1], [2.5]])
    np.append([1, 2], [3.5])
    np.select([[True, False], [True, True]], [[1, 2], [3.5, 4]], 9)
""".strip().splitlines():
    made(text.strip())

# --- shapes

for label, extra in {
    "reshape": ("reshape", [3, -1]),
    "reshape_flat": ("reshape", -1),
    "expand_dims": ("expand_dims", 1),
    "swapaxes": ("swapaxes", 0, -1),
    "moveaxis": ("moveaxis", 0, 2),
    "moveaxis_several": ("moveaxis", [0, 1], [2, 0]),
    "transpose_axes": ("transpose", [1, 2, 0]),
    "flip_axis": ("flip", -1),
    "rot90": ("rot90",),
    "rot90_twice": ("rot90", 2),
    "rot90_back": ("rot90", -1, (1, 2)),
    "roll_flat": ("roll", 3),
    "roll_axis": ("roll", -1, 1),
    "tile": ("tile", [2, 1, 2]),
    "tile_number": ("tile", 2),
    "tile_more": ("tile", [2, 1, 1, 1]),
    "repeat": ("repeat", 2),
    "repeat_axis": ("repeat", 3, 1),
    "broadcast_to": ("broadcast_to", [2, 2, 3, 2]),
}.items():
    name, *rest = extra
    case(label, numpy(name, *rest), x=normal(2, 3, 2))
for name in "ravel flatten transpose flip flipud fliplr squeeze atleast_1d atleast_2d copy".split():
    case(name, numpy(name), x=normal(2, 1, 3))
for name in "array asarray asanyarray ascontiguousarray positive".split():
    case(f"{name}_of_tensor", numpy(name), x=normal(2))
for name in "zeros_like ones_like empty_like".split():
    case(f"{name}_of_tensor", numpy(name), wrt="", x=normal(2, 3))
case("reshape_columns", numpy("reshape", [4, 3], order="F"), x=normal(2, 6))
case("flatten_columns", numpy("flatten", "F"), x=normal(2, 3))
case("squeeze_axis", numpy("squeeze", 0), x=normal(1, 3, 1))
for rank in (1, 2, 3):
    for shape in ((), (2,), (2, 3)):
        case(f"atleast_{rank}d_of_rank_{len(shape)}", numpy(f"atleast_{rank}d"), x=normal(*shape))
case("atleast_2d_of_two", numpy("atleast_2d"), x=normal(2), y=normal(1, 3))
case("repeat_each", numpy("repeat", [1, 0, 2], 1), x=normal(2, 3))
for mode in ("constant", "reflect", "symmetric"):
    case(f"pad_{mode}", numpy("pad", [[1, 1], [0, 2]], mode), x=normal(2, 3))
case("pad_value", numpy("pad", [[1, 0]], "constant", constant_values=5), x=normal(3))
case("full_of_tensor", lambda tf, x: tf.experimental.numpy.full([2, 3], x), x=normal(3))
case("full_like_tensor", lambda tf, x: tf.experimental.numpy.full_like(x, 2), wrt="", x=normal(3))
case("broadcast_arrays_gradient", numpy("broadcast_arrays"), x=normal(2, 1), y=normal(3))
case("meshgrid_gradient", numpy("meshgrid"), x=normal(2), y=normal(3))
case("vander", numpy("vander"), x=normal(3))
case("vander_increasing", numpy("vander", 4, True), x=positive(3))
case(
    "linspace_gradient",
    lambda tf, x, y: tf.experimental.numpy.linspace(x, y, 4),
    x=normal(2),
    y=normal(2),
)
case(
    "linspace_open_axis",
    lambda tf, x, y: tf.experimental.numpy.linspace(x, y, 3, endpoint=False, axis=1),
    x=normal(2),
    y=normal(2),
)
case(
    "logspace_gradient",
    lambda tf, x, y: tf.experimental.numpy.logspace(x, y, 3),
    x=normal(dtype="float64"),
    y=normal(dtype="float64"),
)

# --- joining and parting


def joined(name: str, **options):
    return lambda tf, **given: getattr(tf.experimental.numpy, name)(list(given.values()), **options)


for name in "concatenate stack hstack vstack dstack".split():
    case(name, joined(name), x=normal(2, 3), y=normal(2, 3))
    case(f"{name}_of_vectors", joined(name), x=normal(3), y=normal(3))
case("concatenate_axis", joined("concatenate", axis=1), x=normal(2, 1), y=normal(2, 3))
case("stack_axis", joined("stack", axis=-1), x=normal(2), y=normal(2))
case("stack_tensor", numpy("stack", 1), x=normal(2, 3))
case("append_flat", numpy("append"), x=normal(2, 2), y=normal(3))
case("append_axis", numpy("append", 0), x=normal(1, 2), y=normal(2, 2))
case("split", numpy("split", 3), x=normal(6))
case("split_cuts", numpy("split", [1, 4]), x=normal(6))
case("split_axis", numpy("split", [2], 1), x=normal(2, 3))
case("split_beyond", numpy("split", [2, 9]), x=normal(4))
for name in "vsplit hsplit dsplit".split():
    case(name, numpy(name, 2), x=normal(2, 4, 2))
case("hsplit_vector", numpy("hsplit", [1]), x=normal(3))

# --- picking

case("take", numpy("take", [0, 5, 2]), x=normal(2, 3))
case(
    "take_axis",
    lambda tf, x: tf.experimental.numpy.take(x, [[0, 1], [2, 2]], axis=1),
    x=normal(2, 3),
)
case("take_clip", lambda tf, x: tf.experimental.numpy.take(x, [-1, 9]), x=normal(4))
case("take_wrap", lambda tf, x: tf.experimental.numpy.take(x, [-1, 9], mode="wrap"), x=normal(4))
case(
    "take_along_axis",
    numpy("take_along_axis", 1),
    x=normal(2, 3),
    i=array([[0, 2], [-1, 1]], "int32"),
)
case("take_along_first", numpy("take_along_axis", 0), x=normal(3, 2), i=array([[0, 1]], "int64"))
case("where", numpy("where"), c=booleans(2, 3), x=normal(2, 3), y=normal(3))
case("where_indices", numpy("where"), c=booleans(3, 3))
case("where_of_numbers", lambda tf, c: tf.experimental.numpy.where(c, 1.0, 0), c=booleans(4))
case(
    "select",
    lambda tf, c, d, x, y: tf.experimental.numpy.select([c, d], [x, y], 0.5),
    c=booleans(4),
    d=booleans(4),
    x=normal(4),
    y=normal(4),
)
case("compress", lambda tf, x: tf.experimental.numpy.compress([True, False, True], x), x=normal(4))
case(
    "compress_axis",
    lambda tf, x: tf.experimental.numpy.compress([True, True, False], x, 1),
    x=normal(2, 4),
)
case("nonzero", numpy("nonzero"), x=integers(3, 3, high=2))
for k in (-1, 0, 1):
    case(f"diag_{k}", numpy("diag", k), x=normal(3))
    case(f"diag_of_matrix_{k}", numpy("diag", k), x=normal(3, 4))
    case(f"diagonal_{k}", numpy("diagonal", k), x=normal(2, 3, 4))
    case(f"diagflat_{k}", numpy("diagflat", k), x=normal(2, 2))
    case(f"tril_{k}", numpy("tril", k), x=normal(2, 3, 3))
    case(f"triu_{k}", numpy("triu", k), x=normal(2, 3, 3))
    case(f"trace_{k}", numpy("trace", k), x=normal(3, 3))
    case(f"trace_of_integers_{k}", numpy("trace", k), x=integers(3, 3))
case("diagonal_axes", numpy("diagonal", 0, 1, 2), x=normal(2, 3, 3))
case("diagonal_beyond", numpy("diagonal", 7), x=normal(2, 2))
case("trace_axes", numpy("trace", 0, 0, 2), x=normal(2, 3, 2))
case("trace_dtype", numpy("trace", dtype="float64"), x=normal(2, 2))

# --- order

for axis in (-1, 0, None):
    case(f"sort_axis_{axis}", numpy("sort", axis), x=distinct(3, 4))
    case(f"argsort_axis_{axis}", numpy("argsort", axis), wrt="", x=distinct(3, 4))
    case(f"argmax_axis_{axis}", numpy("argmax", axis), wrt="", x=distinct(3, 4))
    case(f"argmin_axis_{axis}", numpy("argmin", axis), wrt="", x=distinct(3, 4))
case("argsort_stable", numpy("argsort", kind="stable"), x=array([2, 1, 2, 1], "int32"))
case("argmax_of_number", numpy("argmax"), wrt="", x=normal())
for name in ("cumsum", "cumprod"):
    for axis in (None, 0, -1):
        case(f"{name}_axis_{axis}", numpy(name, axis), x=positive(2, 3))
    case(f"{name}_of_integers", numpy(name), x=integers(4, low=1, high=4))
    case(f"{name}_dtype", numpy(name, dtype="float64"), x=normal(3))
case("diff", numpy("diff"), x=normal(2, 4))
case("diff_twice", numpy("diff", 2, 0), x=normal(4, 2))
case("diff_bool", numpy("diff"), x=booleans(5))

# --- random numbers


def drawn(text: str):
    def function(tf):
        tf.experimental.numpy.random.seed(7)
        return eval(text, {"random": tf.experimental.numpy.random})

    case(f"random.{text}", function, exact="normal" not in text and "randn" not in text)


for text in (
    "random.rand(2, 3)",
    "random.randn(4)",
    "random.random([3])",
    "random.random()",
    "random.uniform(2.0, 5.0, [3])",
    "random.uniform([1.0, 2.0], 3.0)",
    "random.randint(5, size=6)",
    "random.randint(2, 9, [2, 2])",
    "random.standard_normal([3])",
    "random.standard_normal()",
    "random.poisson(3.0, 5)",
):
    drawn(text)
