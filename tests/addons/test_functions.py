"""Activations, losses, metrics and conditional random fields, beside NumPy."""

import itertools

import numpy as np
import pytest

import gradtape as tf
import gradtape.addons as tfa

pytestmark = pytest.mark.keras
X = np.linspace(-3, 3, 13).astype("float32")


def softplus(x):
    return np.log1p(np.exp(x))


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("mish", {}, X * np.tanh(softplus(X))),
        ("lisht", {}, X * np.tanh(X)),
        ("tanhshrink", {}, X - np.tanh(X)),
        ("hardshrink", {"lower": -1.0, "upper": 2.0}, np.where((X < -1) | (X > 2), X, 0)),
        ("softshrink", {}, np.sign(X) * np.maximum(np.abs(X) - 0.5, 0)),
        ("snake", {"frequency": 2.0}, X + np.sin(2 * X) ** 2 / 2),
        ("rrelu", {}, np.where(X >= 0, X, X * (0.125 + 1 / 3) / 2)),
        (
            "gelu",
            {},
            X / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (X + 0.044715 * X**3))),
        ),
    ],
)
def test_activations(name, options, expected):
    function = getattr(tfa.activations, name)
    np.testing.assert_allclose(function(X, **options), expected, atol=1e-5)
    layer = tf.keras.layers.Activation(function)
    again = type(layer).from_config(layer.get_config())
    np.testing.assert_array_equal(again(X), function(X))


def test_sparsemax():
    # By its definition: the point of the simplex with the smallest distance (Martins 2016).
    actual = tfa.activations.sparsemax(tf.constant([[1.0, 0.5, -1.0], [3.0, 0.0, 0.0]])).numpy()
    np.testing.assert_allclose(actual, [[0.75, 0.25, 0.0], [1.0, 0.0, 0.0]], atol=1e-6)
    draws = tfa.activations.rrelu(tf.fill((1000,), -1.0), training=True).numpy()
    assert -1 / 3 <= draws.min() < draws.max() <= -0.125
    with pytest.raises(ValueError, match="should not be higher than the value of upper"):
        tfa.activations.softshrink(X, 1.0, -1.0)


# --- losses --------------------------------------------------------------------------------------

LABELS = np.array([0, 1, 0, 2, 1, 0])
POINTS = np.random.default_rng(0).normal(size=(6, 3)).astype("float32")
DISTANCES = np.linalg.norm(POINTS[:, None] - POINTS[None], axis=-1)


def test_focal_loss():
    y, p = np.array([[1.0, 0.0]]), np.array([[0.9, 0.3]])
    expected = -0.25 * 0.1**2 * np.log(0.9) - 0.75 * 0.3**2 * np.log(0.7)
    actual = tfa.losses.SigmoidFocalCrossEntropy()(y, p)
    np.testing.assert_allclose(actual, [expected], rtol=1e-4)
    logits = np.log(p / (1 - p))
    actual = tfa.losses.sigmoid_focal_crossentropy(y, logits, from_logits=True)
    np.testing.assert_allclose(actual, [expected], rtol=1e-4)


def test_contrastive_pinball_and_boxes():
    actual = tfa.losses.ContrastiveLoss(margin=2.0)([1, 0, 0], [0.5, 1.5, 3.0])
    np.testing.assert_allclose(actual, (0.25 + 0.25 + 0.0) / 3, rtol=1e-6)
    actual = tfa.losses.PinballLoss(0.9)([[1.0, 2.0]], [[0.0, 3.0]])
    np.testing.assert_allclose(actual, (0.9 + 0.1) / 2, rtol=1e-6)
    # Two squares of area 4 with an overlap of 1: union 7, hull 9.
    boxes = [[0.0, 0.0, 2.0, 2.0]], [[1.0, 1.0, 3.0, 3.0]]
    np.testing.assert_allclose(tfa.losses.giou_loss(*boxes), [1 - (1 / 7 - 2 / 9)], rtol=1e-5)
    np.testing.assert_allclose(tfa.losses.GIoULoss("iou")(*boxes), 6 / 7, rtol=1e-5)


