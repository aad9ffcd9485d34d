"""Wrong calls."""

WRONG_CALLS = {}
