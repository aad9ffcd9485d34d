"""`tf.strings`: text in tensors."""
