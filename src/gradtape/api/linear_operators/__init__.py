"""`tf.linalg.LinearOperator*`: matrices known by their structure, and what follows from it."""

from gradtape.api.linear_operators import (
    block_diag,
    block_triangular,
    circulant,
    composition,
    conjugate_gradient,
    dense,
    diagonal,
    householder,
    identity,
    kronecker,
    low_rank_update,
    permutation,
    toeplitz,
    tridiagonal,
)
