"""Padding is composed of slices: it has no kernels of its own."""

KERNELS = {}
