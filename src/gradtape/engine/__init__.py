"""The interpreters: tapes, dual numbers, batching, and what is built from them."""
