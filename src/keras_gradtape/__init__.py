"""The Keras 3 backend that computes with gradtape. Load it with `gradtape.keras`."""

from keras_gradtape.src.version import __version__

__all__ = ["__version__"]
