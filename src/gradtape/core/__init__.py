"""Values and how ops reach them: dtypes, shapes, tensors, primitives, `bind`."""
