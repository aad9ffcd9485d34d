"""Primitives and their rules."""
