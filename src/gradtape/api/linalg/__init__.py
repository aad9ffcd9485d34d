"""`tf.linalg`."""
