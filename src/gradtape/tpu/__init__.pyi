# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.tpu import experimental as experimental
