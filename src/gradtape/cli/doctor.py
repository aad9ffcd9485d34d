"""`gradtape doctor`: what is installed, what it is for, and whether a gradient comes out right."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform

import gradtape
from gradtape.engine.tape import GradientTape
from gradtape.engine.variable import Variable

REQUIRED = {
    "numpy": "arrays",
    "scipy": "special functions and decompositions",
    "ml_dtypes": "bfloat16 and float8",
    "optree": "nested structures in Keras",
    "keras": "tf.keras",
}
OPTIONAL = {
    "pillow": "reading and writing images",
    "jax": "accelerators",
    "tensorflow": "never used: gradtape takes its place under `gradtape run`",
}


def installed(package: str) -> str | None:
    """The version of a package that is installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def doctor() -> int:
    """Print the findings; 0 if all is well."""
    print(f"gradtape    {gradtape.__version__}")
    print(f"python      {platform.python_version()} on {platform.system()} {platform.machine()}")
    print("\nneeded")
    troubles = [_needed(package, purpose) for package, purpose in REQUIRED.items()]
    print("\noptional")
    for package, purpose in OPTIONAL.items():
        _line(package, installed(package) or "-", purpose)
    troubles += [_keras(), _gradient()]
    found = [trouble for trouble in troubles if trouble]
    print("\n" + ("\n".join(found) if found else "The gradient of x**2 at 3 is 6. All is well."))
    return 1 if found else 0


def _line(package: str, version: str, purpose: str) -> None:
    print(f"  {package:<12}{version:<14}{purpose}".rstrip())


def _needed(package: str, purpose: str) -> str:
    version = installed(package)
    _line(package, version or "missing", purpose)
    return "" if version else f"{package} is missing: pip install {package}"


def _keras() -> str:
    if installed("keras") is None:
        return ""  # said already
    try:
        importlib.import_module("gradtape.keras")
    except ImportError as error:
        return f"tf.keras does not work: {error}"
    return ""


def _gradient() -> str:
    x = Variable(3.0)
    with GradientTape() as tape:
        y = x**2
    slope = float(tape.gradient(y, x))
    return "" if slope == 6 else f"The gradient of x**2 at 3 came out as {slope} instead of 6."
