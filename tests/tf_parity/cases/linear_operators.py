"""`tf.linalg.LinearOperator*`: products, solutions, determinants, matrices; and their gradients."""

from __future__ import annotations

from ..case import CaseList
from ..inputs import (
    array,
    lower_triangular,
    normal,
    positive,
    positive_definite,
    uniform,
    well_conditioned,
)

case = CaseList()


def _operator(tf, name, *args, **options):
    return getattr(tf.linalg, f"LinearOperator{name}")(*args, **options)


def _full(tf, matrix, **options):
    return _operator(tf, "FullMatrix", matrix, **options)


def _kronecker(tf, p, q):
    return _operator(tf, "Kronecker", [_full(tf, p), _full(tf, q)])


# How to make each operator of the inputs named p and q, how large it is, and the inputs.
SPD = {"is_self_adjoint": True, "is_positive_definite": True}
KINDS = {
    "full": (lambda tf, p: _full(tf, p), 3, {"p": well_conditioned(3, 3)}),
    "full_spd": (lambda tf, p: _full(tf, p, **SPD), 3, {"p": positive_definite(3, 3)}),
    "full_batch": (lambda tf, p: _full(tf, p), 3, {"p": well_conditioned(2, 3, 3)}),
    "tril": (lambda tf, p: _operator(tf, "LowerTriangular", p), 3, {"p": lower_triangular(3, 3)}),
    "diag": (lambda tf, p: _operator(tf, "Diag", p), 3, {"p": positive(3)}),
    "diag_batch": (lambda tf, p: _operator(tf, "Diag", p), 3, {"p": positive(2, 3)}),
    "identity": (lambda tf, p: _operator(tf, "Identity", 3, batch_shape=[2]), 3, {"p": normal(1)}),
    "scaled": (lambda tf, p: _operator(tf, "ScaledIdentity", 3, p), 3, {"p": positive()}),
    "scaled_batch": (lambda tf, p: _operator(tf, "ScaledIdentity", 3, p), 3, {"p": positive(2)}),
    "permutation": (lambda tf, p: _operator(tf, "Permutation", [2, 0, 1]), 3, {"p": normal(1)}),
    "permutation_odd": (
        lambda tf, p: _operator(tf, "Permutation", [[1, 0, 2], [0, 1, 2]]),
        3,
        {"p": normal(1)},
    ),
    "householder": (lambda tf, p: _operator(tf, "Householder", p), 3, {"p": normal(3)}),
    "toeplitz": (
        lambda tf, p, q: _operator(tf, "Toeplitz", p, q),
        3,
        {"p": array([3.0, 0.5, -0.25]), "q": array([3.0, 1.0, 0.75])},
    ),
    "circulant": (
        lambda tf, p: _operator(tf, "Circulant", p, input_output_dtype=tf.float32),
        4,
        {"p": array([3.0, 1.5, 2.0, 1.5])},
    ),
    "circulant2d": (
        lambda tf, p: _operator(tf, "Circulant2D", p, input_output_dtype=tf.float32),
        4,
        {"p": array([[3.0, 1.5], [2.0, 1.25]])},
    ),
    "circulant3d": (
        lambda tf, p: _operator(tf, "Circulant3D", p, input_output_dtype=tf.float32),
        4,
        {"p": array([[[3.0, 1.5]], [[2.0, 1.25]]])},
    ),
    "tridiag_compact": (
        lambda tf, p: _operator(tf, "Tridiag", p),
        3,
        {"p": array([[1.0, -0.5, 0.0], [3.0, 4.0, 3.5], [0.0, 0.75, 1.5]])},
    ),
    "tridiag_sequence": (
        lambda tf, p, q: _operator(tf, "Tridiag", [p, q, p], diagonals_format="sequence"),
        3,
        {"p": array([1.0, -0.5, 0.75]), "q": array([3.0, 4.0, 3.5])},
    ),
    "tridiag_matrix": (
        lambda tf, p: _operator(tf, "Tridiag", p, diagonals_format="matrix"),
        3,
        {"p": array([[3.0, 1.0, 0.0], [0.5, 4.0, 1.0], [0.0, -1.0, 3.0]])},
    ),
    "kronecker": (_kronecker, 6, {"p": well_conditioned(2, 2), "q": well_conditioned(3, 3)}),
    "kronecker_batch": (
        _kronecker,
        4,
        {"p": well_conditioned(2, 2, 2), "q": well_conditioned(2, 2)},
    ),
    "block_diag": (
        lambda tf, p, q: _operator(tf, "BlockDiag", [_full(tf, p), _operator(tf, "Diag", q)]),
        5,
        {"p": well_conditioned(2, 2), "q": positive(3)},
    ),
    "block_triangular": (
        lambda tf, p, q: _operator(
            tf,
            "BlockLowerTriangular",
            [[_full(tf, p)], [_full(tf, q[:, :2]), _full(tf, q)]],
        ),
        5,
        {"p": well_conditioned(2, 2), "q": well_conditioned(3, 3)},
    ),
    "composition": (
        lambda tf, p, q: _operator(tf, "Composition", [_full(tf, p), _operator(tf, "Diag", q)]),
        3,
        {"p": well_conditioned(3, 3), "q": positive(3)},
    ),
    "adjoint": (
        lambda tf, p: _operator(tf, "Adjoint", _full(tf, p)),
        3,
        {"p": well_conditioned(3, 3)},
    ),
    "inversion": (
        lambda tf, p: _operator(tf, "Inversion", _full(tf, p)),
        3,
        {"p": well_conditioned(3, 3)},
    ),
    "low_rank": (
        lambda tf, p, q: _operator(
            tf, "LowRankUpdate", _operator(tf, "Diag", p, is_positive_definite=True), q
        ),
        4,
        {"p": positive(4), "q": normal(4, 2)},
    ),
    "low_rank_general": (
        lambda tf, p, q: _operator(
            tf, "LowRankUpdate", _full(tf, p), q, diag_update=q[0] + 3.0, v=2.0 * q
        ),
        4,
        {"p": well_conditioned(4, 4), "q": normal(4, 2)},
    ),
}

