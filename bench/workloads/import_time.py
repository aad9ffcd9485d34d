"""How long `import MODULE` takes once NumPy is loaded: `import_time.py MODULE`."""

import importlib
import sys
import time

import numpy  # noqa: F401
from timing import report

start = time.perf_counter()
module = importlib.import_module(sys.argv[1])
seconds = time.perf_counter() - start
report(module.__version__, [seconds])
