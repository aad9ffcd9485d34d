"""How Keras saves."""
