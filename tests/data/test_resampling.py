"""`Dataset.rejection_resample` beyond the recorded cases: messages, and inside of a function."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

CLASSES = np.random.default_rng(1).choice(2, size=4000, p=[0.9, 0.1]).astype(np.int32)


def resampled(target=(0.5, 0.5), initial=(0.9, 0.1), **options):
    ds = tf.data.Dataset.from_tensor_slices((np.arange(4000), CLASSES))
    return ds.rejection_resample(lambda x, y: y, target, initial, **options)


@pytest.mark.parametrize("initial", [(0.9, 0.1), None])
def test_classes_are_as_frequent_as_wanted(initial):
    classes, elements = zip(*resampled(initial=initial, seed=2).as_numpy_iterator(), strict=True)
    assert abs(np.mean(classes) - 0.5) < 0.06
    assert all(CLASSES[x] == y == c for c, (x, y) in zip(classes, elements, strict=True))


def test_in_a_function():
    @tf.function
    def count(ds):
        total = 0
        for y, _ in ds.take(50):
            total += y
        return total

    eager = sum(int(y) for y, _ in resampled(seed=3).take(50))
    assert int(count(resampled(seed=3))) == eager


def test_many_rejections_are_told(caplog):
    resampled()
    assert "rejected by sampler is high: 0.9 (shares of classes: [0.9 0.1])" in caplog.text


def test_a_distribution_has_a_number_for_each_class():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"target_dist must have one .* \(\)"):
        resampled(0.5)
    with pytest.raises(ValueError, match="`class_func` must be a callable"):
        tf.data.Dataset.range(2).rejection_resample(None, [0.5, 0.5])
