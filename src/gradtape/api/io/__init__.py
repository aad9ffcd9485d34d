"""`tf.io`, `tf.audio`: files and their formats."""
