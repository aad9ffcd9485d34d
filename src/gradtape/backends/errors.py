"""The exception that kernels raise for invalid values."""

from __future__ import annotations


class BadValues(Exception):
    """A value (an index, a size) is invalid, which no shape rule can see. Users see its text."""
