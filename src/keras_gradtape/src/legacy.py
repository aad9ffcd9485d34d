"""Names that programs written for older versions of `tf.keras` use, and Keras 3 dropped."""


def install() -> None:
    """Add the names to Keras."""
