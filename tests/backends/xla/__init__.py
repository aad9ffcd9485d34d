"""The XLA backend beside the NumPy backend. Where JAX is missing, most tests skip."""