def test_semi_hard_triplets():
    terms = []
    for a, p in itertools.permutations(range(6), 2):
        if LABELS[a] != LABELS[p]:
            continue
        others = [DISTANCES[a, n] for n in range(6) if LABELS[n] != LABELS[a]]
        farther = [d for d in others if d > DISTANCES[a, p]]
        negative = min(farther) if farther else max(others)
        terms.append(max(DISTANCES[a, p] - negative + 1.0, 0))
    actual = tfa.losses.TripletSemiHardLoss()(LABELS, POINTS)
    np.testing.assert_allclose(actual, np.mean(terms), rtol=1e-5)


@pytest.mark.parametrize("soft", [False, True])
def test_hard_triplets(soft):
    terms = []
    for a in range(6):
        positive = [DISTANCES[a, p] for p in range(6) if p != a and LABELS[p] == LABELS[a]]
        negative = [DISTANCES[a, n] for n in range(6) if LABELS[n] != LABELS[a]]
        difference = (max(positive) if positive else 0) - min(negative)
        terms.append(softplus(difference) if soft else max(difference + 0.5, 0))
    actual = tfa.losses.triplet_hard_loss(LABELS, POINTS, margin=0.5, soft=soft)
    np.testing.assert_allclose(actual, np.mean(terms), rtol=1e-5)


def test_losses_have_gradients_and_configurations():
    points = tf.Variable(POINTS)
    for metric in ("L2", "squared-L2", "angular"):
        loss = tfa.losses.TripletSemiHardLoss(0.7, distance_metric=metric)
        with tf.GradientTape() as tape:
            value = loss(LABELS, points)
        assert np.all(np.isfinite(tape.gradient(value, points)))
    again = type(loss).from_config(loss.get_config())
    np.testing.assert_allclose(again(LABELS, POINTS), loss(LABELS, POINTS))
    similarities = POINTS @ POINTS.T
    same = (LABELS[:, None] == LABELS[None]).astype("float32")
    logs = similarities - np.log(np.exp(similarities).sum(1, keepdims=True))
    expected = -np.mean((same / same.sum(1, keepdims=True) * logs).sum(1))
    np.testing.assert_allclose(tfa.losses.NpairsLoss()(LABELS, similarities), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: tfa.losses.giou_loss([[0.0] * 4], [[0.0] * 4], "x"),
            ValueError,
            "'iou' or 'giou'",
        ),
        (
            lambda: tfa.losses.sigmoid_focal_crossentropy([1.0], [1.0], gamma=-1.0),
            ValueError,
            "gamma should be greater",
        ),
        (lambda: tfa.losses.ContrastiveLoss(width=1), TypeError, "no argument 'width'"),
        (
            lambda: tfa.losses.triplet_hard_loss(LABELS, POINTS, distance_metric="x"),
            ValueError,
            "'squared-L2'",
        ),
        (lambda: tfa.metrics.F1Score(2, "all"), ValueError, "Unknown average type"),
        (lambda: tfa.metrics.FBetaScore(2, beta=0.0), ValueError, "greater than zero"),
        (lambda: tfa.metrics.CohenKappa(2, weightage="x"), ValueError, "kappa weighting"),
        (lambda: tfa.metrics.RSquare(multioutput="x"), ValueError, "raw_values"),
        (lambda: tfa.seq2seq, AttributeError, "tfa.seq2seq is not among the parts"),
    ],
)
def test_wrong_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call()


# --- metrics -------------------------------------------------------------------------------------

TRUE = np.array([0, 1, 2, 2, 1, 0, 2, 1])
RESULT = np.array([0, 2, 2, 2, 1, 1, 0, 1])
MATRIX = np.array([[np.sum((i == TRUE) & (j == RESULT)) for j in range(3)] for i in range(3)])


def in_two_batches(metric, y, f):
    metric.update_state(y[:3], f[:3])
    metric.update_state(y[3:], f[3:])
    return metric.result().numpy()


