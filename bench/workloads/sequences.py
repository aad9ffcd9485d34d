"""Training steps of networks for sequences: LSTM, attention, a small GPT."""

from __future__ import annotations

import numpy as np

from workloads.arrays import normal, number, size, weights, whole

WIDTH, HEADS, LAYERS, LENGTH, BATCH, VOCABULARY = 256, 8, 4, 128, 8, 1024


def lstm(library):
    features = hidden = 128

    def loss(parameters, x, targets):
        kernel, recurrent, bias, out = parameters
        last = library.lstm(x, kernel, recurrent, bias)
        return library.mean(library.square(library.reshape(last, (32, hidden)) @ out - targets))

    arrays = [
        normal(1, features, 4 * hidden, scale=0.09),
        normal(2, hidden, 4 * hidden, scale=0.09),
        normal(3, 4 * hidden, scale=0.1),
        weights(4, hidden, 10),
    ]
    parameters = [library.parameter(array) for array in arrays]
    x = library.constant(normal(7, 32, 64, features))
    step = library.train(loss, parameters, 0.05, x, library.constant(normal(8, 32, 10)))
    return step, 4, number(library)


def attention(library):
    def function(parameters, upstream):
        return library.sum(library.attention(*parameters, causal=False) * upstream)

    shape = (8, 8, 256, 64)
    parameters = [library.parameter(normal(seed, *shape)) for seed in (1, 2, 3)]
    step = library.gradients(function, parameters, library.constant(normal(4, *shape)))
    return step, 1, size(library)


def _block(library, x, block):
    """Attention and an MLP, each on normalized values and added to what came in."""
    scale1, shift1, qkv, qkv_bias, out, out_bias, scale2, shift2, up, up_bias, down, bias = block
    reshape, transpose = library.reshape, library.transpose
    y = library.layer_norm(x, scale1, shift1) @ qkv + qkv_bias
    y = transpose(reshape(y, (BATCH, LENGTH, 3, HEADS, WIDTH // HEADS)), (2, 0, 3, 1, 4))
    y = library.attention(y[0], y[1], y[2], causal=True)
    y = reshape(transpose(y, (0, 2, 1, 3)), (BATCH, LENGTH, WIDTH))
    x = x + y @ out + out_bias
    y = library.gelu(library.layer_norm(x, scale2, shift2) @ up + up_bias)
    return x + y @ down + bias


def gpt(library):
    def loss(parameters, tokens, targets):
        table, positions, *blocks, scale, shift, head = parameters
        x = library.take(table, tokens) + positions
        for layer in range(LAYERS):
            x = _block(library, x, blocks[12 * layer : 12 * (layer + 1)])
        return library.cross_entropy(library.layer_norm(x, scale, shift) @ head, targets)

    one, zero = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    arrays = [normal(1, VOCABULARY, WIDTH, scale=0.1), normal(2, LENGTH, WIDTH, scale=0.1)]
    for layer in range(LAYERS):
        seed = 10 * (layer + 1)
        arrays += [
            one,
            zero,
            normal(seed, WIDTH, 3 * WIDTH, scale=0.05),
            np.zeros(3 * WIDTH, np.float32),
            normal(seed + 1, WIDTH, WIDTH, scale=0.05),
            zero,
            one,
            zero,
            normal(seed + 2, WIDTH, 4 * WIDTH, scale=0.05),
            np.zeros(4 * WIDTH, np.float32),
            normal(seed + 3, 4 * WIDTH, WIDTH, scale=0.05),
            zero,
        ]
    arrays += [one, zero, normal(3, WIDTH, VOCABULARY, scale=0.05)]
    parameters = [library.parameter(array) for array in arrays]
    tokens = whole(7, VOCABULARY, BATCH, LENGTH + 1)
    inputs, targets = library.constant(tokens[:, :-1]), library.constant(tokens[:, 1:])
    step = library.train(loss, parameters, 0.05, inputs, targets)
    return step, 3, number(library)
