"""The version of the backend: that of gradtape."""

from gradtape import __version__

__all__ = ["__version__"]
