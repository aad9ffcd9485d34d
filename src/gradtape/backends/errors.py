"""How a kernel says that the values it was given are wrong."""

from __future__ import annotations


class BadValues(Exception):
    """Values (an index, a size) that no shape rule can judge. Its text is shown to the user."""
