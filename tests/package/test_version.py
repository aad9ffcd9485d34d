"""The version, and the changelog: what is not released yet on top, then every version."""

import re
from datetime import date
from pathlib import Path

import gradtape

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def test_the_changelog_goes_by_versions():
    headings = re.findall(r"^## (.*)$", CHANGELOG.read_text("utf-8"), re.M)
    assert headings[0] == "[Unreleased]"
    versions = []
    for heading in headings[1:]:
        number, day = re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", heading).groups()
        parts = tuple(map(int, number.split(".")))
        versions.append((parts, date.fromisoformat(day), number))
    assert versions == sorted(versions, reverse=True)
    assert versions[0][2] == gradtape.__version__
