"""The derivatives, up to the second, and batching of what is composed here."""

import numpy as np
import pytest

import gradtape as tf
from gradtape import testing
from gradtape.api import numpy_names as names

generator = np.random.default_rng(1)
A, B = generator.uniform(0.2, 2.0, (2, 3, 4))
V, W = generator.normal(size=5), generator.normal(size=3)
T, U = generator.normal(size=(2, 4, 3))
N = np.where(np.arange(12).reshape(3, 4) % 5 == 1, np.nan, A)

FUNCTIONS = {
    "exp2": (names.exp2, A),
    "log2": (names.log2, A),
    "log10": (names.log10, A),
    "sinc": (names.sinc, A),
    "sinc at 0": (names.sinc, np.array([0.0, 1e-6, -1e-3])),
    "logaddexp": (names.logaddexp, A, B),
    "logaddexp of equals": (names.logaddexp, A, A),
    "logaddexp2": (names.logaddexp2, A, B),
    "hypot": (names.hypot, A, B),
    "fmax": (names.fmax, A, B),
    "heaviside": (lambda h: names.heaviside(np.array([-1.0, 0.0, 1.0]), h), W),
    "ldexp": (lambda x: names.ldexp(x, np.array([1, -2, 3, 0])), A),
    "median": (lambda x: names.median(x, 1), A),
    "quantile": (lambda x, q: names.quantile(x, q, 0), A, np.array([0.3, 0.6])),
    "average": (lambda x, w: names.average(x, 0, w), A, B),
    "ptp": (lambda x: names.ptp(x, 1), A),
    "diff": (lambda x: names.diff(x, 2), A),
    "trapezoid": (lambda y, x: names.trapezoid(y, x), A, B),
    "pad edge": (lambda x: names.pad(x, 2, "edge"), A),
    "pad wrap": (lambda x: names.pad(x, ((1, 5), (0, 2)), "wrap"), A),
    "rot90": (lambda x: names.rot90(x, 3), A),
    "tile": (lambda x: names.tile(x, (2, 1, 3)), A),
    "diagflat": (lambda x: names.diagflat(x, 1), V),
    "tril": (lambda x: names.tril(x, -1), A),
    "geomspace": (lambda a, b: names.geomspace(a, b, 5), A[0], B[0]),
    "vander": (lambda x: names.vander(x, 4), np.array([0.0, 1.5, -2.0])),
    "dot": (names.dot, A, B.T),
    "inner": (names.inner, A, B),
    "kron": (names.kron, V, A),
    "cross": (names.cross, T, U),
    "correlate": (lambda x, y: names.correlate(x, y, "same"), V, W),
    "corrcoef": (names.corrcoef, A),
    "unique": (lambda x: names.unique(x), V),
}
# Their derivatives leave out what is nan, of which central differences know nothing.
IGNORE_NAN = {
    "nansum": names.nansum,
    "nanmean": names.nanmean,
    "nanvar": names.nanvar,
    "nanmax": names.nanmax,
    "nanprod": names.nanprod,
    "nanmedian": names.nanmedian,
    "nancumsum": names.nancumsum,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives(name):
    function, *args = FUNCTIONS[name]
    testing.check_gradients(function, args, order=2, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", IGNORE_NAN)
def test_nans_have_no_part_in_gradients(name):
    x = tf.constant(N)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = IGNORE_NAN[name](x, axis=1)
    gradient = tape.gradient(y, x).numpy()
    assert np.isfinite(gradient).all()
    assert (gradient[np.isnan(N)] == 0).all()


BATCHED = {
    name: FUNCTIONS[name]
    for name in "exp2 sinc logaddexp hypot median diff tile tril vander dot kron cross".split()
} | {
    "gcd": (names.gcd, np.array([[12, 18], [7, 0]]), np.array([[8, 27], [21, 5]])),
    "argmax": (names.argmax, A),
    "quantile": (lambda x: names.quantile(x, 0.3), A),
    "searchsorted": (lambda x: names.searchsorted(np.sort(V), x), A),
    "isin": (lambda x: names.isin(x, V), A),
}


@pytest.mark.parametrize("name", BATCHED)
def test_batching(name):
    function, *args = BATCHED[name]
    stacks = [np.stack([x, x[::-1], x]) if x.dtype.kind == "f" else x for x in args]
    testing.check_batching(function, stacks)
