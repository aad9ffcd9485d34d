# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.profiler import experimental as experimental
