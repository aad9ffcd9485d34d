"""Who asks for TensorFlow decides what he gets."""

import pytest

from gradtape.serving.hooks import MissingName
from gradtape.serving.unused import Unused

FORMS = [
    "import tensorflow as tf; print(tf.sqrt(4.0).numpy())",
    "import tensorflow; print(tensorflow.sqrt(4.0).numpy())",
    "import tensorflow.math; print(tensorflow.math.sqrt(4.0).numpy())",
    "import tensorflow.math as m; print(m.sqrt(4.0).numpy())",
    "from tensorflow import math; print(math.sqrt(4.0).numpy())",
    "from tensorflow import math as m, sqrt; print(m.sqrt(4.0).numpy())",
    "from tensorflow.math import sqrt; print(sqrt(4.0).numpy())",
    # The star brings tf.print too, which writes to stderr.
    "from tensorflow import *; import builtins; builtins.print(sqrt(4.0).numpy())",
    "p = print\nfrom tensorflow.experimental.numpy import *\np(float(sqrt(4.0)))",
    "import tensorflow.experimental.numpy as tnp; print(tnp.sqrt(4.0).numpy())",
    "from tensorflow.experimental import numpy as tnp; print(tnp.sqrt(4.0).numpy())",
    "import tensorflow.compat.v1 as tf; print(tf.sqrt(4.0).numpy())",
    "import tensorflow.compat.v2 as tf; print(tf.sqrt(4.0).numpy())",
    "tf = __import__('tensorflow'); print(tf.sqrt(4.0).numpy())",
    "import importlib; tf = importlib.import_module('tensorflow'); print(tf.sqrt(4.0).numpy())",
    "from importlib import import_module as i; print(i('tensorflow.math').sqrt(4.0).numpy())",
    "exec('import tensorflow as tf; print(tf.sqrt(4.0).numpy())', {})",
    "def f():\n    import tensorflow as tf\n    return tf.sqrt(4.0)\nprint(f().numpy())",
]


@pytest.mark.parametrize("text", FORMS)
def test_forms_of_import(folder, text):
    assert folder.prints(text) == "2.0\n"


PATCHES = [
    "mock.patch('tensorflow.__version__', '2.1.0')",
    "mock.patch('tensorflow.math.sqrt', lambda x: x)",
]


@pytest.mark.parametrize("patch", PATCHES)
def test_names_that_a_test_replaces(folder, patch):
    # A package runs the test, as pytest does.
    folder.write("venv/site-packages/runner.py", "def run(test):\n    test()")
    out = folder.prints(
        f"""
        from unittest import mock
        import runner
        import tensorflow as tf

        @{patch}
        def test():
            print(tf.__version__, float(tf.math.sqrt(4.0)))

        runner.run(test)
        test()
        print(tf.__version__, float(tf.math.sqrt(4.0)))
        """,
        path=str(folder.path / "venv" / "site-packages"),
    )
    changed = "2.1.0 2.0" if "version" in patch else "2.21.0 4.0"
    assert out == f"{changed}\n{changed}\n2.21.0 2.0\n"


def test_a_name_that_the_program_resolves(folder):
    text = "import pkgutil; print(pkgutil.resolve_name('tensorflow:math.sqrt')(4.0).numpy())"
    assert folder.prints(text) == "2.0\n"


KERAS_FORMS = """
import tensorflow.keras
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.layers import Dense
import tensorflow.keras.backend as K
from tensorflow.keras import backend
from tensorflow.keras.applications.vgg16 import preprocess_input
import tensorflow.keras.applications.resnet50 as resnet
import keras as plain
import tensorflow as tf
assert tensorflow.keras is keras is tf.keras
assert Dense is layers.Dense is plain.layers.Dense
assert K is backend
print(plain.config.backend(), Dense(2)(tf.ones([1, 3])).shape)
"""


@pytest.mark.keras
def test_forms_of_importing_keras(folder):
    assert folder.prints(KERAS_FORMS) == "tensorflow (1, 2)\n"


@pytest.mark.keras
def test_keras_alone_runs_on_gradtape_whatever_is_configured(folder):
    out = folder.prints(
        """
        import os
        os.environ["KERAS_BACKEND"] = "tensorflow"
        import keras
        print(keras.src.backend.config.backend(), os.environ["KERAS_BACKEND"])
        """
    )
    assert out == "gradtape tensorflow\n"


def test_the_version_is_one_that_programs_can_compare(folder):
    out = folder.prints(
        """
        import tensorflow as tf
        major, minor, patch = map(int, tf.__version__.split("."))
        print(major, minor >= 16, tf.__version__ >= "2.0", tf.__name__)
        """
    )
    assert out == "2 True True tensorflow\n"


def test_internals_are_hidden(folder):
    out = folder.prints(
        """
        import tensorflow as tf
        print([name for name in ("core", "engine", "ops", "cli", "backends") if hasattr(tf, name)])
        print("keras" in dir(tf), "core" in dir(tf), "sqrt" in dir(tf))
        """
    )
    assert out == "[]\nTrue False True\n"


# What packages do to find out whether there is a TensorFlow.
PROBE = """
import importlib, importlib.util, sys
def probe():
    found = ["tensorflow" in sys.modules, importlib.util.find_spec("tensorflow") is not None]
    try:
        import tensorflow as tf
        found.append(getattr(tf, "__version__", "other"))
    except ImportError as error:
        found.append(type(error).__name__)
    try:
        found.append(importlib.import_module("tensorflow").__version__)
    except ImportError as error:
        found.append(type(error).__name__)
    return found
"""


