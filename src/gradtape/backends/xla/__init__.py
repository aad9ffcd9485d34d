"""Everything that needs JAX: kernels of the primitives, devices, and graphs that XLA compiles."""
