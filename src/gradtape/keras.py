"""`gradtape.keras` is Keras 3 itself, with gradtape as its backend."""

import sys

from gradtape.keras_plug import load

sys.modules[__name__] = load()
