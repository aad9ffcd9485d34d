"""`tf.experimental.ExtensionType` and its relatives: composite values that programs define."""
