"""Checkpointing: less memory for the backward pass, for more computing.

A tape keeps what the rules need: for a deep network, the activations of every layer. With
`tf.recompute_grad` a block keeps its input alone, and is computed again when its gradient is
needed. `tape.memory()` tells what is kept, and the gradients are the same.
"""

import numpy as np
from picture import run

import gradtape as tf

DEPTH, WIDTH, BATCH = 24, 64, 256


def main():
    tf.random.set_seed(0)
    weights = [
        tf.Variable(tf.random.normal((WIDTH, WIDTH), stddev=WIDTH**-0.5)) for _ in range(DEPTH)
    ]
    x = tf.random.normal((BATCH, WIDTH))

    def block(h, *layers):
        for w in layers:
            h = tf.tanh(h @ w) * 0.5 + h
        return h

    def kept_and_gradients(size):
        """Kilobytes on the tape, with blocks of that many layers; 0: without blocks."""
        with tf.GradientTape(persistent=True) as tape:
            h = x
            for start in range(0, DEPTH, size or DEPTH):
                layers = weights[start : start + (size or DEPTH)]
                h = tf.recompute_grad(block)(h, *layers) if size else block(h, *layers)
            loss = tf.reduce_mean(h**2)
        return tape.memory().total_bytes / 1024, tape.gradient(loss, weights)

    plain, expected = kept_and_gradients(0)
    sizes = [1, 2, 3, 4, 6, 8, 12, 24]
    kept = []
    for size in sizes:
        kilobytes, gradients = kept_and_gradients(size)
        kept.append(kilobytes)
        for g, e in zip(gradients, expected, strict=True):
            np.testing.assert_allclose(g, e, rtol=1e-4, atol=1e-6)
    print(f"kept by the tape: {plain:.0f} KiB, in blocks of 6 layers {kept[4]:.0f} KiB")
    # While a block is computed again, its own activations are there, too.
    peak = [k + size * plain / DEPTH for k, size in zip(kept, sizes, strict=True)]
    return {"sizes": sizes, "kept": kept, "peak": peak, "plain": plain}


def draw(figure, result):
    axes = figure.subplots()
    axes.axhline(result["plain"], linestyle=":", label="without recomputing")
    axes.plot(result["sizes"], result["peak"], "o-", label="kept, and one block computed again")
    axes.plot(result["sizes"], result["kept"], "o-", label="kept")
    axes.set(title=f"memory of {DEPTH} layers, in KiB", xlabel="layers in a block", ylim=(0, None))
    axes.legend()


if __name__ == "__main__":
    run(main, draw)
