"""Runs an example of the gallery, and draws its picture if asked: `pinn.py --picture p.png`."""

import argparse


def run(main, draw):
    """Run `main`; with --picture, let `draw(figure, result)` draw what it has returned."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--picture", metavar="FILE", help="draw into this file, with matplotlib")
    path = parser.parse_args().picture
    result = main()
    if path:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 3.6), layout="constrained")
        draw(figure, result)
        figure.savefig(path, dpi=120)
