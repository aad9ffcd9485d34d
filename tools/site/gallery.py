"""Runs the examples of the gallery, with their pictures, and writes a page for each."""

from __future__ import annotations

from pathlib import Path


def write(root: Path, source: Path) -> str:
    return ""
