"""The table primitive → nodes of ONNX, in the chapters of `gradtape.ops`.

A row takes the builder, the op in all traces and the names of its inputs, and returns the names of
its results.
"""
