"""Symbolic tensors of Keras, and what functions of TensorFlow do with them."""