for kind, (make, size, given) in KINDS.items():

    def run(act, make=make):
        return lambda tf, x=None, **named: act(make(tf, **named), x)

    argument = {"x": normal(size, 2)}
    vector = {"x": normal(size)}
    for label, act in {
        "matmul": lambda o, x: o.matmul(x),
        "matmul_adjoint": lambda o, x: o.matmul(x, adjoint=True),
        "solve": lambda o, x: o.solve(x),
        "solve_adjoint": lambda o, x: o.solve(x, adjoint=True),
    }.items():
        case(f"{kind}_{label}", run(act), rtol=1e-4, **given, **argument)
    for label, act in {
        "matvec": lambda o, x: o.matvec(x),
        "solvevec": lambda o, x: o.solvevec(x),
    }.items():
        case(f"{kind}_{label}", run(act), rtol=1e-4, **given, **vector)
    for label, act in {
        "to_dense": lambda o, x: o.to_dense(),
        "determinant": lambda o, x: o.determinant(),
        "log_abs_determinant": lambda o, x: o.log_abs_determinant(),
        "diag_part": lambda o, x: o.diag_part(),
        "trace": lambda o, x: o.trace(),
    }.items():
        case(f"{kind}_{label}", run(act), rtol=1e-4, **given)
    case(
        f"{kind}_about",
        run(
            lambda o, x: [
                list(map(int, o.shape)),
                list(map(int, o.batch_shape)),
                int(o.domain_dimension),
                int(o.range_dimension),
                o.tensor_rank,
                o.is_square,
                o.is_self_adjoint,
                o.is_non_singular,
                o.is_positive_definite,
                o.dtype.name,
                o.shape_tensor(),
                o.batch_shape_tensor(),
                o.domain_dimension_tensor(),
                o.range_dimension_tensor(),
            ]
        ),
        wrt="",
        **given,
    )

# --- what follows from an operator

for kind in ("full", "diag", "scaled", "kronecker", "block_diag", "composition", "circulant"):
    make, size, given = KINDS[kind]
    for label, act in {
        "adjoint_dense": lambda o: o.adjoint().to_dense(),
        "inverse_dense": lambda o: o.inverse().to_dense(),
        "H_dense": lambda o: o.H.to_dense(),
        "add_to_tensor": lambda o: o.add_to_tensor(o.to_dense()),
        "square_dense": lambda o: o.matmul(o).to_dense(),
        "operator_product": lambda o: (o @ o.H).to_dense(),
        "operator_solution": lambda o: o.solve(o.matmul(o)).to_dense(),
    }.items():
        case(
            f"{kind}_{label}",
            lambda tf, make=make, act=act, **named: act(make(tf, **named)),
            rtol=1e-4,
            **given,
        )
for kind in ("full", "diag", "tril", "scaled", "low_rank", "householder", "permutation"):
    make, size, given = KINDS[kind]
    case(
        f"{kind}_cond",
        lambda tf, make=make, **named: make(tf, **named).cond(),
        wrt="",
        rtol=1e-4,
        **given,
    )
for kind in ("full_spd", "diag", "scaled", "low_rank", "householder", "circulant"):
    make, size, given = KINDS[kind]
    case(
        f"{kind}_eigvals",
        lambda tf, make=make, **named: tf.sort(make(tf, **named).eigvals(), axis=-1),
        rtol=1e-4,
        **given,
    )
for kind in ("full_spd", "low_rank"):
    make, size, given = KINDS[kind]
    case(
        f"{kind}_cholesky",
        lambda tf, make=make, **named: make(tf, **named).cholesky().to_dense(),
        rtol=1e-4,
        **given,
    )
