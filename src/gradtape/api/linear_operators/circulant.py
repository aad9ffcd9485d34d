"""Circulant operators in one, two and three dimensions: convolutions that wrap around."""

from __future__ import annotations

import math

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    constructor_arguments,
    require,
    resolve_hint,
    to_stored,
)
from gradtape.api.linear_operators.base import LinearOperator, Structured
from gradtape.api.linear_operators.toeplitz import as_complex
from gradtape.core import dtypes
from gradtape.core.dtypes import as_dtype
from gradtape.core.tensor import Tensor


class _Circulant(Structured):
    """An operator that Fourier's transform makes diagonal: by its spectrum."""

    _depth = 0

    def __init__(
        self,
        spectrum,
        input_output_dtype=dtypes.complex64,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        name=None,
    ):
        name = name or type(self).__name__
        parameters = constructor_arguments(locals())
        self._spectrum = to_stored(spectrum)
        if len(self._spectrum.shape) < self._depth:
            raise ValueError(
                f"Argument spectrum must have at least {self._depth} dimensions. Found: "
                f"{tuple(self._spectrum.shape)}"
            )
        is_self_adjoint = resolve_hint(
            is_self_adjoint,
            not self._spectrum.dtype.is_complex,
            "A real spectrum always corresponds to a self-adjoint operator.",
        )
        is_square = resolve_hint(is_square, True, "A circulant operator is always square.")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(as_dtype(input_output_dtype), None, *hints, name, parameters)

    @property
    def spectrum(self):
        return self._spectrum

    @property
    def block_depth(self) -> int:
        return self._depth

    @property
    def block_shape(self):
        return self._spectrum.shape[-self._depth :]

    def block_shape_tensor(self) -> Tensor:
        return ops.to_tensor(self.block_shape.as_list())

    def _blocks(self) -> tuple[int, ...]:
        return tuple(self._spectrum.shape[-self._depth :])

    def _shape(self):
        size = math.prod(self._blocks())
        return (*self._spectrum.shape[: -self._depth], size, size)

    def _values(self):
        return as_complex(ops.to_tensor(self._spectrum))

    def _axes(self, x) -> tuple[int, ...]:
        return tuple(range(x.ndim - self._depth, x.ndim))

    def _result(self, x):
        """Return a complex result in the dtype of the operator."""
        if not self.dtype.is_complex:
            x = ops.real(x)
        return ops.cast(x, self.dtype)

    def convolution_kernel(self, name="convolution_kernel"):
        """Return the first column, in the form of the blocks."""
        values = self._values()
        return ops.cast(ops.fft(values, self._axes(values), inverse=True), self.dtype)

    def _in_spectrum(self, x, act):
        """Return a matrix whose columns are transformed, acted on, and transformed back."""
        columns = ops.matrix_transpose(as_complex(x))
        blocks = ops.reshape(columns, (*columns.shape[:-1], *self._blocks()))
        values = ops.expand_dims(self._values(), -self._depth - 1)
        acted = act(ops.fft(blocks, self._axes(blocks)), values)
        result = ops.fft(acted, self._axes(acted), inverse=True)
        flat = ops.reshape(result, (*result.shape[: -self._depth], math.prod(self._blocks())))
        return self._result(ops.matrix_transpose(flat))

    def _apply(self, x, adjoint: bool):
        return self._in_spectrum(x, lambda t, s: t * (ops.conj(s) if adjoint else s))

    def _apply_inverse(self, rhs, adjoint: bool):
        return self._in_spectrum(rhs, lambda t, s: t / (ops.conj(s) if adjoint else s))

    def _over_blocks(self, reduce, x):
        return reduce(x, list(range(-self._depth, 0)))

    def _determinant(self):
        return self._result(self._over_blocks(ops.reduce_prod, self._values()))

    def _log_abs_determinant(self):
        logarithms = ops.log(ops.abs(self._values()))
        return ops.cast(self._over_blocks(ops.reduce_sum, logarithms), self.dtype)

    def _trace(self):
        return self._result(self._over_blocks(ops.reduce_sum, self._values()))

    def _diag_part(self):
        size = int(self.domain_dimension)
        mean = ops.expand_dims(self._trace(), -1) / size
        return ops.broadcast_to(mean, (*self.batch_shape, size))

    def _eigvals(self):
        values = ops.to_tensor(self._spectrum)
        return ops.reshape(values, (*self.batch_shape, int(self.domain_dimension)))

    def _cond(self):
        magnitudes = ops.abs(self._values())
        return ops.cast(
            self._over_blocks(ops.reduce_max, magnitudes)
            / self._over_blocks(ops.reduce_min, magnitudes),
            self.dtype,
        )

    def assert_hermitian_spectrum(self, name="assert_hermitian_spectrum") -> None:
        """Fail unless the convolution kernel is real."""
        values = self._values()
        kernel = ops.fft(values, self._axes(values), inverse=True)
        limit = ops.precision(kernel) * 4 * float(self.domain_dimension)
        require(ops.less_equal(ops.abs(ops.imag(kernel)), limit), "Spectrum was not Hermitian.")

    def _assert_non_singular(self):
        require(ops.greater(ops.abs(self._values()), 0.0), "Singular operator: a zero spectrum.")

    def _assert_positive_definite(self):
        require(
            ops.greater(ops.real(self._values()), 0.0), "Not positive definite: real spectrum <= 0."
        )

    def _assert_self_adjoint(self):
        require(
            ops.less_equal(ops.abs(ops.imag(self._values())), 0.0),
            "Not self-adjoint: the spectrum contained non-zero imaginary part.",
        )

    def _like(self, spectrum):
        return type(self)(
            spectrum,
            self.dtype,
            self.is_non_singular,
            None,
            self.is_positive_definite,
            True,
        )

    def _linop_adjoint(self):
        return self._like(ops.conj(ops.to_tensor(self._spectrum)))

    def _linop_inverse(self):
        return self._like(1.0 / ops.to_tensor(self._spectrum))

    def _linop_matmul(self, left_operator: LinearOperator, right_operator: LinearOperator):
        if type(right_operator) is not type(self) or right_operator._blocks() != self._blocks():
            return super()._linop_matmul(left_operator, right_operator)
        spectra = [ops.to_tensor(self._spectrum), ops.to_tensor(right_operator._spectrum)]
        if spectra[0].dtype is not spectra[1].dtype:
            spectra = [as_complex(spectrum) for spectrum in spectra]
        both = self.is_non_singular and right_operator.is_non_singular
        # The product takes and gives complex numbers, as TensorFlow's does.
        return type(self)(spectra[0] * spectra[1], is_non_singular=both or None)


@export("linalg.LinearOperatorCirculant")
class LinearOperatorCirculant(_Circulant):
    """A circulant operator, given by its spectrum."""

    _depth = 1
    _matrix_axes = (("spectrum", 1),)


@export("linalg.LinearOperatorCirculant2D")
class LinearOperatorCirculant2D(_Circulant):
    """A circulant operator on planes, given by its spectrum."""

    _depth = 2
    _matrix_axes = (("spectrum", 2),)


@export("linalg.LinearOperatorCirculant3D")
class LinearOperatorCirculant3D(_Circulant):
    """A circulant operator on volumes, given by its spectrum."""

    _depth = 3
    _matrix_axes = (("spectrum", 3),)
