"""`tf.function`, control flow and gradients inside functions."""
