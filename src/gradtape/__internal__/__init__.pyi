# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.__internal__ import nest as nest
from gradtape.__internal__ import saved_model as saved_model
from gradtape.__internal__ import tf2 as tf2
from gradtape.__internal__ import tracking as tracking
from gradtape.api.specs import CompositeTensor as CompositeTensor
