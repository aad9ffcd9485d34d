"""The workloads of the Keras benchmark: `keras_models.py LIBRARY WORKLOAD`.

LIBRARY is gradtape, tensorflow, jax or jax-jit: the backend, and for the last a custom loop whose
step is compiled. Models, data, initial weights and optimizer are the same on all of them.
"""

import importlib
import json
import os
import statistics
import sys
import time

import numpy as np

LIBRARY, WORKLOAD = sys.argv[1:3]
BACKEND = LIBRARY.split("-")[0]
os.environ["KERAS_BACKEND"] = BACKEND

WARM_UP_PASSES = 2  # the first compiles, where there is something to compile
CHECKED_PASS = 2
MEASURED_SECONDS = 3.0
SMALLEST_SAMPLE = 5


def keras_of(backend: str):
    if backend == "gradtape":
        return importlib.import_module("gradtape").keras
    return importlib.import_module("keras")


keras = keras_of(BACKEND)


def mlp():
    layers = keras.layers
    model = [
        keras.Input((784,)),
        layers.Dense(256, activation="relu"),
        layers.Dense(256, activation="relu"),
        layers.Dense(10),
    ]
    return keras.Sequential(model), (784,), 128, 40


def cnn():
    layers = keras.layers
    model = [
        keras.Input((28, 28, 1)),
        layers.Conv2D(16, 3, activation="relu"),
        layers.MaxPooling2D(2),
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(2),
        layers.Flatten(),
        layers.Dense(10),
    ]
    return keras.Sequential(model), (28, 28, 1), 32, 20


def mlp_batch_1():
    model, shape, _, _ = mlp()
    return model, shape, 1, 200


def tiny():
    """So little work that what remains is what a step costs by itself."""
    layers = keras.layers
    model = [keras.Input((8,)), layers.Dense(16, activation="tanh"), layers.Dense(10)]
    return keras.Sequential(model), (8,), 1, 400


def stack():
    """Small layers of several kinds, one after the other."""
    layers = keras.layers
    model = [keras.Input((64,))]
    for number in range(8):
        model += [layers.Dense(64), layers.BatchNormalization()]
        model += [layers.Activation("swish"), layers.Dropout(0.1, seed=number)]
    return keras.Sequential([*model, layers.Dense(10)]), (64,), 32, 100


def deep():
    """200 layers with shortcuts."""
    layers = keras.layers
    x = inputs = keras.Input((16,))
    for _ in range(200):
        x = layers.average([x, layers.Dense(16, activation="tanh")(x)])
    return keras.Model(inputs, layers.Dense(10)(x)), (16,), 32, 20


MODELS = {"mlp": mlp, "cnn": cnn, "mlp1": mlp_batch_1, "tiny": tiny, "stack": stack, "deep": deep}


def made(make):
    """A compiled model with weights that do not depend on the backend, and its data."""
    model, shape, batch, steps = make()
    random = np.random.default_rng(0)
    weights = []
    for weight in model.get_weights():
        fan_in = np.prod(weight.shape[:-1]) if weight.ndim > 1 else np.inf
        weights.append(random.standard_normal(weight.shape) * np.sqrt(2 / fan_in))
    model.set_weights(weights)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(1e-3), loss)
    x = random.standard_normal((batch * steps, *shape), dtype=np.float32)
    y = random.integers(0, 10, batch * steps).astype("int32")
    return model, loss, x, y, batch


def fit(make):
    """An epoch of `fit`."""
    model, _, x, y, batch = made(make)

    def one_pass():
        history = model.fit(x, y, batch_size=batch, shuffle=False, verbose=0)
        return history.history["loss"][0]

    return one_pass


def loop_with_tape(make):
    """A training loop of one's own around `GradientTape`, eagerly, over the same data."""
    tf = importlib.import_module(BACKEND)
    model, loss_of, x, y, batch = made(make)
    batches = [(x[i : i + batch], y[i : i + batch]) for i in range(0, len(x), batch)]

    def one_pass():
        losses = []
        for images, labels in batches:
            with tf.GradientTape() as tape:
                loss = loss_of(labels, model(images, training=True))
            gradients = tape.gradient(loss, model.trainable_variables)
            pairs = zip(gradients, model.trainable_variables, strict=True)
            model.optimizer.apply_gradients(pairs)
            losses.append(float(loss))
        return statistics.fmean(losses)

    return one_pass


def loop_with_jax(make):
    """The same loop in JAX's way: a pure function of the state, compiled if asked for."""
    jax = importlib.import_module("jax")
    model, loss_of, x, y, batch = made(make)
    model.optimizer.build(model.trainable_variables)
    batches = [(x[i : i + batch], y[i : i + batch]) for i in range(0, len(x), batch)]

    def loss_and_state(weights, state, images, labels):
        outputs, state = model.stateless_call(weights, state, images, training=True)
        return loss_of(labels, outputs), state

    gradient_of = jax.value_and_grad(loss_and_state, has_aux=True)

    def step(weights, state, slots, images, labels):
        (loss, state), gradients = gradient_of(weights, state, images, labels)
        weights, slots = model.optimizer.stateless_apply(slots, gradients, weights)
        return loss, weights, state, slots

    if LIBRARY == "jax-jit":
        step = jax.jit(step)
    held = [
        [v.value for v in model.trainable_variables],
        [v.value for v in model.non_trainable_variables],
        [v.value for v in model.optimizer.variables],
    ]

    def one_pass():
        losses = []
        for images, labels in batches:
            loss, *held[:] = step(*held, images, labels)
            losses.append(float(loss))
        return statistics.fmean(losses)

    return one_pass


def samples(one_pass) -> tuple[list[float], float]:
    """Times of single passes, and the loss of one of the first."""
    losses = [one_pass() for _ in range(max(WARM_UP_PASSES, CHECKED_PASS))]
    times: list[float] = []
    while sum(times) < MEASURED_SECONDS or len(times) < SMALLEST_SAMPLE:
        start = time.perf_counter()
        one_pass()
        times.append(time.perf_counter() - start)
    return times, losses[CHECKED_PASS - 1]


if __name__ == "__main__":
    kind, model = WORKLOAD.split("_")
    loop = loop_with_jax if BACKEND == "jax" else loop_with_tape
    times, check = samples({"fit": fit, "loop": loop}[kind](MODELS[model]))
    summary = {
        "version": f"{importlib.import_module(BACKEND).__version__} (Keras {keras.__version__})",
        "seconds": statistics.median(times),
        "check": check,
    }
    print(json.dumps(summary))
