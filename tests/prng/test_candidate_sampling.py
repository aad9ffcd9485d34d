"""Candidate samplers draw TensorFlow's classes; the numbers were printed by TensorFlow 2.21."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

INVALID = tf.errors.InvalidArgumentError
CLASSES = [[1, 2], [3, 0]]
WEIGHTS = [1.0, 5.0, 2.0, 0.5, 3.0, 1.0, 1.0]
uniform, log_uniform = tf.random.uniform_candidate_sampler, tf.random.log_uniform_candidate_sampler
fixed = tf.random.fixed_unigram_candidate_sampler


@pytest.fixture(autouse=True)
def _global_seed():
    tf.random.set_seed(5)
    yield
    tf.random.set_seed(None)


def test_uniform():
    drawn = [uniform(CLASSES, 2, 6, True, 13, seed=seed) for seed in (None, 3, 3)]
    result = [d.sampled_candidates.numpy().tolist() for d in drawn]
    assert result == [[2, 3, 8, 0, 12, 1], [9, 11, 7, 4, 2, 0], [1, 6, 4, 11, 3, 12]]
    np.testing.assert_allclose(drawn[0].true_expected_count, np.full((2, 2), 0.51343483), rtol=1e-6)
    np.testing.assert_allclose(drawn[1].sampled_expected_count, np.full(6, 0.4289617), rtol=1e-6)


def test_log_uniform():
    drawn, true, expected = log_uniform(CLASSES, 2, 6, False, 1000)
    assert drawn.numpy().tolist() == [0, 0, 180, 38, 6, 3]
    np.testing.assert_allclose(
        true, [[0.35213158, 0.24984133], [0.19379199, 0.60197294]], rtol=1e-6
    )
    np.testing.assert_allclose(
        expected,
        [0.60197294, 0.60197294, 0.0047849338, 0.021987587, 0.11596712, 0.19379199],
        rtol=1e-6,
    )
    drawn, true, _ = log_uniform(CLASSES, 2, 6, True, 8, seed=3)
    assert drawn.numpy().tolist() == [0, 2, 4, 6, 7, 1]
    np.testing.assert_allclose(
        true, [[0.89396286, 0.78639883], [0.69210982, 0.98453486]], rtol=1e-6
    )


def test_fixed_weights(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("".join(f"word {i},{w}\n" for i, w in enumerate(WEIGHTS)))
    options = {"num_reserved_ids": 1}
    for source in ({"unigrams": WEIGHTS}, {"vocab_file": str(file)}):
        tf.random.set_seed(5)
        drawn, true, expected = fixed(CLASSES, 2, 4, True, 8, **source, **options)
        assert drawn.numpy().tolist() == [5, 3, 2, 7]
        np.testing.assert_allclose(true, [[0.4597311, 0.9753009], [0.72272384, 0.0]], rtol=1e-6)
        np.testing.assert_allclose(
            expected, [0.8660804, 0.72272384, 0.9753009, 0.4597311], rtol=1e-6
        )
    drawn = fixed(CLASSES, 2, 4, True, 8, unigrams=WEIGHTS, distortion=0.75, seed=3, **options)
    assert drawn.sampled_candidates.numpy().tolist() == [3, 5, 2, 7]


def test_learned_from_true_classes():
    learned = tf.random.learned_unigram_candidate_sampler
    calls = [learned([[1, 2], [3, 1]], 2, 6, False, 5, seed=3) for _ in range(3)]
    drawn = [call.sampled_candidates.numpy().tolist() for call in calls]
    assert drawn == [[0, 1, 3, 1, 4, 1], [1, 1, 1, 2, 4, 1], [4, 1, 2, 3, 3, 2]]
    np.testing.assert_allclose(
        calls[2].true_expected_count, [[2.3076923, 1.3846154], [1.3846154, 2.3076923]], rtol=1e-6
    )
    np.testing.assert_allclose(
        calls[1].sampled_expected_count, [2.0, 2.0, 2.0, 1.3333334, 0.6666667, 2.0], rtol=1e-6
    )


def test_learning_takes_no_memory_for_the_classes_that_were_not_met():
    learned = tf.random.learned_unigram_candidate_sampler
    largest = 2**31 - 1
    for _ in range(2):
        drawn = learned([[largest - 1]], 1, 4, True, largest, seed=3).sampled_candidates.numpy()
        assert len(set(drawn.tolist())) == 4
        assert drawn.min() >= 0
        assert drawn.max() < largest


def test_all_classes():
    drawn, true, expected = tf.random.all_candidate_sampler(CLASSES, 2, 5, True)
    assert drawn.numpy().tolist() == [0, 1, 2, 3, 4]
    assert drawn.dtype is tf.int64
    np.testing.assert_array_equal(true, np.ones((2, 2)))
    np.testing.assert_array_equal(expected, np.ones(5))
    # It takes its turn in the sequence of seeds like the others.
    tf.random.all_candidate_sampler(CLASSES, 2, 5, False)
    np.testing.assert_array_equal(tf.random.uniform([2]), np.float32([0.20179546, 0.34707117]))


def test_accidental_hits():
    hits = tf.nn.compute_accidental_hits([[1, 2], [3, 4]], [4, 1, 4], 2)
    assert hits.indices.numpy().tolist() == [0, 1]
    assert hits.ids.numpy().tolist() == [1, 2]
    np.testing.assert_array_equal(hits.weights, np.full(2, np.finfo(np.float32).min))
    assert tf.nn.compute_accidental_hits([[1]], [2], 1).ids.shape == (0,)


WRONG = {
    "rank": (lambda: uniform([1, 2], 2, 3, True, 10), INVALID, ["matrix", "[2]"]),
    "columns": (lambda: uniform([[1, 2]], 1, 3, True, 10), INVALID, ["num_true = 1", "[1, 2]"]),
    "range": (lambda: uniform([[1, 2]], 2, 11, True, 10), INVALID, ["too small", "11", "10"]),
    "class": (lambda: log_uniform([[1, 12]], 2, 3, True, 10), INVALID, ["[0, 10)", "12"]),
    "range_max": (lambda: uniform([[1, 2]], 2, 3, True, 0), INVALID, ["range_max", "0"]),
    "num_sampled": (lambda: uniform([[1, 2]], 2, 0, True, 10), INVALID, ["num_sampled"]),
    "array": (lambda: uniform([[1]], 1, np.ones((1, 1)), True, 5), TypeError, ["num_sampled"]),
    "text": (lambda: uniform([[1]], 1, "3", True, 5), TypeError, ["num_sampled", "'3'"]),
    "too many": (lambda: uniform([[1]], 1, 2**31, False, 5), INVALID, ["num_sampled"]),
    "too far": (lambda: uniform([[1]], 1, 2, True, 2**63), INVALID, ["range_max"]),
    "floats": (lambda: uniform([[1.5, 2.0]], 2, 3, True, 10), TypeError, ["int64"]),
    "no weights": (lambda: fixed(CLASSES, 2, 3, True, 7), INVALID, ["either vocab_file"]),
    "both weights": (
        lambda: fixed(CLASSES, 2, 3, True, 7, "x", unigrams=WEIGHTS),
        INVALID,
        ["only provide one"],
    ),
    "too few weights": (
        lambda: fixed(CLASSES, 2, 3, True, 9, unigrams=WEIGHTS),
        INVALID,
        ["range is 9", "7"],
    ),
    "weights of zero": (
        lambda: fixed(CLASSES, 2, 3, True, 4, unigrams=[0.0, 1.0, 0.0, 1.0]),
        INVALID,
        ["too small", "3", "2"],
    ),
    "no file": (
        lambda: fixed(CLASSES, 2, 3, True, 7, "no such file"),
        tf.errors.NotFoundError,
        ["no such file"],
    ),
    "hits": (lambda: tf.nn.compute_accidental_hits([1], [2], 1), INVALID, ["matrix", "[1]"]),
    "hits rank": (lambda: tf.nn.compute_accidental_hits([[1]], [[2]], 1), INVALID, ["vector"]),
}


@pytest.mark.parametrize(("call", "kind", "words"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_explained(call, kind, words):
    with pytest.raises(kind) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def test_a_file_without_weights(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("word,many\n")
    with pytest.raises(INVALID, match="Wrong vocabulary format at line: word,many"):
        fixed([[0]], 1, 1, True, 1, str(file))