def test_installed_packages_see_no_tensorflow(folder):
    folder.write("venv/site-packages/package.py", PROBE)
    out = folder.prints(
        "import tensorflow, package; print(package.probe())",
        path=str(folder.path / "venv" / "site-packages"),
    )
    assert out == "[False, False, 'ModuleNotFoundError', 'ModuleNotFoundError']\n"


def test_installed_packages_see_the_tensorflow_that_is_installed(folder):
    folder.write("venv/site-packages/package.py", PROBE)
    folder.write("venv/site-packages/tensorflow/__init__.py", "__version__ = 'the real one'")
    out = folder.prints(
        """
        import tensorflow as tf
        import package
        print(package.probe())
        import tensorflow as again
        print(again is tf, tf.__version__)
        """,
        path=str(folder.path / "venv" / "site-packages"),
    )
    assert out.splitlines()[0] == "[False, True, 'the real one', 'the real one']"
    assert out.splitlines()[1] == "True 2.21.0"


def test_local_modules_are_served_wherever_they_lie(folder):
    folder.write("libraries/far.py", PROBE)
    folder.write("package/__init__.py", "from . import near")
    folder.write("package/near.py", PROBE)
    out = folder.prints(
        """
        import sys
        sys.path.append("libraries")
        import far, package
        print(far.probe(), package.near.probe())
        """
    )
    assert out == "[False, True, '2.21.0', '2.21.0'] [False, True, '2.21.0', '2.21.0']\n"


def test_scipy_and_keras_do_not_take_gradtape_for_tensorflow(folder):
    out = folder.prints(
        """
        import sys
        import tensorflow as tf
        import scipy.special
        from keras.src.utils.module_utils import tensorflow as lazy
        names = [name for name in sys.modules if "tensorflow" in name]
        print(lazy.available, scipy.special.gamma(4.0), names)
        """
    )
    assert out.startswith("False 6.0 ")
    assert "'tensorflow'" not in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import tensorflow_io as tfio", "tensorflow_io is made for TensorFlow itself. Read files"),
        ("from tensorflow_text import BertTokenizer", "WhitespaceTokenizer"),
        ("from tensorflow_hub import KerasLayer", "pip install --no-deps tensorflow-hub"),
        ("from tensorflow.contrib import slim", "ended with TensorFlow 1"),
        ("from tensorflow.core.framework import graph_pb2", "protocol buffers"),
    ],
)
def test_what_is_not_served_says_so_in_one_line(folder, text, words):
    finished = folder.run(f"import sys\n{text}")
    assert finished.returncode == 1
    assert finished.stderr.startswith("program.py:2: ")
    assert words in finished.stderr
    assert len(finished.stderr.splitlines()) == 1


PRIVATE = {
    "from tensorflow.python.framework import c_api_util as x": "TensorFlow's private code",
    "from tensorflow.python.pywrap_mlir import x": "Use the public name, such as tf.math",
    "from tensorflow.python.ops.math_ops import nothing as x": "tensorflow.python.ops.math_ops.",
    "from tensorflow.python import nothing as x": "tensorflow.python",
}


@pytest.mark.parametrize("text", PRIVATE)
def test_private_code_that_is_missing_says_so_where_it_is_used(folder, text):
    finished = folder.run(f"import sys\n{text}\nprint(1, flush=True)\nx()")
    assert (finished.returncode, finished.stdout) == (1, "1\n")
    assert finished.stderr.startswith("program.py:4: ")
    assert PRIVATE[text] in finished.stderr
    assert len(finished.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "use", ["x()", "x.name", "x.a = 1", "class A(x): pass", "isinstance(1, x)", "x[0]", "len(x)"]
)
def test_uses_of_what_is_missing(use):
    missing = MissingName("what is missing", name="tensorflow.python")
    with pytest.raises(MissingName, match="what is missing"):
        exec(use, {"x": Unused(missing)})


def test_private_code_that_is_not_used_may_be_missing(folder):
    folder.write(
        "helper.py",
        "from tensorflow.python.ops.math_ops import nothing, reduce_sum\n"
        "value = float(reduce_sum([1.0, 2.0]))",
    )
    assert folder.prints("import helper; print(helper.value)") == "3.0\n"


def test_private_code_that_is_tried_is_missing_at_once(folder):
    folder.write("helper.py", "from tensorflow.python.ops.math_ops import nothing")
    folder.write("venv/site-packages/gpflow.py", "from tensorflow.python.nowhere import nothing")
    out = folder.prints(
        """
        def attempt(text):
            exec(text, {"__file__": __file__, "__name__": "__main__"})

        try:
            from tensorflow.python.nowhere import nothing
        except ImportError as error:
            print(type(error).__name__)
        for text in ("import helper", "import gpflow"):
            try:
                attempt(text)
            except ImportError as error:
                print(type(error).__name__)
        """,
        path=str(folder.path / "venv" / "site-packages"),
    )
    assert out == "MissingModule\nMissingName\nMissingModule\n"


def test_a_local_module_may_have_such_a_name(folder):
    folder.write("tensorflow_utils.py", "import tensorflow as tf\nvalue = float(tf.sqrt(4.0))")
    assert folder.prints("import tensorflow_utils; print(tensorflow_utils.value)") == "2.0\n"


def test_an_installed_package_that_needs_tensorflow_is_explained(folder):
    folder.write("venv/site-packages/needy.py", "import tensorflow")
    finished = folder.run("import needy", path=str(folder.path / "venv" / "site-packages"))
    assert finished.returncode == 1
    assert "No module named 'tensorflow'" in finished.stderr
    assert "gradtape run --serve PACKAGE" in finished.stderr
