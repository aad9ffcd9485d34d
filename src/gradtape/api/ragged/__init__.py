"""`tf.ragged` and `tf.RaggedTensor`."""

# Whoever has a ragged tensor has its operators, and ops that take it.
from gradtape.api.ragged import dispatch as dispatch
from gradtape.api.ragged import operators as operators
