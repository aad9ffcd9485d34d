"""`tf.config` and `tf.DeviceSpec`."""
