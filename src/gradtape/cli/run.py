"""`gradtape run`: execute a program or a notebook as Python would, with gradtape as TensorFlow."""

from __future__ import annotations

import builtins
import importlib.machinery
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from gradtape.cli import errors, notebook
from gradtape.cli.arguments import is_missing
from gradtape.cli.cells import run_notebook
from gradtape.serving import children
from gradtape.serving.hooks import ImportHooks
from gradtape.serving.libraries import ConfigurationError, served_by


def run(
    program: str,
    arguments: list[str],
    *,
    serve: Sequence[str] = (),
    full_traceback: bool = False,
    output: str | None = None,
) -> int:
    """Execute a program, which may use libraries to serve; return its exit code.

    A notebook is written to `output` with what its cells show.
    """
    if is_missing("run", program):
        return 2
    if output is not None:
        wrong = _wrong_output(program, output)
        if wrong:
            print(f"gradtape run: --output: {wrong}", file=sys.stderr)
            return 2
    folder = os.path.dirname(os.path.realpath(program))
    try:
        libraries = served_by(folder, serve)
    except ConfigurationError as error:
        print(f"gradtape run: {error}", file=sys.stderr)
        return 2
    imports = ImportHooks(folder, libraries)
    imports.install()
    children.share(folder, libraries)
    main = _main_module(program)
    sys.argv = [program, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = folder
    report = errors.ErrorReport(imports.importers, full_traceback)
    sys.excepthook = report.show
    try:
        if program.endswith(".ipynb"):
            run_notebook(program, main, output)
        else:
            _run_file(program, main)
    except (SystemExit, KeyboardInterrupt):
        raise  # the interpreter ends the process as it does for every program
    except notebook.NotebookError as error:
        print(f"gradtape run: {error}", file=sys.stderr)
        return 2
    except BaseException as error:  # shown as the interpreter shows what ends a program
        # The program may have put its own hook in place of `report.show`.
        own_hook = sys.excepthook is not report.show
        if own_hook:
            error.__traceback__ = errors.program_frames(error.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0


def _wrong_output(program: str, output: str) -> str | None:
    """Return what is wrong with the file to write a notebook to, or None."""
    if not program.endswith(".ipynb"):
        return f"{program} is no notebook: only notebooks have outputs to keep."
    folder = os.path.dirname(output) or "."
    if not output or os.path.isdir(output) or not os.path.isdir(folder):
        return f"{output!r} cannot be written. Name a file in a folder that exists."
    return None


def _main_module(program: str) -> ModuleType:
    """Install and return the module `__main__` that the program runs in."""
    main = ModuleType("__main__")
    main.__file__ = os.path.abspath(program)
    main.__dict__["__builtins__"] = builtins
    main.__dict__["__cached__"] = None
    if sys.version_info < (3, 14):  # made when asked for since then
        main.__annotations__ = {}
    main.__loader__ = importlib.machinery.SourceFileLoader("__main__", main.__file__)
    main.__spec__ = None
    sys.modules["__main__"] = main
    return main


def _run_file(program: str, main: ModuleType) -> None:
    with io.open_code(os.path.abspath(program)) as file:
        source = file.read()
    code = compile(source, main.__dict__["__file__"], "exec", dont_inherit=True)
    exec(code, main.__dict__)
