"""Values for arguments, as Python expressions, so that a call is printed as a program.

`MALFORMED` has what is wrong for most parameters; `fitting(name)` has what a parameter of that name
usually takes, so that a call gets beyond the first check and fails, or works, deeper inside.
"""

from __future__ import annotations

import re

_ARRAYS = """
np.float32(1.5)
np.ones(3, np.float32)
np.ones((2, 3), np.float32)
np.ones((3, 3), np.float32)
np.eye(3, dtype=np.float32)
np.ones((2, 3, 4), np.float32)
np.ones((1, 8, 8, 3), np.float32)
np.arange(6, dtype=np.float32).reshape(2, 3)
np.ones((2, 3))
np.ones((2, 3), np.float16)
np.arange(3, dtype=np.int32)
np.arange(6).reshape(2, 3)
np.ones((2, 3), np.uint8)
np.ones((2, 3), bool)
np.ones((2, 2), np.complex64)
[1.0, 2.0, 3.0]
[[1.0, 2.0], [3.0, 4.0]]
1.0
2
tf.constant([1.0, 2.0, 3.0])
tf.ones((2, 3)) * 2.0
tf.Variable([[1.0, 2.0], [3.0, 4.0]])
np.ones((300, 300), np.float32)
tf.tanh(tf.ones((300, 300)))
""".strip().splitlines()

_WHOLE = "0 1 2 3 -1 np.int64(1) tf.constant(1) np.int32(2)".split()
_SHAPES = ["[2, 3]", "(3,)", "()", "[]", "[-1]", "(2, 3, 4)", "tf.constant([2, 3])", "[3, 1]", "6"]
_INDICES = [
    "[0, 1]",
    "[[0], [1]]",
    "0",
    "tf.constant([0, 0, 1])",
    "np.array([[0, 1]])",
    "np.zeros((0,), np.int32)",
    "[[0, 0], [0, 1]]",
]
_TYPES = ["tf.float32", "'float64'", "np.int32", "tf.bool", "tf.complex64", "tf.string", "None"]
_FUNCTIONS = [
    "lambda *x: x[0]",
    "lambda *x: tf.constant(1.0)",
    "tf.add",
    "odd.raising",
    "lambda: 0",
]
_TEXTS = ["'VALID'", "'SAME'", "'NHWC'", "'NCHW'", "'ij,jk->ik'", "'reflect'", "'constant'", "''"]

# A pattern of parameters' names, and what those take.
_BY_NAME = [
    (r"axis|axes|dim$|dims$|batch_dims|perm", [*_WHOLE, "None", "[0, 1]", "(-1,)", "-2"]),
    (r"shape|size$|sizes$|multiples|target_|crop|offset", [*_SHAPES, *_WHOLE]),
    (r"indices|segment_ids|index|ids$|sequence_length|lengths", _INDICES),
    (r"dtype|type$", _TYPES),
    (
        r"^(fn|func|function|body|cond|map_func|initializer|true_fn|false_fn|pred_fn)$|_fn$|_func$",
        _FUNCTIONS,
    ),
    (r"padding|data_format|mode|method|equation|direction|name$|encoding", [*_TEXTS, "None"]),
    (r"strides|ksize|dilations|rate|window", ["1", "2", "[1, 1, 1, 1]", "[1, 2, 2, 1]", "(1,)"]),
    (r"paddings", ["[[1, 1], [0, 2]]", "[[0, 0]]", "1", "np.ones((2, 2), np.int32)"]),
    (
        r"^num|^n$|^k$|depth|count|length|maxlen|begin|^start|^limit|^stop|^delta|step|seed|bins|factor|"
        r"width|height|lower|upper|radius",
        [*_WHOLE, "[1, 2]", "5"],
    ),
    (
        r"^keepdims$|^exclusive$|^reverse$|^validate|^adjoint|^transpose|^sorted$|^is_|^use_|^unique$",
        ["True", "False", "None"],
    ),
    (
        r"^(tensors|values|inputs|xs|arrays|args|elems|seq|structure)$",
        ["[np.ones(3, np.float32), [1.0, 2.0, 3.0]]", "[]", *_ARRAYS],
    ),
]

