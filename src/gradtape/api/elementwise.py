"""Public names, see `gradtape.api`."""
