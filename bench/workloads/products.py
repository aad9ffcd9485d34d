"""The rate of arithmetic: a matrix product, and a convolution with both of its gradients."""

from __future__ import annotations

from workloads.arrays import normal, size, weights

N, SIDE, CHANNELS = 16, 56, 64


def conv_flops() -> float:
    """Of the forward pass and both gradients of the convolution."""
    return 3 * 2.0 * N * SIDE * SIDE * CHANNELS * CHANNELS * 9


def sgemm(library):
    a, b = library.constant(normal(1, 2048, 2048)), library.constant(normal(2, 2048, 2048))
    product = library.matmul

    def step():
        result = product(a, b)
        return result.block_until_ready() if library.name == "jax" else result

    return step, 1, size(library)


def conv(library):
    def function(parameters):
        # Squares, so that the gradients need the values: what is not needed would be left out.
        return library.sum(library.square(library.conv(*parameters, "SAME")))

    image = library.image_parameter(normal(1, N, SIDE, SIDE, CHANNELS))
    kernel = library.kernel(weights(2, 3, 3, CHANNELS, CHANNELS))
    step = library.gradients(function, [image, kernel])
    return step, 1, size(library)
