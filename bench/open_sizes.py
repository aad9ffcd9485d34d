"""Training steps on batches of ever other sizes, beside TensorFlow: one trace for all of them.

    .venv/bin/python bench/open_sizes.py --tensorflow .bench/tensorflow/bin/python

100 pairs of batch size and length, each once, go through a hand-written LSTM (a `tf.function` whose
signature leaves both open) and through Keras's `fit`. Both libraries run in processes of their own,
in turns. Printed are the milliseconds of a step (the median of all turns, without the first steps,
which trace), the number of traces, and the loss after the last step, which must agree.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

PAIRS, FEATURES, UNITS = 100, 32, 64
WARM_UP = 3


def batches(numpy):
    """Return the batches, the same ones in both libraries."""
    random = numpy.random.RandomState(0)
    pairs = {}
    while len(pairs) < PAIRS:
        pairs[random.randint(2, 65), random.randint(5, 61)] = None
    return [
        (
            random.randn(size, length, FEATURES).astype("float32"),
            random.randn(size, 1).astype("float32"),
        )
        for size, length in pairs
    ]


def written_out(tf, numpy) -> dict:
    """Measure an LSTM that is written out in a `tf.function` with an open signature."""
    random = numpy.random.RandomState(1)

    def variable(*shape):
        return tf.Variable(0.1 * random.randn(*shape).astype("float32"))

    kernel, recurrent = variable(FEATURES, 4 * UNITS), variable(UNITS, 4 * UNITS)
    bias, out = variable(4 * UNITS), variable(UNITS, 1)
    weights = [kernel, recurrent, bias, out]
    traces = []

    def cell(state, row):
        h, c = state
        i, f, g, o = tf.split(row @ kernel + h @ recurrent + bias, 4, 1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return tf.sigmoid(o) * tf.tanh(c), c

    @tf.function(input_signature=[tf.TensorSpec([None, None, FEATURES]), tf.TensorSpec([None, 1])])
    def step(x, y):
        traces.append(1)
        with tf.GradientTape() as tape:
            zeros = tf.zeros([tf.shape(x)[0], UNITS])
            states = tf.scan(cell, tf.transpose(x, [1, 0, 2]), (zeros, zeros))
            loss = tf.reduce_mean(tf.square(states[0][-1] @ out - y))
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.01 * slope)
        return loss

    data = [(tf.constant(x), tf.constant(y)) for x, y in batches(numpy)]
    times, loss = [], 0.0
    for x, y in data:
        start = time.perf_counter()
        loss = float(step(x, y))
        times.append(time.perf_counter() - start)
    return {"times": times, "traces": len(traces), "loss": loss}


def by_fit(tf, numpy) -> dict:
    """Measure Keras's `fit` on such batches."""
    keras = tf.keras
    keras.utils.set_random_seed(0)
    layers = [keras.Input((None, FEATURES)), keras.layers.LSTM(UNITS), keras.layers.Dense(1)]
    model = keras.Sequential(layers)
    random = numpy.random.RandomState(1)
    model.set_weights([0.1 * random.randn(*w.shape).astype("float32") for w in model.weights])
    traces = []

    class Times(keras.callbacks.Callback):
        times: list = []  # noqa: RUF012 (there is one)

        def on_train_batch_begin(self, batch, logs=None):
            self.start = time.perf_counter()

        def on_train_batch_end(self, batch, logs=None):
            self.times.append(time.perf_counter() - self.start)

    def loss(target, made):
        traces.append(1)  # the first batches are eager here
        return tf.reduce_mean(tf.square(target - made))

    model.compile(keras.optimizers.SGD(0.01), loss)
    specs = (tf.TensorSpec([None, None, FEATURES]), tf.TensorSpec([None, 1]))
    data = tf.data.Dataset.from_generator(lambda: iter(batches(numpy)), output_signature=specs)
    history = model.fit(data, verbose=0, callbacks=[Times()], shuffle=False)
    return {"times": Times.times, "traces": len(traces), "loss": history.history["loss"][-1]}


def measure(library: str) -> None:
    """Measure both forms in this process, and print the results."""
    import numpy

    if library == "tensorflow":
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(2)
    else:
        import gradtape as tf
    print(json.dumps({"written out": written_out(tf, numpy), "fit": by_fit(tf, numpy)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tensorflow", help="Python of an environment with TensorFlow")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure)
        return
    pythons = {"gradtape": sys.executable, "tensorflow": arguments.tensorflow}
    measured: dict = {name: [] for name, python in pythons.items() if python}
    for _ in range(arguments.turns):
        for name, results in measured.items():
            command = [pythons[name], str(Path(__file__)), "--measure", name]
            made = subprocess.run(command, check=True, capture_output=True, text=True)
            results.append(json.loads(made.stdout.splitlines()[-1]))
    for form in ("written out", "fit"):
        medians = {}
        for name, results in measured.items():
            each = [t for result in results for t in result[form]["times"][WARM_UP:]]
            medians[name] = 1000 * statistics.median(each)
            total = statistics.median(sum(result[form]["times"]) for result in results)
            last = results[-1][form]
            print(
                f"{form:12} {name:11} {medians[name]:7.2f} ms a step, {total:6.2f} s in all, "
                f"{last['traces']} traces, loss {last['loss']:.6f}"
            )
        if len(medians) == 2:
            ratio = medians["gradtape"] / medians["tensorflow"]
            print(f"{form:12} gradtape / tensorflow: {ratio:.2f}")


if __name__ == "__main__":
    main()
