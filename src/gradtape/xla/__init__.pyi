# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.xla import experimental as experimental
