"""`tf.compat`, `tf.version`, scopes and other names that compute nothing."""
