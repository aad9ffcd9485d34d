"""Write the list of the tests that pass with Keras on TensorFlow: of layers and datasets for it.

    KERAS_BACKEND=tensorflow python tests/keras_suite/record.py

`run.py` counts them beside those that pass on JAX, on which many of them are skipped.
"""

from __future__ import annotations

import gzip
import os
import sys
import types
from pathlib import Path

import pytest
from run import HERE, keras_folder

PATTERNS = ("layers/preprocessing/**/*_test.py", "utils/*dataset_utils_test.py")


class Passed:
    """A pytest plugin that keeps the ids of the tests that pass."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def pytest_runtest_logreport(self, report) -> None:
        if report.when == "call" and report.passed:
            self.ids.append(report.nodeid[report.nodeid.find("keras/src/") :])


def main() -> None:
    import keras

    if keras.backend.backend() != "tensorflow":
        sys.exit("Keras is not on TensorFlow: set KERAS_BACKEND=tensorflow.")
    conftest = types.ModuleType("conftest")
    conftest.skip_if_backend = lambda backend, reason: pytest.mark.skipif(
        backend == "tensorflow", reason=reason
    )
    sys.modules["conftest"] = conftest
    root = keras_folder()
    files = sorted(path for pattern in PATTERNS for path in Path(root, "src").glob(pattern))
    os.chdir(root.parent)
    passed = Passed()
    options = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", f"--rootdir={root.parent}"]
    pytest.main([*options, *map(str, files)], plugins=[passed])
    with gzip.open(HERE / "tensorflow_pass.txt.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{test}\n" for test in sorted(set(passed.ids)))


if __name__ == "__main__":
    main()
