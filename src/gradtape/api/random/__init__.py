"""`tf.random`."""
