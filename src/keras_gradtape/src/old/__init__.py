"""Keras 2's names and manners, which work where gradtape is a program's TensorFlow."""
