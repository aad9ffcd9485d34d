"""On a Python whose bytecode is not known, functions stay as they are: tracebacks are whole."""

import subprocess
import sys

PROGRAM = """
import opcode, sys, traceback
import numpy  # it knows this Python

sys.version_info = (3, 99, 0, "final", 0)
opcode.opmap.clear()
import gradtape as tf
from gradtape.core.tracebacks.except_clause import SUPPORTED

assert not SUPPORTED
assert tf.reduce_sum([1.0, 2.0]).numpy() == 3
try:
    tf.matmul([[1.0]], [[1.0], [2.0]])
except tf.errors.InvalidArgumentError as error:
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    print(len(files) > 1 and "gradtape" in files[-1])
"""


def test_an_unknown_python_shows_whole_tracebacks():
    printed = subprocess.check_output([sys.executable, "-c", PROGRAM], text=True)
    assert printed == "True\n"
