"""How many calls an import makes: in place of timings, whether it is light."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
count = 0
def note(frame, event, argument):
    global count
    count += event in ("call", "c_call")
sys.setprofile(note)
exec(sys.argv[1])
sys.setprofile(None)
print(count)
"""


def calls_of(statements: str, bytecode: Path) -> int:
    """The calls of functions that statements make in a new process, whatever its speed.

    From bytecode, as after an installation: a first run compiles it into this folder.
    """
    variables = {"PYTHONPYCACHEPREFIX": str(bytecode), "PYTHONDONTWRITEBYTECODE": ""}
    for _ in range(2):
        finished = subprocess.run(
            [sys.executable, "-c", PROGRAM, statements],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
    return int(finished.stdout)
