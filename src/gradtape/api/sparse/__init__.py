"""`tf.sparse` and `tf.SparseTensor`."""
