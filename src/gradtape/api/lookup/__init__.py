"""`tf.lookup`: tables of keys and values."""
