"""Devices, tensors and variables on them, meshes, and graphs compiled by XLA."""
