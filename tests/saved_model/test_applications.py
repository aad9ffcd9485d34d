"""All ops of the models of keras.applications are in the table that runs SavedModels.

`record_applications.py` has listed them with TensorFlow; `compare_applications.py` runs one model
of each family.
"""

import json
from pathlib import Path

import pytest

from gradtape.saved_model.reading import load
from gradtape.saved_model.reading.table import TABLE
from tests.saved_model.compare_applications import MODELS

assert load  # which fills the table
RECORDED = json.loads((Path(__file__).parent / "files" / "application_ops.json").read_text())


@pytest.mark.parametrize("name", RECORDED)
def test_all_ops_of_a_model_are_there(name):
    assert len(RECORDED[name]) >= 15
    assert not set(RECORDED[name]) - set(TABLE)


def test_every_family_is_recorded():
    assert len(RECORDED) >= 30
    assert set(MODELS) <= set(RECORDED)
