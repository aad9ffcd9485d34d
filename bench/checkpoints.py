"""Reading and writing TensorFlow's checkpoints, here and with TensorFlow: 200 MB on one core.

    .venv/bin/python bench/checkpoints.py --tensorflow .bench/tensorflow/bin/python

Each library writes 100 variables of 2 MB, and both read what both wrote: value by value, and by
restoring the variables. Printed is the quickest of five times, in seconds; files are in the
system's cache. Writes nothing but files that go away.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

COUNT, SHAPE = 100, (512, 1024)
REPEATS = 5


def quickest(function):
    """Return the seconds of the quickest call."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        function()
        times.append(time.perf_counter() - began)
    return min(times)


def measure(library, task, prefix):
    """Print the times of one task, in this process."""
    import numpy as np

    if library == "tensorflow":
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        options = None
    else:
        import gradtape as tf

        options = tf.train.CheckpointOptions(format="tensorflow")
    draws = np.random.default_rng(0)
    variables = {
        f"v{i}": tf.Variable(draws.normal(size=SHAPE).astype(np.float32)) for i in range(COUNT)
    }
    checkpoint = tf.train.Checkpoint(v=variables)

    def values():
        reader = tf.train.load_checkpoint(prefix)
        for name in reader.get_variable_to_shape_map():
            reader.get_tensor(name)

    if task == "write":
        times = {"write": quickest(lambda: checkpoint.write(prefix, options))}
    else:
        restore = quickest(lambda: checkpoint.read(prefix).assert_consumed())
        times = {"get_tensor": quickest(values), "restore": restore}
    for what, seconds in times.items():
        print(f"{library:10} {what:10} {os.path.basename(prefix):10} {seconds:7.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tensorflow", help="a Python with TensorFlow")
    parser.add_argument("--task", nargs=3, help="of one process: library, task, prefix")
    args = parser.parse_args()
    if args.task:
        return measure(*args.task)
    pythons = {"gradtape": sys.executable}
    if args.tensorflow:
        pythons["tensorflow"] = args.tensorflow
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    with tempfile.TemporaryDirectory() as folder:
        for task in ("write", "read"):
            for library, python in pythons.items():
                for other in [library] if task == "write" else pythons:
                    command = [python, __file__, "--task", library, task, f"{folder}/{other}"]
                    subprocess.run(command, env=environment, stderr=subprocess.DEVNULL, check=True)
    return None


if __name__ == "__main__":
    main()
