"""`gradtape.text` returns what TensorFlow Text does, in functions and pipelines, too."""

import json
from pathlib import Path

import pytest

import gradtape as tf
from gradtape import text
from tests.text.cases import WORDS, lists, results

VALUES = json.loads((Path(__file__).parent / "values.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def ours():
    return results(tf, text)


@pytest.mark.parametrize("name", VALUES)
def test_returns_what_tensorflow_text_does(ours, name):
    assert ours[name] == VALUES[name]


def pieces():
    return text.FastWordpieceTokenizer(
        ["[UNK]", "a", "b", "##b", "##c"], no_pretokenization=True, support_detokenization=True
    )


@tf.function
def prepare(sentences):
    """What a preprocessing layer does: words, pieces, two segments of a given length."""
    words = text.regex_split(text.case_fold_utf8(sentences), " ")
    tokens = pieces().tokenize(words).merge_dims(-2, -1)
    first, second = text.RoundRobinTrimmer(5).trim([tokens, tokens])
    return tf.concat([first, second], 1).to_tensor(shape=(None, 5))


EXPECTED = [[1, 3, 4, 1, 3], [0, 0, 0, 0, 0]]


def test_in_a_function():
    assert prepare(tf.constant(["ABC b", "x y z"])).numpy().tolist() == EXPECTED


@pytest.mark.parametrize("calls", [None, 2])
def test_in_a_pipeline(calls):
    dataset = tf.data.Dataset.from_tensor_slices(["ABC b", "x y z"]).batch(2)
    (batch,) = dataset.map(prepare, num_parallel_calls=calls)
    assert batch.numpy().tolist() == EXPECTED
    one = tf.data.Dataset.from_tensors("ABC b").map(lambda x: text.regex_split(x, " "))
    assert lists(one.get_single_element()) == [["ABC", "b"]]


def test_random_choices_follow_the_seed_and_the_rates():
    rows = tf.ragged.constant([list(range(10, 1010)), [3] * 10])
    selector = text.RandomItemSelector(10**6, 0.3, unselectable_ids=[3])
    chooser = text.MaskValuesChooser(10, 9, 0.8, 0.1)
    tf.random.set_seed(1)
    masked, positions, items = text.mask_language_model(rows, selector, chooser)
    tf.random.set_seed(1)
    again = text.mask_language_model(rows, selector, chooser)
    assert lists(again) == lists((masked, positions, items))
    assert positions.row_lengths().numpy().tolist() == [300, 0]
    values = masked[0].numpy()
    assert (rows[0].numpy()[positions[0].numpy()] == items[0].numpy()).all()
    changed = values != rows[0].numpy()
    assert set(changed.nonzero()[0]) <= set(positions[0].numpy().tolist())
    assert 0.7 < (values == 9).sum() / 300 < 0.9
    assert 250 < changed.sum() < 290  # a tenth stay as they were


def test_names_that_are_missing_are_said():
    with pytest.raises(AttributeError, match="FastWordpieceTokenizer"):
        text.BertTokenizer  # noqa: B018
    assert "regex_split" in dir(text)
    with pytest.raises(NotImplementedError, match="axis=1"):
        text.WaterfallTrimmer(3, axis=2)
    with pytest.raises(ValueError, match=r"\[batch, \(items\)\]"):
        text.WaterfallTrimmer(3).trim([[1, 2]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="NFC, NFD"):
        text.normalize_utf8(WORDS, "NFX")
    with pytest.raises(tf.errors.InvalidArgumentError, match="unknown_token"):
        text.FastWordpieceTokenizer(["a"])
