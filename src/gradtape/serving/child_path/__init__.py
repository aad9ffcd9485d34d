"""A folder for PYTHONPATH: its one module, `sitecustomize`, runs when a child process starts."""