case(
    "diag_cholesky",
    lambda tf, p: _operator(tf, "Diag", p, **SPD).cholesky().to_dense(),
    p=positive(3),
)
case(
    "blocks_of_block_diag",
    lambda tf, p, q, x, y: _operator(
        tf, "BlockDiag", [_full(tf, p), _operator(tf, "Diag", q)]
    ).matmul([x, y]),
    p=well_conditioned(2, 2),
    q=positive(3),
    x=normal(2, 2),
    y=normal(3, 2),
)
case(
    "blocks_of_block_triangular",
    lambda tf, p, q, x, y: _operator(
        tf, "BlockLowerTriangular", [[_full(tf, p)], [_full(tf, q), _full(tf, p)]]
    ).solve([x, y]),
    p=well_conditioned(2, 2),
    q=normal(2, 2),
    x=normal(2, 2),
    y=normal(2, 2),
    rtol=1e-4,
)
case(
    "zeros",
    lambda tf, x: _operator(tf, "Zeros", 2, 3, is_square=False, is_self_adjoint=False).matmul(x),
    wrt="",
    x=normal(3, 2),
)
case(
    "zeros_dense",
    lambda tf: [
        _operator(tf, "Zeros", 2, batch_shape=[2]).to_dense(),
        _operator(tf, "Zeros", 2).determinant(),
        _operator(tf, "Zeros", 2).trace(),
        _operator(tf, "Zeros", 2).diag_part(),
    ],
)
case(
    "broadcast_batch",
    lambda tf, p, x: _operator(tf, "Diag", p).solve(x),
    p=positive(2, 1, 3),
    x=normal(4, 3, 2),
)
case(
    "slice_of_batch",
    lambda tf, p: [
        _operator(tf, "Diag", p)[1].to_dense(),
        _operator(tf, "Diag", p)[..., :1].to_dense(),
        _full(tf, tf.linalg.diag(p))[0].to_dense(),
    ],
    p=positive(2, 3),
)
case(
    "complex_full",
    lambda tf, p, x: [_full(tf, p).matmul(x, adjoint=True), _full(tf, p).solve(x, adjoint=True)],
    wrt="",
    p=well_conditioned(2, 2, dtype="complex64"),
    x=normal(2, 1, dtype="complex64"),
    rtol=1e-4,
)
case(
    "complex_circulant",
    lambda tf, p, x: [
        _operator(tf, "Circulant", p).matmul(x),
        _operator(tf, "Circulant", p).solve(x),
        _operator(tf, "Circulant", p).convolution_kernel(),
        _operator(tf, "Circulant", p).adjoint().to_dense(),
        _operator(tf, "Circulant", p).determinant(),
    ],
    wrt="",
    p=uniform(3, low=0.5, high=2.0, dtype="complex64"),
    x=normal(3, 2, dtype="complex64"),
    rtol=1e-4,
)
case(
    "variable",
    lambda tf, p, x: _operator(tf, "Diag", p).matvec(x),
    variables="p",
    p=positive(3),
    x=normal(3),
)
case(
    "functions_of_operators",
    lambda tf, p, x: [
        tf.matmul(_full(tf, p, **SPD), x),
        tf.linalg.matvec(_full(tf, p), x[:, 0]),
        tf.linalg.solve(_full(tf, p, **SPD), x),
        tf.linalg.trace(_full(tf, p)),
        tf.linalg.det(_full(tf, p)),
        tf.linalg.logdet(_full(tf, p, **SPD)),
        tf.linalg.diag_part(_full(tf, p)),
        tf.linalg.inv(_full(tf, p)).to_dense(),
        tf.linalg.adjoint(_full(tf, p)).to_dense(),
        tf.linalg.cholesky(_full(tf, p, **SPD)).to_dense(),
        tf.matmul(x, _full(tf, p), adjoint_a=True),
    ],
    p=positive_definite(3, 3),
    x=normal(3, 2),
    rtol=1e-4,
)

# --- conjugate gradients


def solved(tf, p, b, **options):
    state = tf.linalg.experimental.conjugate_gradient(_full(tf, p, **SPD), b, **options)
    return [state.i, state.x]


case("conjugate_gradient", solved, rtol=1e-3, p=positive_definite(4, 4), b=normal(4))
case("conjugate_gradient_batch", solved, rtol=1e-3, p=positive_definite(2, 3, 3), b=normal(3))
case(
    "conjugate_gradient_steps",
    lambda tf, p, x: solved(tf, p, x, max_iter=2),
    p=positive_definite(4, 4),
    x=normal(4),
    rtol=1e-3,
)
# The solution does not depend on where the search begins, so that derivative is but rounding.
case(
    "conjugate_gradient_preconditioned",
    lambda tf, p, x, y: solved(
        tf, p, x, x=y, preconditioner=_operator(tf, "Diag", 1.0 / tf.linalg.diag_part(p))
    ),
    p=positive_definite(4, 4),
    x=normal(4),
    y=normal(4),
    wrt="p x",
    rtol=1e-3,
)
