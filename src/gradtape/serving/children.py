"""Processes that a program under `gradtape run` starts: they have gradtape as TensorFlow, too.

`multiprocessing` (spawn, forkserver), process pools, joblib and `subprocess` start Python anew.
What such a process inherits is the environment: a folder on PYTHONPATH whose `sitecustomize` runs
at its start, the program's folder, and the libraries to serve. A child that does not want it
(`python -I`, `-E`, `-S`, or an environment of its own) does not get it, nor does a Python of
another environment.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Set

from gradtape.serving import child_path


def share(program_folder: str, libraries: Set[str]) -> None:
    """Make this process's children serve gradtape as TensorFlow, to a program and to libraries."""
    folder = os.path.dirname(os.path.abspath(child_path.__file__))
    before = os.environ.get("PYTHONPATH")
    entries = before.split(os.pathsep) if before else []  # an empty entry is the current folder
    kept = [entry for entry in entries if entry != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *kept])
    os.environ["GRADTAPE_RUN"] = json.dumps([program_folder, sorted(libraries), sys.prefix])
