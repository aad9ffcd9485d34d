"""Texts are true about the tree: the drawing in docs/design.md, and the files that prose names."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")


def drawn_folders() -> set[str]:
    """The folders in the drawing of docs/design.md, relative to the root of the repository."""
    block = DESIGN.split("## Source layout")[1].split("```")[1]
    path: list[tuple[int, str]] = []
    folders = set()
    for line in block.strip("\n").splitlines():
        indent = len(line) - len(line.lstrip())
        names = re.match(r"(?:[\w/]+/ ?)+", line.strip())
        assert names, line
        while path and path[-1][0] >= indent:
            path.pop()
        above = "".join(name for _, name in path)
        for name in names[0].split():
            folders.add((above + name).rstrip("/"))
        path.append((indent, names[0].split()[0]))
    return folders


def test_the_design_draws_the_tree_as_it_is():
    present = {
        str(folder.relative_to(ROOT))
        for folder in SOURCE.rglob("*")
        if folder.is_dir()
        and any(file.suffix in {".py", ".cpp", ".h"} for file in folder.iterdir())
        and "__pycache__" not in folder.parts
    }
    assert drawn_folders() == present


# --- the walk through one op ---------------------------------------------------------------------

PROFILED = """
import sys
import gradtape as tf

calls = []

def note(frame, event, argument):
    file = frame.f_code.co_filename.replace("\\\\", "/")
    if event == "call" and "/gradtape/" in file:
        depth, outer = 0, frame
        while outer is not None:
            depth, outer = depth + 1, outer.f_back
        name = frame.f_code.co_qualname.rpartition("<locals>.")[2]
        calls.append((depth, name, file.rpartition("/gradtape/")[2]))

x = tf.Variable(3.0)
sys.setprofile(note)
with tf.GradientTape() as tape:
    y = x**2
tape.gradient(y, x)
sys.setprofile(None)
for call in calls:
    print(*call)
"""


def profiled_calls() -> list[tuple[int, str, str]]:
    """(depth, function, file) of each call that `x**2` and its gradient make in Python."""
    environment = {**os.environ, "GRADTAPE_NATIVE": "0", "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", PROFILED]
    output = subprocess.check_output(command, env=environment, text=True)
    rows = [line.rsplit(" ", 1) for line in output.splitlines()]
    return [(int(left.split(" ", 1)[0]), left.split(" ", 1)[1], file) for left, file in rows]


def test_the_walk_names_the_functions_that_are_called():
    block = DESIGN.split("## One op, step by step")[1].split("```")[1]
    calls = profiled_calls()
    position = 0
    path: list[tuple[int, int]] = []  # (indent, position) of the rows around
    for line in block.strip("\n").splitlines():
        name, file = line.split()[:2]
        indent = len(line) - len(line.lstrip())
        while path and path[-1][0] >= indent:
            path.pop()
        result = [i for i in range(position, len(calls)) if calls[i][1:] == (name, file)]
        assert result, f"{name} of {file} is not called after what stands before it"
        position = result[0]
        if path:
            outer = path[-1][1]
            inside = calls[outer + 1 : position + 1]
            assert all(depth > calls[outer][0] for depth, _, _ in inside), f"{name}: called later"
        path.append((indent, position))
        position += 1


def test_the_glossary_has_words_that_the_code_uses():
    table = DESIGN.split("## Glossary")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")][1:]
    terms = [term.strip() for row in rows for term in re.sub(r"\(.*?\)", "", row).split(",")]
    assert len(terms) > 30
    code = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")).lower()
    unused = [term for term in terms if not re.search(rf"\b{term}", code.replace("_", " "))]
    assert not unused


# --- files named in docstrings and comments -------------------------------------------------------

NAMED = re.compile(r"(?<![\w./*<-])((?:[a-z_]\w*/)*[a-z_]\w*\.(?:py|cpp|h|md))(?![\w*])")
# Files that a user's program has, or that a text takes as an example.
EXAMPLES = {
    "program.py",
    "train.py",
    "model.py",
    "script.py",
    "main.py",
    "conftest.py",
    "setup.py",
}


def texts(path: Path) -> str:
    """Docstrings and comments of a Python file; comments of a C++ file; a page as it is."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        tree = ast.parse(text)
        kinds = ast.Module | ast.ClassDef | ast.FunctionDef
        parts = [ast.get_docstring(n) or "" for n in ast.walk(tree) if isinstance(n, kinds)]
        return "\n".join([*parts, *re.findall(r"(?m)^\s*# .*$", text)])
    if path.suffix in {".cpp", ".h"}:
        return "\n".join(re.findall(r"//.*$", text, re.MULTILINE))
    return text


