"""TensorFlow Probability here and on TensorFlow: its import, and NUTS eagerly and in a tf.function.

    python bench/probability.py --gradtape .bench/companions/bin/python \\
        --tensorflow .bench/companions-tensorflow/bin/python

Each measurement is a process of its own, and both libraries take turns. NUTS draws from the
posterior of a logistic regression with 5 coefficients and 100 observations. Printed are medians in
seconds, their ratio, and the mean of the draws on either side, which come from the same seeds.
Writes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

FORMS = {"import": 0, "eager": 10, "function": 50}  # draws


def measure(form: str) -> dict:
    """Measure one form in this process."""
    started = time.perf_counter()
    import tensorflow as tf
    import tensorflow_probability as tfp

    tfp.distributions.Normal(0.0, 1.0).log_prob(0.0)
    seconds = time.perf_counter() - started
    if form == "import":
        return {"seconds": seconds, "mean": 0.0}

    import numpy as np

    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(100, 5)).astype("float32"))
    y = tf.constant((rng.uniform(size=100) < 0.4).astype("float32"))
    prior = tfp.distributions.Normal(0.0, 2.0)

    def log_density(w):
        likelihood = tfp.distributions.Bernoulli(logits=tf.linalg.matvec(x, w))
        return tf.reduce_sum(prior.log_prob(w)) + tf.reduce_sum(likelihood.log_prob(y))

    def draw(seed):
        return tfp.mcmc.sample_chain(
            FORMS[form],
            tf.zeros(5),
            kernel=tfp.mcmc.NoUTurnSampler(log_density, step_size=0.15),
            trace_fn=None,
            seed=seed,
        )

    run = tf.function(draw) if form == "function" else draw
    draws = run(tf.constant([0, 1]))  # traced here, where it is a function
    times = []
    for number in range(3):
        started = time.perf_counter()
        draws = run(tf.constant([number, 7]))
        mean = float(tf.reduce_mean(draws))  # synchronizes
        times.append(time.perf_counter() - started)
    return {"seconds": min(times), "mean": mean}


def in_a_process(python: str, library: str, form: str) -> dict:
    """Measure one form in a process of its own."""
    command = [python, "-m", "gradtape", "run"] if library == "gradtape" else [python]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [*command, __file__, "--measure", form],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{library}, {form}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gradtape", default=sys.executable, help="a Python with both")
    parser.add_argument("--tensorflow", help="a Python with both")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--measure", choices=FORMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.measure)))
        return
    for form in FORMS:
        here, there = [], []
        for _ in range(options.turns):
            here.append(in_a_process(options.gradtape, "gradtape", form))
            there.append(in_a_process(options.tensorflow, "tensorflow", form))
        ours, theirs = [
            statistics.median(each["seconds"] for each in side) for side in (here, there)
        ]
        ratio = statistics.median(
            a["seconds"] / b["seconds"] for a, b in zip(here, there, strict=True)
        )
        means = f"means {here[-1]['mean']:.6f}, {there[-1]['mean']:.6f}"
        print(f"{form:10} {ours:8.3f} s {theirs:8.3f} s  ratio {ratio:.2f}  {means}", flush=True)


if __name__ == "__main__":
    main()
