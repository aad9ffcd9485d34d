"""The native extension: optional, so that the package installs (and works) without a compiler.

Everything else about the package is in pyproject.toml.
"""

import sys
from pathlib import Path

import numpy
from setuptools import Extension, setup

FLAGS = ["-std=c++17", "-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast"]
# The bits of numbers are computed with, in integers that wrap around.
FLAGS += ["-fwrapv"]
SOURCES = sorted(str(path) for path in Path("src/native").rglob("*.cpp"))
HEADERS = sorted(str(p) for end in ("h", "def") for p in Path("src/native").rglob(f"*.{end}"))

native = Extension(
    "gradtape._native",
    SOURCES,
    depends=HEADERS,
    include_dirs=["src/native", numpy.get_include()],
    extra_compile_args=[
        *FLAGS,
        "-pthread",
        "-fvisibility=hidden",
        "-Wall",
        "-Wextra",
        "-Wno-missing-field-initializers",
        "-Wno-psabi",
        "-Wno-cast-function-type",
    ],
    extra_link_args=["-pthread"],
    language="c++",
    optional=True,
)

# The vectors are written with GCC's extensions, which Microsoft's compiler has not got.
setup(ext_modules=[] if sys.platform == "win32" else [native])
