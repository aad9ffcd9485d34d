"""Writes what TensorFlow's MirroredStrategy gives for the programs, on devices of a CPU.

    python -m tests.distribute.record 2        in an environment with TensorFlow: two replicas

TensorFlow takes one number of replicas for each process; results of other numbers are kept.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

FILE = Path(__file__).parent / "tensorflow.json"


def main(count: int) -> None:
    os.environ["KERAS_BACKEND"] = "tensorflow"
    import tensorflow as tf

    from tests.distribute.programs import PROGRAMS

    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(
        cpu, [tf.config.LogicalDeviceConfiguration()] * count
    )
    result = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    result |= {"tensorflow": tf.__version__, "keras": tf.keras.__version__}
    strategy = tf.distribute.MirroredStrategy()
    result[str(count)] = {name: run(tf, strategy) for name, run in PROGRAMS.items()}
    FILE.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]))
