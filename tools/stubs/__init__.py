"""Writes the type stubs of the public names; `python -m tools.stubs`, see __main__.py."""
