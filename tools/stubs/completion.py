"""Measures how many public names Jedi completes: `python -m tools.stubs.completion`.

Jedi stands behind the completion of IPython and several editors. It is no test tool of this
repository: run this in an environment that has `jedi` beside gradtape.
"""

from __future__ import annotations

import sys
from pathlib import Path

import jedi  # pyright: ignore[reportMissingImports] (in an environment of its own)

from gradtape.api.export import PUBLIC

SOURCE = Path("src").resolve()


def completed(namespace: str) -> set[str]:
    """The names that Jedi offers after `tf.namespace.`."""
    project = jedi.Project(SOURCE.parent, sys_path=[str(SOURCE), *sys.path])
    dotted = f"tf.{namespace}." if namespace else "tf."
    return {
        c.name for c in jedi.Script(f"import gradtape as tf\n{dotted}", project=project).complete()
    }


def main() -> int:
    wanted: dict[str, set[str]] = {}
    for name in PUBLIC:
        path, _, last = name.rpartition(".")
        wanted.setdefault(path, set()).add(last)
    missing = [
        f"tf.{path}.{name}" if path else f"tf.{name}"
        for path, names in sorted(wanted.items())
        for name in sorted(names - completed(path))
    ]
    total = sum(map(len, wanted.values()))
    print(f"Jedi completes {total - len(missing)} of {total} names; not {', '.join(missing)}")
    return 1 if len(missing) > total / 100 else 0


if __name__ == "__main__":
    sys.exit(main())
