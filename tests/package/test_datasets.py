"""The data sets that ship with the package."""

import numpy as np

from gradtape import datasets


def test_digits_have_the_documented_shapes_and_values():
    (x_train, y_train), (x_test, y_test) = datasets.digits()
    assert (x_train.shape, y_train.shape) == ((1437, 8, 8), (1437,))
    assert (x_test.shape, y_test.shape) == ((360, 8, 8), (360,))
    for images, labels in ((x_train, y_train), (x_test, y_test)):
        assert images.dtype == labels.dtype == np.uint8
        assert (images.min(), images.max()) == (0, 16)
        assert set(labels.tolist()) == set(range(10))


def test_digits_keep_the_class_counts_of_the_original():
    (_, y_train), (_, y_test) = datasets.digits()
    counts = np.bincount(np.concatenate([y_train, y_test]))
    assert counts.tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_no_test_image_is_a_training_image():
    (x_train, _), (x_test, _) = datasets.digits()
    assert not {image.tobytes() for image in x_train} & {image.tobytes() for image in x_test}


def test_digits_are_the_same_every_time():
    for first, second in zip(datasets.digits(), datasets.digits(), strict=True):
        for a, b in zip(first, second, strict=True):
            np.testing.assert_array_equal(a, b)
