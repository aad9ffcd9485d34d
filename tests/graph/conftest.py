"""Functions of these tests are not converted, as without the `autograph` extra.

`tests/autograph` has the conversion.
"""

import pytest


@pytest.fixture(autouse=True)
def without_conversion(monkeypatch):
    monkeypatch.setattr("gradtape.api.function.function.autograph_is_available", lambda: False)
