"""Functions of Keras that make datasets make gradtape's."""

import numpy as np
import pytest

import gradtape as tf

pytestmark = pytest.mark.keras


def test_time_series():
    data = np.arange(10, dtype=np.float32)
    dataset = tf.keras.utils.timeseries_dataset_from_array(
        data, data[3:], sequence_length=3, batch_size=4
    )
    assert isinstance(dataset, tf.data.Dataset)
    (first, targets), *_ = list(dataset)
    assert first.numpy().tolist() == [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]]
    assert targets.numpy().tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize("mode", ["int", "binary", "categorical"])
def test_images_of_a_folder(tmp_path, mode):
    pytest.importorskip("PIL", reason="Pillow is the optional extra `image`")
    for label, shade in (("cats", 40), ("dogs", 200)):
        (tmp_path / label).mkdir()
        for number in range(2):
            image = np.full((4, 4, 3), shade + number, np.uint8)
            tf.io.write_file(str(tmp_path / label / f"{number}.png"), tf.io.encode_png(image))
    dataset = tf.keras.utils.image_dataset_from_directory(
        str(tmp_path), label_mode=mode, image_size=(4, 4), batch_size=4, shuffle=False
    )
    images, labels = next(iter(dataset))
    assert dataset.class_names == ["cats", "dogs"]
    assert images[:, 0, 0, 0].numpy().tolist() == [40.0, 41.0, 200.0, 201.0]
    expected = {
        "int": [0, 0, 1, 1],
        "binary": [[0.0], [0.0], [1.0], [1.0]],
        "categorical": [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]],
    }
    assert labels.numpy().tolist() == expected[mode]


class Seen(list):
    """The rows of each batch that a step was given."""

    def model(self):
        seen = self

        class Model(tf.keras.Model):
            def train_step(self, data):
                x, _ = data
                seen.append(x.numpy().ravel().astype(int).tolist())
                return {"loss": tf.constant(0.0)}

        model = Model()
        model.compile(run_eagerly=True)
        return model


@pytest.mark.parametrize(
    ("shuffle", "batches"),
    [
        (True, [[7, 4, 5, 9], [1, 2, 8, 6], [0, 3]]),
        ("batch", [[1, 0, 3, 2], [4, 7, 6, 5], [8, 9]]),
        (False, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]),
    ],
)
def test_fit_shuffles_arrays_as_with_tensorflow(shuffle, batches):
    """The same order in each epoch, which TensorFlow gave for this seed; batches are tensors."""
    tf.keras.utils.set_random_seed(5)
    x = np.arange(10, dtype="float32")[:, None]
    seen = Seen()
    seen.model().fit(x, x, batch_size=4, epochs=2, verbose=0, shuffle=shuffle)
    assert seen == batches * 2
