"""Checks of derivatives, for the users' functions as for gradtape's own rules.

Random inner products stand for whole Jacobians: for a random direction v and cotangent u, the
numbers <u, J v> (forward), <Jᵀ u, v> (reverse) and the numerical slope along v must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.engine.forward import ForwardAccumulator
from gradtape.engine.tape import GradientTape, UnconnectedGradients


def check_gradients(
    function: Callable,
    args: Sequence,
    order: int = 1,
    modes: Sequence[str] = ("reverse", "forward"),
    *,
    rtol: float = 1e-6,
    atol: float = 1e-6,
    step: float = 1e-5,
    seed: int = 0,
) -> None:
    """Raise an AssertionError unless the derivatives of `function` at `args` are right.

    Reverse and forward mode are each compared with central differences, in float64 (floating
    arguments of other dtypes are converted), along random directions; for `order` n, so are the
    derivatives of the derivative functions themselves. Arguments that are not floating point (and
    results) are held fixed. `function` takes tensors and gives a tensor or a structure of them.
    """
    generator = np.random.default_rng(seed)
    points = [_in_float64(a) for a in args]
    _check(function, points, order, tuple(modes), (rtol, atol, step), generator, "the function")


def _in_float64(value) -> Tensor:
    x = ops.to_tensor(value)
    if x.dtype.is_floating:
        return ops.cast(x, "float64")
    return ops.cast(x, "complex128") if x.dtype.is_complex else x


def _random_like(x: Tensor, generator) -> Tensor:
    values = generator.standard_normal(x.shape)
    if x.dtype.is_complex:
        values = values + 1j * generator.standard_normal(x.shape)
    return Tensor(np.asarray(values, x.dtype.as_numpy_dtype)[()])


def _inner(a, b) -> Tensor:
    """Return the real inner product of two lists of tensors; None is zero."""
    total = ops.to_tensor(np.float64(0))
    for x, y in zip(a, b, strict=True):
        if x is not None and y is not None:
            total = total + ops.cast(ops.reduce_sum(ops.real(ops.conj(x) * y)), "float64")
    return total


def _floating_results(function: Callable, args) -> list[Tensor]:
    results = [ops.to_tensor(y) for y in nest.flatten(function(*args))]
    return [y for y in results if y.dtype.is_differentiable]


def _check(function, points, order, modes, tolerances, generator, what) -> None:
    rtol, atol, step = tolerances
    moving = [i for i, x in enumerate(points) if x.dtype.is_differentiable]
    directions = [_random_like(points[i], generator) for i in moving]

    def at(distance: float) -> list[Tensor]:
        moved = list(points)
        for i, v in zip(moving, directions, strict=True):
            moved[i] = points[i] + distance * v
        return _floating_results(function, moved)

    values = _floating_results(function, points)
    weights = [_random_like(y, generator) for y in values]
    slopes = [(ops.to_tensor(b) - a) / (2 * step) for a, b in zip(at(-step), at(step), strict=True)]
    numerical = float(_inner(weights, slopes))

    derivatives = {}
    if "reverse" in modes:
        derivatives["reverse"] = float(_inner(_vjp(function, points, moving, weights), directions))
    if "forward" in modes:
        derivatives["forward"] = float(_inner(weights, _jvp(function, points, moving, directions)))
    for mode, value in derivatives.items():
        if not abs(value - numerical) <= atol + rtol * max(abs(value), abs(numerical)):
            raise AssertionError(
                f"{mode} mode disagrees with central differences for {what}: {value!r} against "
                f"{numerical!r} (arguments: {[x._spec() for x in points]})"
            )
    if len(derivatives) == 2:
        reverse, forward = derivatives["reverse"], derivatives["forward"]
        if not abs(reverse - forward) <= 1e-9 + 1e-9 * max(abs(reverse), abs(forward)):
            raise AssertionError(
                f"forward and reverse mode disagree for {what}: {forward!r} against {reverse!r}"
            )
    if order > 1:
        for mode in modes:
            if mode == "reverse":
                derivative = lambda *xs: _vjp(function, xs, moving, weights)  # noqa: E731
            else:
                derivative = lambda *xs: _jvp(function, xs, moving, directions)  # noqa: E731
            _check(
                lambda *xs, _d=derivative: [t for t in _d(*xs) if t is not None],
                points,
                order - 1,
                modes,
                tolerances,
                generator,
                f"the {mode}-mode derivative of {what}",
            )


def _vjp(function, points, moving, weights) -> list:
    with GradientTape() as tape:
        tape.watch([points[i] for i in moving])
        values = _floating_results(function, points)
    return tape.gradient(
        values,
        [points[i] for i in moving],
        output_gradients=weights,
        unconnected_gradients=UnconnectedGradients.ZERO,
    )


def _jvp(function, points, moving, directions) -> list:
    with ForwardAccumulator([points[i] for i in moving], directions) as accumulator:
        values = _floating_results(function, points)
    return accumulator.jvp(values, UnconnectedGradients.ZERO)


def check_batching(function: Callable, args: Sequence, in_axes=0, *, rtol: float = 1e-9) -> None:
    """Raise an AssertionError unless `vmap(function)` gives what a loop over examples gives."""
    from gradtape.engine.vmap import vmap

    args = [ops.to_tensor(a) for a in args]
    axes = list(in_axes) if isinstance(in_axes, (list, tuple)) else [in_axes] * len(args)
    mapped = [ops.to_tensor(y) for y in nest.flatten(vmap(function, axes)(*args))]
    size = next(x.shape[a] for x, a in zip(args, axes, strict=True) if a is not None)
    rows = []
    for i in range(size):
        example = [
            x if a is None else ops.to_tensor(np.take(x.numpy(), i, a))
            for x, a in zip(args, axes, strict=True)
        ]
        rows.append([ops.to_tensor(y).numpy() for y in nest.flatten(function(*example))])
    for y, column in zip(mapped, zip(*rows, strict=True), strict=True):
        np.testing.assert_allclose(
            y.numpy(), np.stack(column), rtol=rtol, atol=rtol, err_msg="vmap against a loop"
        )
