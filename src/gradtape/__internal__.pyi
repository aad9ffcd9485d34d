# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.specs import CompositeTensor as CompositeTensor
