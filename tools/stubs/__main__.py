"""Writes the type stubs of gradtape: what editors and type checkers see of the public names.

    python -m tools.stubs           write src/gradtape/**/*.pyi
    python -m tools.stubs --check   fail if one of them is out of date

The public namespaces are made when gradtape is imported (`api/export.py`), so that tools that read
the source do not find them. The stubs have nothing that is not in the source: names are those of
the export table, signatures and docstrings those of the functions. Classes are imported from where
they are defined. Run in the root of the repository.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.stubs.tree import stubs

ROOT = Path("src/gradtape")


def out_of_date(wanted: dict[Path, str]) -> list[Path]:
    """The files that differ from what they should be, are missing, or are left over."""
    present = {path.relative_to(ROOT) for path in ROOT.rglob("*.pyi")}
    changed = [
        path
        for path, text in wanted.items()
        if path not in present or (ROOT / path).read_text(encoding="utf-8") != text
    ]
    return sorted([*changed, *(present - set(wanted))])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.stubs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a stub is out of date")
    options = parser.parse_args(arguments)
    wanted = stubs()
    changed = out_of_date(wanted)
    if options.check:
        for path in changed:
            print(f"{ROOT / path} is out of date: run python -m tools.stubs")
        return 1 if changed else 0
    for path in changed:
        file = ROOT / path
        if path in wanted:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(wanted[path], encoding="utf-8")
        else:
            file.unlink()
        print(f"{'wrote' if path in wanted else 'removed'} {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
