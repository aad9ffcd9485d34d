"""The examples of the gallery run, and reach what they are about; nothing is drawn."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys

import numpy as np
import pytest

from tests.docs.blocks import ROOT

FOLDER = ROOT / "examples" / "gallery"
HELPER = FOLDER / "picture.py"
MAX_LINES = 80
# What an example must reach, with room for other rounding.
REACHED = {
    "cart_pole": lambda r: r["first"] < 40 and r["last"] > 80,
    "flow": lambda r: np.mean(r["losses"][-20:]) < r["losses"][0] - 0.8,
    "gan": lambda r: abs(r["radius"].mean() - 2) < 0.3 and r["radius"].std() < 0.5,
    "gp": lambda r: 0.15 < r["noise"] < 0.25,
    "gumbel": lambda r: (
        r["results"]["REINFORCE"][1] < 0.05 < r["results"]["soft, 1"][1]
        and r["results"]["soft, 1"][2] < 0.5 * r["results"]["REINFORCE"][2]
    ),
    "inverse": lambda r: r["values"][-1] < 1.5 and r["error"] < 0.25,
    "laplace": lambda r: r["norms"][-1] < 1e-3,
    "maml": lambda r: r["end"] < 0.4 * r["start"],
    "neural_ode": lambda r: r["losses"][-1] < 0.05,
    "newton_cg": lambda r: r["norms"]["Newton"][-1] < 1e-8 < r["norms"]["gradient descent"][-1],
    "per_example": lambda r: r["found"] >= 45,
    "pinn": lambda r: r["error"] < 0.03,
    "pinn_keras": lambda r: r["error"] < 0.05 and np.mean(r["losses"][-50:]) < 0.02,
    "recompute": lambda r: r["kept"][4] < 0.3 * r["plain"],
    "style": lambda r: r["losses"][-1] < 0.2 * r["losses"][0],
    "vae": lambda r: r["losses"][-1] < r["losses"][0] - 8,
}


def names() -> set[str]:
    return {path.stem for path in FOLDER.glob("*.py") if path != HELPER}


@pytest.mark.keras
@pytest.mark.parametrize("name", sorted(REACHED))
def test_an_example_reaches_what_it_is_about(name, capsys, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    spec = importlib.util.spec_from_file_location(f"gallery_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = module.main()
    assert capsys.readouterr().out
    assert REACHED[name](result), result
    assert "matplotlib" not in sys.modules
    assert callable(module.draw)


def test_all_are_listed():
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[(\w+)\.py\]\(\.\./examples/gallery/\1\.py\)", page, re.MULTILINE)
    assert sorted(listed) == sorted(names()) == sorted(REACHED)
    assert len(listed) >= 15


@pytest.mark.parametrize("name", sorted(REACHED))
def test_they_are_short_and_tell_what_they_do(name):
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    title = (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    assert ":" in title
    assert title.endswith(".")
