import tarfile

import numpy as np
import pytest

from tests.saved_model.cases import ARCHIVE


@pytest.fixture(scope="session")
def theirs(tmp_path_factory):
    """The models that TensorFlow wrote, each in a folder."""
    folder = tmp_path_factory.mktemp("models")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="session")
def expected(theirs):
    """What they compute in TensorFlow, by model, method and name."""
    with np.load(theirs / "expected.npz") as arrays:
        return {key: arrays[key] for key in arrays.files}
