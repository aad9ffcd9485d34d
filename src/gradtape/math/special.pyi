# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike
from gradtape.math import bessel_i0 as bessel_i0
from gradtape.math import bessel_i0e as bessel_i0e
from gradtape.math import bessel_i1 as bessel_i1
from gradtape.math import bessel_i1e as bessel_i1e

def bessel_j0(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the Bessel function of the first kind, of order 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_j1(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the Bessel function of the first kind, of order 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_k0(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the second kind, of order 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_k0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the second kind, of order 0, times exp(x).

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_k1(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the second kind, of order 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_k1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the modified Bessel function of the second kind, of order 1, times exp(x).

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_y0(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the Bessel function of the second kind, of order 0.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def bessel_y1(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the Bessel function of the second kind, of order 1.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def dawsn(x: TensorLike, name: str | None = None) -> Tensor:
    """Return Dawson's integral exp(-x²) ∫₀ˣ exp(t²) dt.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def expint(x: TensorLike, name: str | None = None) -> Tensor:
    """Return the exponential integral ∫ exp(t) / t dt up to x.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fresnel_cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Return Fresnel's integral ∫₀ˣ cos(πt²/2) dt.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fresnel_sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Return Fresnel's integral ∫₀ˣ sin(πt²/2) dt.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def spence(x: TensorLike, name: str | None = None) -> Tensor:
    """Return Spence's integral ∫₁ˣ log(t) / (1 - t) dt.

    Args:
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if it does not take the dtype.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """
