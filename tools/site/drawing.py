"""Pictures of the site: each is drawn twice, for light and for dark pages."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib
import matplotlib.style
from matplotlib.figure import Figure

from tools.site import PICTURES

THEMES = {"light": "default", "dark": "dark_background"}
DRAWN_WITH = {"font.size": 9, "axes.titlesize": 10, "savefig.transparent": True}


def save(name: str, draw: Callable[[Figure], None], size: tuple[float, float]) -> None:
    """Draw a picture; `size` is in inches."""
    (PICTURES / name).parent.mkdir(parents=True, exist_ok=True)
    for theme, style in THEMES.items():
        with matplotlib.style.context([style, DRAWN_WITH]):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure)
            figure.savefig(PICTURES / f"{name}-{theme}.png", dpi=130)


def tags(name: str, text: str, start: str = "") -> str:
    """Return the picture as HTML; `start` leads from the page to the root of the site."""
    names = {theme: f"{start}_static/{name}-{theme}.png" for theme in THEMES}
    return "".join(f'<img class="only-{t}" src="{n}" alt="{text}">' for t, n in names.items())
