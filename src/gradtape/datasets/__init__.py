"""Small data sets that ship with the package, as NumPy arrays. README.md states their origin."""

from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["digits"]

# Of any dtype to type checkers: programs scale the images and keep their names.
Split = tuple[NDArray[Any], NDArray[Any]]


def digits() -> tuple[Split, Split]:
    """Return handwritten digits: `(x_train, y_train), (x_test, y_test)`, always the same split.

    Images are `uint8` arrays of shape `(n, 8, 8)` with values from 0 (paper) to 16 (ink); labels
    are `uint8` from 0 to 9. There are 1437 images to train on and 360 to test with.
    """
    path = resources.files(__name__).joinpath("digits.npz")
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        train = arrays["x_train"], arrays["y_train"]
        test = arrays["x_test"], arrays["y_test"]
    return train, test
