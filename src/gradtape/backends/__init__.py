"""Backends: each is a table from a primitive's name to a kernel, a pure function of arrays."""
