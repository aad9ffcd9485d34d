"""Kernels."""

KERNELS: dict = {}
