"""Fixtures for the tests of Keras on gradtape."""

import pytest

import gradtape


def pytest_collection_modifyitems(items):
    for item in items:
        if "/tests/keras/" in str(item.path).replace("\\", "/"):
            item.add_marker(pytest.mark.keras)


@pytest.fixture(scope="session")
def keras(tmp_path_factory):
    return gradtape.keras


@pytest.fixture(autouse=True)
def fresh_names(keras):
    """Layers are numbered from the beginning in every test."""
    keras.utils.clear_session(free_memory=False)
