"""`tf.debugging`, `tf.test`, `tf.print`."""
