"""gradtape as TensorFlow: `import tensorflow` for programs, and for libraries made for it."""
