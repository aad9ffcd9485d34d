"""Builds the documentation site: `python -m tools.site`, which `make docs` runs.

Pages are the Markdown files of `docs/`, as a code host shows them. `pages` copies them into a
folder for Sphinx and adds what exists only on the site: the reference (`reference`), the gallery
with its pictures (`gallery`) and the plots of the benchmarks (`charts`). `conf.py` is Sphinx's
configuration.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "build" / "docs"
PICTURES = OUTPUT / "source" / "pictures"  # copied to _static
