"""Files that TensorFlow wrote are read as they were meant; what is written is read back."""

import pathlib

import numpy as np
import pytest

import gradtape as tf
from tests.records import generate_files

FOLDER = pathlib.Path(__file__).with_name("files")


def check(result):
    for kind in generate_files.KINDS:
        rows = result[kind]
        ids = np.concatenate([batch["id"] for batch in rows])
        assert ids.tolist() == [[i, -i, i << 40] for i in range(12)]
        assert np.concatenate([batch["x"] for batch in rows])[:, 0].tolist() == [
            i / 4 for i in range(12)
        ]
        names = np.concatenate([batch["name"] for batch in rows])
        assert names.tolist() == [b"\xff\x00%d" % i for i in range(12)]
        maybe = np.concatenate([batch["maybe"] for batch in rows])
        assert maybe.tolist() == [-float(i) if i % 3 else 0.5 for i in range(12)]
        assert rows[0]["tags"].tolist() == [[-1] * 3, [0, -1, -1], [0, 1, -1], [0, 1, 2], [-1] * 3]
    for i in range(4):
        name, steps = result[f"sequence {i}"]
        assert (name, steps.tolist()) == (b"%d" % i, [[i, step] for step in range(i)])
    for name in ("float32", "float64", "int8", "uint16", "int64", "complex64", "float16"):
        assert result[name].dtype == name
        assert result[name].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert result["bool"].tolist() == [[False, True, True], [True] * 3]
    assert result["string"].tolist() == [[b"a", b"bc"], [b"", "\u00e9".encode()]]


def test_what_tensorflow_wrote():
    check(generate_files.parsed(tf, FOLDER))


def test_what_is_written_here(tmp_path):
    generate_files.write(tf, tmp_path)
    check(generate_files.parsed(tf, tmp_path))


@pytest.mark.parametrize("subject", ["sequences", "tensors"])
def test_the_same_bytes_are_written(subject, tmp_path):
    """Where no map of several names leaves the order open."""
    generate_files.write(tf, tmp_path)
    written = (tmp_path / f"{subject}.plain").read_bytes()
    assert written == (FOLDER / f"{subject}.plain").read_bytes()
