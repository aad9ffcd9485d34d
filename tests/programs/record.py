"""Run the programs under TensorFlow and store the numbers that they print in expected.json.

python tests/programs/record.py [tape/maml.py …]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
EXPECTED = HERE / "expected.json"
FOLDERS = ("tape", "keras", "pipelines")


def programs() -> list[str]:
    """All programs, as paths from this folder."""
    result = [path for folder in FOLDERS for path in (HERE / folder).glob("*.py")]
    return sorted(path.relative_to(HERE).as_posix() for path in result)


def numbers(output: str) -> dict:
    """What a program printed on its last line."""
    return json.loads(output.strip().splitlines()[-1])


def run(program: str) -> dict:
    """The numbers of one program under TensorFlow, on the CPU."""
    variables = {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    finished = subprocess.run(
        [sys.executable, program],
        cwd=HERE,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        sys.exit(f"{program} failed:\n{finished.stderr}")
    return numbers(finished.stdout)


def main(chosen: list[str]) -> None:
    unknown = set(chosen) - set(programs())
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    expected = json.loads(EXPECTED.read_text("utf-8")) if EXPECTED.exists() else {}
    for program in chosen or programs():
        print(program, flush=True)
        expected[program] = run(program)
    kept = {program: expected[program] for program in programs() if program in expected}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in kept.items()]
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
