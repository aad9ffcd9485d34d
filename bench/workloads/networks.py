"""Training steps of networks for images: forward, gradients, plain gradient descent."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from workloads.arrays import normal, number, weights, whole


def mlp(library):
    relu = library.relu

    def loss(parameters, images, labels):
        w1, b1, w2, b2, w3, b3 = parameters
        hidden = relu(images @ w1 + b1)
        hidden = relu(hidden @ w2 + b2)
        return library.cross_entropy(hidden @ w3 + b3, labels)

    sizes = (784, 256, 256, 10)
    parameters = []
    for seed, (fan_in, fan_out) in enumerate(pairwise(sizes)):
        made = [weights(seed, fan_in, fan_out), np.zeros(fan_out, np.float32)]
        parameters += [library.parameter(array) for array in made]
    images = library.constant(normal(7, 128, 784))
    labels = library.constant(whole(8, 10, 128))
    step = library.train(loss, parameters, 0.05, images, labels)
    return step, 20, number(library)


def cnn(library):
    relu = library.relu

    def loss(parameters, images, labels):
        k1, b1, k2, b2, w3, b3, w4, b4 = parameters
        x = relu(library.conv(images, k1, "VALID") + _over_channels(library, b1))
        x = relu(library.conv(x, k2, "VALID") + _over_channels(library, b2))
        x = library.flat(library.max_pool(x))
        return library.cross_entropy(relu(x @ w3 + b3) @ w4 + b4, labels)

    arrays = [
        weights(1, 3, 3, 1, 32),
        np.zeros(32, np.float32),
        weights(2, 3, 3, 32, 64),
        np.zeros(64, np.float32),
        weights(3, 12 * 12 * 64, 128),
        np.zeros(128, np.float32),
        weights(4, 128, 10),
        np.zeros(10, np.float32),
    ]
    parameters = _parameters(library, arrays)
    images = library.image(normal(7, 64, 28, 28, 1))
    labels = library.constant(whole(8, 10, 64))
    step = library.train(loss, parameters, 0.001, images, labels)
    return step, 4, number(library)


def resnet(library):
    relu = library.relu

    def loss(parameters, images, targets):
        k1, scale1, shift1, k2, scale2, shift2 = parameters
        x = relu(library.batch_norm(library.conv(images, k1, "SAME"), scale1, shift1))
        x = library.batch_norm(library.conv(x, k2, "SAME"), scale2, shift2)
        return library.mean(library.square(relu(x + images) - targets))

    one, zero = np.ones(64, np.float32), np.zeros(64, np.float32)
    arrays = [weights(1, 3, 3, 64, 64), one, zero, weights(2, 3, 3, 64, 64), one, zero]
    parameters = _parameters(library, arrays)
    images, targets = (library.image(normal(seed, 16, 56, 56, 64)) for seed in (7, 8))
    step = library.train(loss, parameters, 0.1, images, targets)
    return step, 3, number(library)


def _parameters(library, arrays: list[np.ndarray]) -> list:
    return [library.kernel(a) if a.ndim == 4 else library.parameter(a) for a in arrays]


def _over_channels(library, bias):
    """A bias in a shape that is added to every pixel: PyTorch's channels are the second axis."""
    return bias.reshape(-1, 1, 1) if library.name == "torch" else bias
