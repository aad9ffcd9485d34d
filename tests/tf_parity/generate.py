"""Writes the golden data of the parity cases with the real TensorFlow.

TensorFlow is not needed to run the tests, only to add or change cases. It wants an environment of
its own:

    python -m venv .venv-tf
    .venv-tf/bin/pip install tensorflow-cpu==2.21.0
    .venv-tf/bin/python tests/tf_parity/generate.py            # every module
    .venv-tf/bin/python tests/tf_parity/generate.py shapes     # only these modules

Generating again without a change of the cases leaves the files as they are.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

# One thread and the plain kernels, so that sums are always taken in the same order.
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
# The folder above takes the place of this one, so that this is a package and hides no other module.
sys.path.pop(0)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# TensorFlow reads the settings above when it is imported.
import tensorflow as tf
from tf_parity import errors, storage
from tf_parity.cases import MODULES
from tf_parity.runner import run

VERSION = "2.21"


def generate_module(module: str) -> list[str]:
    """Write the golden file of a case module; return the names of the cases that failed."""
    entries, failed = {}, []
    for case in MODULES[module]:
        try:
            entries[case.name] = storage.encode(run(tf, case), case.exact)
        except Exception:
            print(f"--- {module}:{case.name}")
            traceback.print_exc(limit=-2)
            failed.append(f"{module}:{case.name}")
    storage.write(module, tf.__version__, entries)
    return failed


def generate_errors() -> list[str]:
    """Write down which exception each wrong call raises; return the names of those that do not."""
    entries, failed = {}, []
    for name, wrong_call in errors.WRONG_CALLS.items():
        try:
            result = wrong_call(tf)
        except Exception as error:
            entries[name] = {"exception": type(error).__name__}
        else:
            print(f"--- errors:{name} raised nothing, but returned {result}")
            failed.append(f"errors:{name}")
    storage.write("errors", tf.__version__, entries)
    return failed


def main(wanted: list[str]) -> int:
    """Generate the named modules, or all of them."""
    if not tf.__version__.startswith(VERSION):
        print(f"These cases are defined by TensorFlow {VERSION}, not by {tf.__version__}.")
        return 1
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    failed = []
    for module in wanted or [*MODULES, "errors"]:
        failed += generate_errors() if module == "errors" else generate_module(module)
    if failed:
        print(f"{len(failed)} cases have no golden data:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