def test_f1_scores():
    one_hot = np.eye(3, dtype="float32")
    precision, recall = np.diag(MATRIX) / MATRIX.sum(0), np.diag(MATRIX) / MATRIX.sum(1)
    scores = 2 * precision * recall / (precision + recall)
    expected = {
        None: scores,
        "macro": scores.mean(),
        "micro": np.trace(MATRIX) / MATRIX.sum(),
        "weighted": scores @ MATRIX.sum(1) / MATRIX.sum(),
    }
    for average, value in expected.items():
        metric = tfa.metrics.F1Score(3, average)
        actual = in_two_batches(metric, one_hot[TRUE], one_hot[RESULT])
        np.testing.assert_allclose(actual, value, rtol=1e-5)
    assert type(metric).from_config(metric.get_config()).average == "weighted"
    beta = tfa.metrics.FBetaScore(3, "macro", beta=2.0, threshold=0.5)
    actual = in_two_batches(beta, one_hot[TRUE], one_hot[RESULT])
    value = np.mean(5 * precision * recall / (4 * precision + recall))
    np.testing.assert_allclose(actual, value, rtol=1e-5)


@pytest.mark.parametrize("weightage", [None, "linear", "quadratic"])
def test_cohens_kappa(weightage):
    power = {None: 0, "linear": 1, "quadratic": 2}[weightage]
    apart = np.abs(np.arange(3)[:, None] - np.arange(3)[None])
    weights = (apart > 0) * apart.astype(float) ** power
    chance = np.outer(MATRIX.sum(1), MATRIX.sum(0)) / MATRIX.sum()
    expected = 1 - (weights * MATRIX).sum() / (weights * chance).sum()
    metric = tfa.metrics.CohenKappa(3, sparse_labels=True, weightage=weightage)
    np.testing.assert_allclose(in_two_batches(metric, TRUE, RESULT), expected, rtol=1e-5)


def test_matthews_and_r_square():
    # The correlation of one-hot vectors, as Gorodkin 2004 defines it for several classes.
    one_hot = np.eye(3, dtype="float32")
    y, f = one_hot[TRUE] - one_hot[TRUE].mean(0), one_hot[RESULT] - one_hot[RESULT].mean(0)
    expected = (y * f).sum() / np.sqrt((y * y).sum() * (f * f).sum())
    metric = tfa.metrics.MatthewsCorrelationCoefficient(3)
    actual = in_two_batches(metric, one_hot[TRUE], one_hot[RESULT])
    np.testing.assert_allclose(actual, expected, rtol=1e-5)
    y, f = POINTS[:, :2], POINTS[:, :2] * 0.8 + 0.1
    raw = 1 - ((y - f) ** 2).sum(0) / ((y - y.mean(0)) ** 2).sum(0)
    metric = tfa.metrics.RSquare(multioutput="raw_values")
    np.testing.assert_allclose(in_two_batches(metric, y, f), raw, rtol=1e-4)
    metric = tfa.metrics.RSquare(num_regressors=2)
    expected = 1 - (1 - raw.mean()) * 5 / 3
    np.testing.assert_allclose(in_two_batches(metric, y, f), expected, rtol=1e-4)


# --- conditional random fields -------------------------------------------------------------------


def test_random_fields_by_enumeration():
    generator = np.random.default_rng(3)
    scores = generator.normal(size=(2, 4, 3)).astype("float32")
    transitions = generator.normal(size=(3, 3)).astype("float32")
    lengths, tags = [4, 2], np.array([[0, 2, 1, 1], [2, 0, 0, 0]])

    def total(i, way):
        unary = sum(scores[i, t, tag] for t, tag in enumerate(way))
        return unary + sum(transitions[a, b] for a, b in itertools.pairwise(way))

    likelihood, _ = tfa.text.crf_log_likelihood(scores, tags, lengths, transitions)
    decoded, best = tfa.text.crf_decode(scores, transitions, lengths)
    for i, length in enumerate(lengths):
        ways = {way: total(i, way) for way in itertools.product(range(3), repeat=length)}
        norm = np.log(np.sum(np.exp(list(ways.values()))))
        np.testing.assert_allclose(likelihood[i], ways[tuple(tags[i, :length])] - norm, rtol=1e-4)
        way = max(ways, key=lambda way: ways[way])
        assert tuple(decoded[i, :length].numpy()) == way
        np.testing.assert_allclose(best[i], ways[way], rtol=1e-5)
        actual, value = tfa.text.viterbi_decode(scores[i, :length], transitions)
        assert (tuple(actual), round(float(value), 4)) == (way, round(float(ways[way]), 4))
    assert decoded.numpy()[1, 2:].tolist() == [0, 0]
    _, made = tfa.text.crf_log_likelihood(scores, tags, lengths)
    assert made.shape == (3, 3)