MALFORMED = """
None
...
True
-1
0
7
-(2**31)
2**31
2**31 - 1
2**63 - 1
2**63
-(2**63)
10**30
-(10**30)
10**9
[10**9] * 3
[10**5, 10**5]
[2**40, 2**40]
[-2, 3]
[0, 3]
[1] * 40
[0] * 65
float('nan')
float('inf')
-float('inf')
1e300
1e-320
1j
'text'
''
'\\x00'
'é' * 3
b'bytes'
b'\\xff\\xfe'
[]
[[]]
()
{}
{'a': 1.0}
set()
{1.0, 2.0}
frozenset()
range(3)
slice(0, 2)
object()
type
int
tf
np
abs
lambda: 0
(i for i in range(3))
iter([])
memoryview(b'abcd')
bytearray(4)
[1, 'a']
[1.0, None]
[[1.0], [2.0, 3.0]]
[None]
[1, [2]]
['a', 'b']
[object()]
np.float64('nan')
np.full((2, 3), np.nan, np.float32)
np.full((2, 3), np.inf, np.float32)
np.zeros(0, np.float32)
np.zeros((0, 3), np.float32)
np.zeros((2, 0, 3), np.float32)
np.zeros((3, 0), np.int64)
np.zeros((), np.float32)
np.ones((1,) * 12, np.float32)
np.ones((1,) * 33, np.float32)
np.ones((2, 3), np.longdouble)
np.ones((2, 3), np.uint64)
np.array(2**64 - 1, np.uint64)
np.ones((2, 3), '>f4')
np.ones((4, 6), np.float32)[::2, ::-2]
np.transpose(np.ones((2, 3), np.float32))
np.broadcast_to(np.float32(1), (3, 4))
np.frombuffer(b'abcdefgh', np.float32)
np.array(['a', 'bc'])
np.array([b'a', b'bc'])
np.array([None, 1.0], object)
np.array(['2020-01-01'], 'datetime64[D]')
np.zeros(2, [('a', 'f4')])
np.ma.masked_array([1.0, 2.0], [True, False])
np.iinfo(np.int64).min
np.array([-(2**63), 2**63 - 1])
np.array([2**31 - 1, -1], np.int32)
np.datetime64('NaT')
np.bool_(True)
np.dtype('float32')
tf.float32
tf.string
tf.constant('text')
tf.constant([], tf.float32)
tf.constant([[], []])
tf.constant(float('nan'))
tf.constant([True, False])
tf.constant(1, tf.int8)
tf.constant([1 + 2j])
tf.cast([1.0, 2.0], tf.bfloat16)
tf.cast([1.0, 2.0], tf.float16)
tf.Variable(1.0)
tf.Variable([1, 2])
tf.IndexedSlices(tf.ones((1, 3)), [0])
tf.IndexedSlices(tf.ones((2, 3)), [5, -1], [2, 3])
tf.SparseTensor([[0, 1]], [1.0], [2, 3])
tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [0, 0])
tf.TensorShape(None)
tf.TensorShape([None, 2])
tf.TensorSpec([None], tf.float32)
tf.TensorArray(tf.float32, 2)
tf.GradientTape()
tf.data.Dataset.range(2)
tf.Tensor
tf.zeros((0, 5)) @ tf.zeros((5, 0))
tf.broadcast_to(tf.ones((300, 1)), (300, 300)) + 1.0
odd.RaisingArray()
odd.TextArray()
odd.NoArray()
odd.OtherArray()
odd.RaisingIndex()
odd.Index(2)
odd.Index(-(2**70))
odd.RaisingFloat()
odd.LyingLength()
odd.NegativeLength()
odd.RaisingIterator()
odd.RaisingEquality()
odd.RaisingText()
odd.RaisingAttributes()
odd.EveryAttribute()
odd.Text('SAME')
odd.Whole(1)
odd.Listed([1.0, 2.0])
odd.itself()
odd.deep(40)
odd.deep(3000)
odd.raising
[odd.RaisingArray()]
[odd.Index(1), 2]
[tf.constant(float('inf'))]
[float('inf')]
[float('nan'), 1]
[2**63]
[[10**30]]
[-1.5]
'1'
[True]
[tf.float32]
{1: 2}
[{}]
[()]
[[[1]]]
[tf.ones(2), tf.ones(3)]
[tf.Variable(1.0), 2.0]
lambda x, y: x[0]
tf.function(lambda *x: x[0])
slice(None, None, 0)
np.array(float('inf'))
np.array([1, 2], object)
np.matrix([[1.0, 2.0]])
np.ones((2, 3, 0, 4), np.complex64)
tf.Variable
tf.SparseTensor
tf.TensorSpec
tf.constant([1, 2], tf.uint64)
tf.constant([2**62, 2**62])
tf.constant(b'\\xff')
tf.constant([], tf.string)
tf.constant([['a', 'b'], ['c', 'd']])
tf.eye(2, batch_shape=[0])
tf.ragged.constant([[1.0], [2.0, 3.0]])
tf.ragged.constant([[b'a'], []])
tf.sparse.eye(3)
tf.SparseTensor([[5, 7]], [1.0], [2, 3])
tf.SparseTensor([[0]], ['a'], [2])
tf.linalg.LinearOperatorIdentity(2)
fractions.Fraction(1, 3)
decimal.Decimal('1.5')
datetime.date(2020, 1, 1)
""".strip().splitlines()

# What looks like a good argument.
ALMOST = [
    *_ARRAYS,
    *_SHAPES,
    *_INDICES,
    *_TEXTS,
    *"""
[1, -4, 4, 1]
[-1, -1, -1, -1]
[0, 0, 0, 0]
[2, 2, 2, 2]
[1, 1, 10**30, 1]
[1, 2, 3, 4, 5]
[3, -1]
[10**30]
[2**31, 2]
[[0, -1], [2**40, 0]]
[[1, 2]]
[True, False]
['SAME']
-5
4
1.5
np.ones((2, 2, 2, 2, 2), np.float32)
tf.zeros((2, 2), tf.int32)
tf.constant([[5, -1]])
""".strip().splitlines(),
]

# Arguments that ask for a great deal: with these, a call may find that there is not enough memory.
# (All elements of two matrices of 300 rows with each other are 30 GiB.)
ENORMOUS = re.compile(
    r"300, 300|frombuffer|10\*\*|2\*\*|1e300|'inf'|np\.inf|\* 40|\.iinfo|\[5, -1\]"
)


def fitting(name: str) -> list[str]:
    """What a parameter of this name usually takes."""
    for pattern, expressions in _BY_NAME:
        if re.search(pattern, name):
            return expressions
    return _ARRAYS
