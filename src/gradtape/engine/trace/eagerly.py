"""Whether every `tf.function` runs as plain Python: `tf.config.run_functions_eagerly`."""

settings = {"run_eagerly": False}