def prose() -> list[Path]:
    sources = [p for s in ("*.py", "*.cpp", "*.h", "*.md") for p in SOURCE.rglob(s)]
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
    pages += [p for folder in ("tests", "bench", "tools") for p in (ROOT / folder).rglob("*.md")]
    return [path for path in [*sources, *pages] if "egg-info" not in str(path)]


def exists(name: str, here: Path) -> bool:
    """Whether a file is where a text means it: from the root, a source folder, or near by."""
    bases = [ROOT, SOURCE, SOURCE / "gradtape", SOURCE / "keras_gradtape" / "src", ROOT / "tests"]
    bases += [SOURCE / "native", ROOT / "docs", *[p for p in here.parents if SOURCE in p.parents]]
    if here.name == "README.md":
        bases.append(here.parent)
    if any((base / name).exists() for base in bases):
        return True
    if "/" in name:
        return False
    if here.suffix == ".md" and here.name != "README.md":
        return True  # pages name files of user programs by themselves
    near = SOURCE / "native" if SOURCE / "native" in here.parents else here.parent
    return name in EXAMPLES or any(near.rglob(name))


def test_every_file_that_a_text_names_exists():
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in prose()
        for name in NAMED.findall(texts(path))
        if not exists(name, path)
    ]
    assert not missing


# --- a README in every folder that needs one ------------------------------------------------------

MAX_README_LINES = 40  # a screen
FEW_MODULES = 3
# Folders whose names, or TensorFlow's or Keras's namespaces of that name, say what is in them.
SELF_EXPLAINING = {
    "gradtape/api/lookup",
    "gradtape/data/files",
    "gradtape/addons/image",
    "gradtape/addons/optimizers",
    *(f"gradtape/api/{name}" for name in "array debugging image io linalg math nn".split()),
    *(f"gradtape/api/{name}" for name in "compat random sparse strings".split()),
    "gradtape/summary",
    *(f"keras_gradtape/src/ops{name}" for name in ("", "/image", "/nn", "/numpy")),
    "native/kernels/conv",
    "native/kernels/recurrent",
    "native/runtime",
}


def source_folders() -> dict[str, int]:
    """The folders of the sources below a package, and how many modules each has."""
    files = [p for end in ("py", "cpp", "h") for p in SOURCE.rglob(f"*.{end}")]
    counts = Counter(str(path.parent.relative_to(SOURCE)) for path in files)
    return {name: n for name, n in counts.items() if "/" in name and "egg-info" not in name}


def test_folders_have_a_readme_or_a_name_that_says_all():
    folders = source_folders()
    without = {n for n, count in folders.items() if count > FEW_MODULES} - {
        name for name in folders if (SOURCE / name / "README.md").exists()
    }
    assert without == SELF_EXPLAINING


def test_readmes_of_folders_fit_on_a_screen():
    lines = {name: (SOURCE / name / "README.md") for name in source_folders()}
    counts = {n: p.read_text("utf-8").count("\n") for n, p in lines.items() if p.exists()}
    assert not {name: count for name, count in counts.items() if count > MAX_README_LINES}


def test_readmes_are_not_installed():
    # But for the one that states origin and license of the data beside it.
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    assert table["include-package-data"] is False
    packages = {k: v for k, v in table["package-data"].items() if any(".md" in e for e in v)}
    assert packages == {"gradtape.datasets": ["README.md"]}
