"""TensorFlow-named functions, composed from ops. There are no derivative rules here."""
