# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.core.tensor import Tensor
from gradtape.core.typing import TensorLike
from gradtape.math import bessel_i0 as bessel_i0
from gradtape.math import bessel_i0e as bessel_i0e
from gradtape.math import bessel_i1 as bessel_i1
from gradtape.math import bessel_i1e as bessel_i1e

def bessel_j0(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_j0` elementwise."""

def bessel_j1(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_j1` elementwise."""

def bessel_k0(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_k0` elementwise."""

def bessel_k0e(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_k0e` elementwise."""

def bessel_k1(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_k1` elementwise."""

def bessel_k1e(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_k1e` elementwise."""

def bessel_y0(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_y0` elementwise."""

def bessel_y1(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `bessel_y1` elementwise."""

def dawsn(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `dawsn` elementwise."""

def expint(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `expint` elementwise."""

def fresnel_cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `fresnel_cos` elementwise."""

def fresnel_sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `fresnel_sin` elementwise."""

def spence(x: TensorLike, name: str | None = None) -> Tensor:
    """Compute `spence` elementwise."""
