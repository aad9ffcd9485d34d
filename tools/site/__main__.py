"""The command: prepares the pages, runs Sphinx with warnings as errors, and checks the result."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from tools.site import OUTPUT, ROOT, charts, gallery, pages, reference, result


def main(arguments: list[str] | None = None) -> int:
    """Build the site; return the exit code."""
    argparse.ArgumentParser(description="Build the documentation site.").parse_args(arguments)
    source, html = OUTPUT / "source", OUTPUT / "html"
    for folder in (source, html):
        shutil.rmtree(folder, ignore_errors=True)
    inserts = {
        "reference": reference.write(ROOT, source),
        "gallery": gallery.write(ROOT, source),
        **charts.draw(ROOT, source),
    }
    pages.write(ROOT, source, inserts)
    settings = str(Path(__file__).parent)
    flags = ["-b", "html", "-W", "--keep-going", "-q", "-c", settings]
    code = build_main([*flags, "-d", str(OUTPUT / "doctrees"), str(source), str(html)])
    faults = [] if code else result.faults(html)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not code and not faults:
        print(f"The site is in {html}: open {html / 'index.html'}")
    return code or bool(faults)


if __name__ == "__main__":
    sys.exit(main())
