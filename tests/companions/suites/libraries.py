"""The libraries whose own tests are run: where their tests lie, and what their areas are."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import NamedTuple


class Library(NamedTuple):
    """A library's repository, as far as its tests are concerned."""

    tests: tuple[str, ...]  # patterns of the files that hold tests
    area: str  # a pattern whose group in a file's path is the area that its tests are counted in
    graphs: str | None = (
        None  # ids of the tests that build graphs of TensorFlow 1: they are not run
    )
    served: str = ""  # what else imports TensorFlow when the tests run, and gets gradtape
    skipped: str | None = None  # why tests are skipped on any side, as far as that is known
    private: bool = False  # whether it is TensorFlow: stand_ins/ has what its tests import
    keras: bool = False  # whether it is made for Keras: the other side is Keras on JAX

    def files(self, source: Path) -> list[str]:
        """Return the paths of the test files in a checkout, in a fixed order."""
        result = {path for pattern in self.tests for path in source.glob(pattern)}
        return sorted(path.relative_to(source).as_posix() for path in result)

    def area_of(self, test: str) -> str:
        """Return the area that a test is counted in."""
        match = re.search(self.area, test.partition("::")[0])
        return match.group(1) if match else "other"


LIBRARIES = {
    "tensorflow": Library(
        ("**/*_test.py",),
        r"^((?:kernel_tests|ops|data|autograph)/\w+|\w+)/",
        skipped="needs a GPU|counts TensorFlow's own objects|[Ss]kipping a TF1",
        private=True,
    ),
    "tfdiffeq": Library(("tests/[!r]*_tests.py",), r"tests/(\w+)_tests"),
    "sonnet": Library(("sonnet/**/*_test.py",), r"(nets|conformance|distribute|functional|src)/"),
    "gpflow": Library(("tests/gpflow/**/test_*.py",), r"tests/gpflow/(\w+)/"),
    # Most of its tests come three times: eager, eager without tf.function, and in a session.
    "tfp": Library(
        ("tensorflow_probability/python/**/*_test.py",),
        r"python/(\w+)/",
        r"_graph($|\[)|_graph_",
    ),
    "tf-quant-finance": Library(("tf_quant_finance/**/*_test.py",), r"tf_quant_finance/(\w+)/"),
    "spektral": Library(("tests/test_[!d]*/**/test_*.py",), r"tests/test_(\w+)/"),
    "sionna": Library(("test/unit/**/test_*.py",), r"unit/(\w+)/"),
    "zfit": Library(("tests/**/test_*.py",), r"tests/(?:test_)?([a-z]+)"),
    "keras-hub": Library(
        ("keras_hub/src/**/*_test.py",),
        r"src/(\w+)/",
        skipped=r"need --run_|on the PyTorch backend only|only run (on tf backend|with a kaggle)",
        keras=True,
    ),
    "keras-rs": Library(("keras_rs/src/**/*_test.py",), r"src/(\w+)/", keras=True),
    "keras-tuner": Library(
        ("keras_tuner/**/*_test.py",), r"keras_tuner/(\w+)/", served="tensorboard", keras=True
    ),
}


def _lot(name: str, seed: str) -> int:
    """Return the number that a file or a test draws: the same on both sides."""
    return zlib.crc32(f"{seed}:{name}".encode())


def in_sample(name: str, share: float, seed: str) -> bool:
    """Return whether a file is in a random sample."""
    return _lot(name, seed) < share * 2**32


def sample(tests: list[str], share: float, seed: str, each: int) -> set[str]:
    """Return a random share of the tests, at most some of each file."""
    by_file: dict[str, list[str]] = {}
    for test in sorted(tests, key=lambda test: _lot(test, seed)):
        if in_sample(test, share, seed):
            by_file.setdefault(test.partition("::")[0], []).append(test)
    return {test for chosen in by_file.values() for test in chosen[:each]}
