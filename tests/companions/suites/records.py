"""The results of a library's tests: a file with a JSON line for each, which two processes write."""

from __future__ import annotations

import json
import re
from pathlib import Path

NOT_COLLECTED = "not collected"  # the outcome of a file whose tests pytest could not list
GRAPH = "graph"  # the outcome of a test that needs a graph of TensorFlow 1
NEEDS_A_GRAPH = "needs a graph or a session of TensorFlow 1"


def read(log: Path) -> dict[str, dict]:
    """Return the records of a file by test: the last of each."""
    if not log.exists():
        return {}
    return {record["id"]: record for record in map(json.loads, log.read_text("utf-8").splitlines())}


def append(log: Path, **record) -> None:
    """Add a record to a file."""
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def cause(text: str) -> str:
    """Return what an error says, without what differs from test to test."""
    lines = [line[4:] for line in text.splitlines() if line.startswith("E   ") and line[4:].strip()]
    first = lines[0] if lines else text.strip().rpartition("\n")[2]
    return re.sub(r"0x[0-9a-f]+|-?\d+(\.\d+)?(e[-+]\d+)?", "#", first.strip())[:200]
