"""Values and the way in: dtypes, shapes, tensors, primitives, `bind`."""
