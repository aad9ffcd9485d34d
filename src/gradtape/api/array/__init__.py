"""Shapes, slices, creation; `tf.TensorArray`."""
