"""`tf.io.RaggedFeature`: what its errors say. Its values are in `cases.py`, beside TensorFlow's."""

import pytest

import gradtape as tf

R = tf.io.RaggedFeature


def example(**features):
    made = {
        key: tf.train.Feature(int64_list=tf.train.Int64List(value=values))
        for key, values in features.items()
    }
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


def parse(partition, **features):
    return tf.io.parse_example([example(**features)], {"v": R(tf.int64, partitions=[partition])})


@pytest.mark.parametrize(
    ("partition", "numbers", "text"),
    [
        (R.RowLengths("p"), [1, -1, 2], r"gives a row of -1 values; the feature 'p' holds \[1, -1"),
        (R.RowSplits("p"), [0, 2, 1], "RowSplits.* gives a row of -1 values"),
        (R.RowStarts("p"), [0, 5], "RowStarts.* gives a row of -3 values"),
        (R.RowLimits("p"), [2, 1], "RowLimits.* gives a row of -1 values"),
        (R.ValueRowIds("p"), [1, 0], r"never decrease, got \[1, 0\]"),
        (R.ValueRowIds("p"), [-1, 0], r"must begin at 0 or above"),
        (R.ValueRowIds("p"), [0, 2**62], f"ask for {2**62 + 1} rows"),
    ],
    ids=str,
)
def test_partitions_that_cannot_be(partition, numbers, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        parse(partition, v=[1, 2], p=numbers)


@pytest.mark.parametrize("length", [0, -2, 1.5, None])
def test_rows_of_no_uniform_length(length):
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be a positive integer, got"):
        parse(R.UniformRowLength(length), v=[1, 2])


def test_what_a_feature_is_made_of():
    with pytest.raises(
        TypeError, match=r"such as tf.io.RaggedFeature.RowLengths\('lengths'\); got"
    ):
        R(tf.int64, partitions=["lengths"])
    with pytest.raises(TypeError, match="`partitions` must be a list or tuple, got RowLengths"):
        R(tf.int64, partitions=R.RowLengths("lengths"))
    with pytest.raises(
        ValueError, match=r"`row_splits_dtype` must be int32 or int64; got tf\.int16"
    ):
        R(tf.int64, row_splits_dtype=tf.int16)


def test_features_that_disagree_on_rows():
    features = {"v": R(tf.int64), "w": R(tf.int64, "v", row_splits_dtype=tf.int64)}
    with pytest.raises(ValueError, match="must agree on row_splits_dtype"):
        tf.io.parse_example([example(v=[1])], features)


def test_steps_that_do_not_fit():
    lists = {
        key: tf.train.FeatureList(
            feature=[tf.train.Feature(int64_list=tf.train.Int64List(value=step)) for step in steps]
        )
        for key, steps in {"v": [[1], [2]], "p": [[1]]}.items()
    }
    message = tf.train.SequenceExample(feature_lists=tf.train.FeatureLists(feature_list=lists))
    with pytest.raises(tf.errors.InvalidArgumentError, match="'p' must have as many steps"):
        tf.io.parse_sequence_example(
            [message.SerializeToString()],
            sequence_features={"v": R(tf.int64, partitions=[R.RowLengths("p")])},
        )


def test_gradients_and_text_layers_take_what_was_read():
    read = tf.io.parse_example([example(v=[1, 2, 3]), example(v=[4])], {"v": R(tf.int64)})["v"]
    x = tf.Variable([1.0, 2.0, 3.0, 4.0, 5.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.reduce_mean(tf.gather(x, read), axis=1))
    assert tf.convert_to_tensor(tape.gradient(y, x)).numpy().tolist() == pytest.approx(
        [0, 1 / 3, 1 / 3, 1 / 3, 1]
    )
