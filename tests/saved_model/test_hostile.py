"""Damaged and hostile SavedModels: a clear error, and nothing read outside of the folder."""

import contextlib
import random
import shutil

import numpy as np
import pytest

import gradtape as tf
from tests.saved_model.hostile import CHANGES, changed

# What a damaged model may raise: our own errors, which say what is wrong with it.
CLEAR = (
    tf.errors.DataLossError,
    tf.errors.InvalidArgumentError,
    tf.errors.NotFoundError,
    NotImplementedError,
    ValueError,
    TypeError,
)


def use(folder) -> None:
    model = tf.saved_model.load(folder)
    model(np.ones((2, 3), np.float32))


@pytest.fixture
def files_opened(monkeypatch):
    """The paths that are opened."""
    import builtins
    import io

    opened = []
    plain, raw = builtins.open, io.FileIO
    monkeypatch.setattr(
        builtins, "open", lambda p, *a, **k: opened.append(str(p)) or plain(p, *a, **k)
    )
    monkeypatch.setattr(io, "FileIO", lambda p, *a, **k: opened.append(str(p)) or raw(p, *a, **k))
    return opened


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_model_is_refused(theirs, tmp_path, change, files_opened):
    folder = changed(theirs / "affine", tmp_path / "model", change)
    del files_opened[:]
    with pytest.raises(CLEAR) as info:
        use(folder)
    assert str(info.value)
    assert not any("passwd" in path or "secret" in path for path in files_opened)


def test_a_file_cut_short_is_refused(theirs, tmp_path):
    source = theirs / "affine"
    content = (source / "saved_model.pb").read_bytes()
    shutil.copytree(source, tmp_path / "model")
    path = tmp_path / "model" / "saved_model.pb"
    for size in [0, 1, 2, 7, *range(10, len(content) - 1, len(content) // 50)]:
        path.write_bytes(content[:size])
        with pytest.raises(CLEAR):
            use(tmp_path / "model")


def test_changed_bytes_give_an_error_or_another_model(theirs, tmp_path):
    source = theirs / "affine"
    content = (source / "saved_model.pb").read_bytes()
    shutil.copytree(source, tmp_path / "model")
    path = tmp_path / "model" / "saved_model.pb"
    draw = random.Random(1)
    for _ in range(120):
        wrong = bytearray(content)
        for _ in range(draw.choice([1, 1, 4])):
            wrong[draw.randrange(len(wrong))] = draw.randrange(256)
        path.write_bytes(wrong)
        with contextlib.suppress(*CLEAR):
            use(tmp_path / "model")


def test_structures_nested_too_deeply_are_refused(tmp_path):
    from gradtape.formats import protobuf

    inner = b""
    for _ in range(5000):
        inner = protobuf.data(51, protobuf.data(1, inner))
    concrete = protobuf.data(2, protobuf.data(1, "f") + protobuf.data(2, protobuf.data(4, inner)))
    graph = protobuf.data(7, concrete)
    (tmp_path / "saved_model.pb").write_bytes(protobuf.data(2, graph))
    with pytest.raises(tf.errors.DataLossError, match="nested more than 100 deep"):
        tf.saved_model.load(tmp_path)


def test_an_op_that_is_missing_is_named_with_its_function(theirs, tmp_path):
    from tests.saved_model.hostile import unknown_op

    folder = changed(theirs / "affine", tmp_path / "model", unknown_op)
    model = tf.saved_model.load(folder)
    with pytest.raises(
        NotImplementedError, match=r"'__inference___call___\d+' uses the op 'RunAnything'"
    ):
        model(np.ones((2, 3), np.float32))


def test_a_missing_checkpoint_is_named(theirs, tmp_path):
    shutil.copytree(theirs / "affine", tmp_path / "model")
    shutil.rmtree(tmp_path / "model" / "variables")
    with pytest.raises(tf.errors.DataLossError, match="no value of the variable 'w'"):
        tf.saved_model.load(tmp_path / "model")
