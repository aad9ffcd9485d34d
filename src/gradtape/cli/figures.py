"""A backend of matplotlib, which imports it: `plt.show()` puts figures into a cell's outputs."""

from __future__ import annotations

import importlib

from gradtape.cli import outputs

FigureCanvas = importlib.import_module("matplotlib.backends.backend_agg").FigureCanvasAgg


def show(*args, **kwargs) -> None:
    """Keep the open figures, and close them."""
    if outputs.running is not None:
        outputs.running.show_figures()
