"""`tf.experimental.dispatch_for_*`: what public functions do with a program's own types."""
