"""Errors of other libraries, as gradtape's messages and warnings quote them."""

from __future__ import annotations

import pytest

from gradtape.core.errors import one_line


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("bad"), "bad"),
        (ValueError(), "ValueError"),
        (
            TypeError("Argument 'array([[1., 2.],\n       [3., 4.]])' is wrong"),
            "Argument 'array([[1., 2.], …",
        ),
        (ValueError("x" * 1000), "x" * 200 + " …"),
    ],
)
def test_one_short_line(error, text):
    assert one_line(error) == text
