"""What a layer gets from the backend: nothing beyond Keras's own defaults."""


class GradtapeLayer:
    """The first base of `keras.Layer`."""
