"""Keras's `fit` on a GPU: the same models on gradtape, JAX and PyTorch as Keras's backends.

    python bench/gpu/fit.py                         all models, all backends
    python bench/gpu/fit.py encoder --backends gradtape jax --small

Each measurement has a process of its own; the backends take turns. Printed are the milliseconds of
a step (the median of the epochs after the first), the seconds of the first epoch (with what is
compiled), and the loss of the last epoch, in which all should agree but for dtype's rounding.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

BACKENDS = ("gradtape", "jax", "torch")
BATCH, STEPS, EPOCHS = 256, 40, 6
WIDE_BATCH, WIDE_STEPS = 4096, 10  # batches of 67 MB, which have to reach the GPU in time
CLASSES = 10


def resnet(keras):
    """ResNet-18 for images of 32 × 32."""
    layers = keras.layers

    def convolved(x, filters, stride=1):
        x = layers.Conv2D(filters, 3, stride, padding="same", use_bias=False)(x)
        return layers.BatchNormalization()(x)

    inputs = x = keras.Input((32, 32, 3))
    x = layers.ReLU()(convolved(x, 64))
    for filters, stride in ((64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)):
        shortcut = x
        if stride > 1:
            shortcut = layers.Conv2D(filters, 1, stride, use_bias=False)(x)
        x = convolved(layers.ReLU()(convolved(x, filters, stride)), filters)
        x = layers.ReLU()(layers.add([x, shortcut]))
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, layers.Dense(CLASSES, dtype="float32")(x))


def encoder(keras, words=8192, length=128, width=256, heads=8, blocks=4):
    """Four blocks of a Transformer's encoder."""
    layers = keras.layers
    inputs = keras.Input((length,), dtype="int32")
    x = layers.Embedding(words, width)(inputs)
    for _ in range(blocks):
        y = layers.LayerNormalization()(x)
        x = layers.add([x, layers.MultiHeadAttention(heads, width // heads)(y, y)])
        y = layers.LayerNormalization()(x)
        y = layers.Dense(4 * width, activation="gelu")(y)
        x = layers.add([x, layers.Dense(width)(y)])
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model(inputs, layers.Dense(CLASSES, dtype="float32")(x))


def lstm(keras, words=8192, length=128, width=128):
    """A bidirectional LSTM over an embedding."""
    layers = keras.layers
    inputs = keras.Input((length,), dtype="int32")
    x = layers.Embedding(words, width)(inputs)
    x = layers.Bidirectional(layers.LSTM(width, return_sequences=True))(x)
    x = layers.GlobalMaxPooling1D()(x)
    return keras.Model(inputs, layers.Dense(CLASSES, dtype="float32")(x))


def wide(keras, width=4096, blocks=6):
    """Wide layers, and examples as wide."""
    layers = keras.layers
    inputs = x = keras.Input((width,))
    for _ in range(blocks):
        x = layers.Dense(width, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(CLASSES, dtype="float32")(x))


MODELS = {"resnet": resnet, "encoder": encoder, "lstm": lstm, "wide": wide}
POLICIES = ("float32", "mixed_bfloat16")


def data_of(name: str, examples: int):
    random = np.random.default_rng(0)
    labels = random.integers(0, CLASSES, examples).astype("int32")
    if name == "resnet":
        images = random.standard_normal((examples, 32, 32, 3), np.float32)
        return images, labels
    if name == "wide":
        return random.standard_normal((examples, 4096), np.float32), labels
    return random.integers(0, 8192, (examples, 128)).astype("int32"), labels


def keras_on(backend: str):
    if backend == "gradtape":
        import gradtape

        return gradtape.keras
    os.environ["KERAS_BACKEND"] = backend
    import keras

    return keras


def measure(name: str, policy: str, backend: str, small: bool) -> dict:
    keras = keras_on(backend)
    batch, steps, epochs = (4, 2, 2) if small else (BATCH, STEPS, EPOCHS)
    if name == "wide" and not small:
        batch, steps = WIDE_BATCH, WIDE_STEPS
    keras.utils.set_random_seed(1)
    keras.mixed_precision.set_dtype_policy(policy)
    model = MODELS[name](keras)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    x, y = data_of(name, batch * steps)
    times, loss = [], 0.0
    for _ in range(epochs):
        start = time.perf_counter()
        history = model.fit(x, y, batch_size=batch, verbose=0, shuffle=False)
        times.append(time.perf_counter() - start)
        loss = history.history["loss"][0]
    later = statistics.median(times[1:])
    return {"ms": 1e3 * later / steps, "first": times[0], "loss": loss}


def in_a_process(name: str, policy: str, backend: str, small: bool) -> dict:
    command = [sys.executable, __file__, name, "--policies", policy, "--backends", backend]
    command += ["--inside"] + ["--small"] * small
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        reason = finished.stderr.strip().splitlines()[-1:] or ["no output"]
        return {"failed": reason[0]}
    return json.loads(finished.stdout.strip().splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=list(MODELS))
    parser.add_argument("--backends", nargs="+", default=list(BACKENDS))
    parser.add_argument("--policies", nargs="+", default=list(POLICIES))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        chosen = (options.models[0], options.policies[0], options.backends[0])
        print(json.dumps(measure(*chosen, options.small)))
        return
    print(f"{'model':8} {'policy':15} {'backend':9} {'ms a step':>10} {'first epoch, s':>15}  loss")
    for name in options.models:
        for policy in options.policies:
            measured: dict[str, list[dict]] = {backend: [] for backend in options.backends}
            for _ in range(options.rounds):
                for backend in options.backends:
                    measured[backend].append(in_a_process(name, policy, backend, options.small))
            for backend, rounds in measured.items():
                good = [r for r in rounds if "ms" in r]
                if not good:
                    print(f"{name:8} {policy:15} {backend:9} failed: {rounds[-1]['failed']}")
                    continue
                best = min(good, key=lambda r: r["ms"])
                first = max(r["first"] for r in good)
                print(
                    f"{name:8} {policy:15} {backend:9} {best['ms']:10.2f} {first:15.1f}  "
                    f"{best['loss']:.4f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
