"""The gradient of a normalization reads its input as few times as it can."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

BATCH_NORM = (1, 1, 1, 5)
SHAPES = {
    "batch": ((2, 3, 4, 5), BATCH_NORM, BATCH_NORM, 2),
    "layer": ((6, 5), (6, 1), (5,), 4),
    "all at once": ((6, 5), (1, 1), (), 2),
}


@pytest.mark.parametrize("name", SHAPES)
def test_sums_that_differ_by_a_factor_are_one(name):
    from gradtape.backends.numpy import KERNELS as NUMPY
    from gradtape.backends.xla.kernels.moments import rescale_grad

    shape, by_mean, by_scale, count = SHAPES[name]
    random = np.random.default_rng(0)
    shapes = (shape, by_mean, by_mean, by_scale, shape)
    arrays = [random.standard_normal(each).astype(np.float32) for each in shapes]
    equations = jax.make_jaxpr(lambda *xs: rescale_grad(*xs, by_scale))(*arrays).eqns
    sums = [each for each in equations if each.primitive.name == "reduce_sum"]
    assert len({(id(each.invars[0]), each.params["axes"]) for each in sums}) == count
    expected = NUMPY["rescale_grad"](*arrays, by_scale)
    for x, y in zip(rescale_grad(*arrays, by_scale), expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)
