"""How long it takes to begin, and what an installation weighs."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import time
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
DISTRIBUTIONS = {"tensorflow": ("tensorflow", "tensorflow_cpu", "tensorflow-cpu")}


def measure_import(library: str) -> dict:
    """Seconds until the library is imported, and until it gave the first gradient, 6."""
    start = time.perf_counter()
    module = importlib.import_module(library)
    imported = time.perf_counter() - start
    slope = _FIRST[library](module)
    done = time.perf_counter() - start
    version = getattr(module, "__version__", None) or importlib.metadata.version(library)
    return {"version": version, "import": imported, "first_gradient": done, "check": slope}


def _tape(tf) -> float:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x**2
    return float(tape.gradient(y, x))


def _torch(torch) -> float:
    x = torch.tensor(3.0, requires_grad=True)
    (x**2).backward()
    return x.grad.item()


def _function(module) -> float:
    return float(module.grad(lambda x: x**2)(3.0))


_FIRST = {
    "gradtape": _tape,
    "tensorflow": _tape,
    "torch": _torch,
    "jax": _function,
    "autograd": _function,
}


def measure_size(library: str) -> dict:
    """Bytes of the library's own files, and with those of everything it needs."""
    if library == "gradtape":
        own, needed = _gradtape_files()
    else:
        names = DISTRIBUTIONS.get(library, (library,))
        top = next(n for n in names if _distribution(n) is not None)
        own, needed = _size(top), _needed(_requirements(top), {_key(top)})
    return {"own": own, "with_dependencies": own + sum(_size(name) for name in needed)}


def _gradtape_files() -> tuple[int, set[str]]:
    """gradtape may be installed in place, where no list of its files exists."""
    folder = Path(importlib.import_module("gradtape").__file__ or "").parent
    own = sum(_folder_size(f) for f in (folder, folder.with_name("keras_gradtape")))
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    return own, _needed([_name(text) for text in project["dependencies"]], set())


def _folder_size(folder: Path) -> int:
    files = (f for f in folder.rglob("*") if "__pycache__" not in f.parts)
    return sum(f.stat().st_size for f in files if f.is_file())


def _distribution(name: str):
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


def _requirements(name: str) -> list[str]:
    distribution = _distribution(name)
    texts = (distribution.requires if distribution is not None else None) or []
    return [_name(text) for text in texts if "extra ==" not in text]


def _needed(names: list[str], seen: set[str]) -> set[str]:
    """All that is installed of what is required, directly or not."""
    names: set[str] = set()
    queue = list(names)
    for name in queue:
        if _key(name) not in seen and _distribution(name) is not None:
            seen.add(_key(name))
            names.add(name)
            queue += _requirements(name)
    return names


def _size(name: str) -> int:
    distribution = _distribution(name)
    files = (distribution.files if distribution is not None else None) or []
    paths = {Path(str(f.locate())).resolve() for f in files if "__pycache__" not in f.parts}
    return sum(p.stat().st_size for p in paths if p.is_file())
