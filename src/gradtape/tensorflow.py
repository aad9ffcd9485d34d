"""`import gradtape.tensorflow` makes gradtape this process's TensorFlow, from then on.

`import tensorflow` in the program, in its own modules and in libraries made for TensorFlow
(`serving/libraries.py`, and those that `[tool.gradtape] serve` in pyproject.toml names) is answered
by gradtape. Other packages still find no TensorFlow. `import gradtape.tensorflow as tf` is the
module that they get.
"""

import os
import sys

from gradtape.serving.hooks import ImportHooks, installed
from gradtape.serving.importers import Importers
from gradtape.serving.libraries import served_by
from gradtape.serving.tensorflow_module import tensorflow


def _folder() -> str:
    """Return the folder of the program; if that is installed (`python -m pytest`) or typed in, the
    current one."""
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    here = os.getcwd()
    if not isinstance(file, str) or not Importers(here, frozenset()).own_file(file):
        return here
    return os.path.dirname(os.path.realpath(file))


if not installed():
    ImportHooks(_folder(), served_by(_folder())).install()
sys.modules[__name__] = tensorflow()
