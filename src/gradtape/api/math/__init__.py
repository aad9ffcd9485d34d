"""`tf.math`, `tf.signal`, `tf.sets`, `tf.quantization`."""
