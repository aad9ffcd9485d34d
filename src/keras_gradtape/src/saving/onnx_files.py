"""`model.export(path, format="onnx")`: the graph of the model's call as an ONNX file."""

from __future__ import annotations

from types import ModuleType

from gradtape.api.specs import TensorSpec
from gradtape.core import nest
from gradtape.core.dtypes import as_dtype


def install(module: ModuleType) -> None:
    """Let Keras's module of this format write files with gradtape."""

    def export_onnx(
        model, filepath, verbose=None, input_signature=None, opset_version=None, **kwargs
    ):
        """Write the forward pass of a model as an ONNX file, as `tf.export.onnx` does."""
        from gradtape.exporting.onnx.model import onnx

        if kwargs:
            raise TypeError(f"export(format='onnx') has no arguments {sorted(kwargs)}.")
        if input_signature is None:
            input_signature = module.get_input_signature(model)
        specs = nest.map_structure(_spec, _plain(input_signature))

        def call(*args):
            return model(*args, training=False)

        call.__name__ = str(model.name)
        onnx(call, specs, filepath, opset=opset_version)
        if verbose is None or verbose:
            module.io_utils.print_msg(f"Saved artifact at '{filepath}'.")

    vars(module)["export_onnx"] = export_onnx


def _plain(structure):
    """Return a structure of Keras's containers as lists, tuples and dicts."""
    if isinstance(structure, dict):
        return {key: _plain(value) for key, value in structure.items()}
    if isinstance(structure, (list, tuple)):
        return (
            type(structure)(map(_plain, structure))
            if type(structure) is tuple
            else [*map(_plain, structure)]
        )
    return structure


def _spec(leaf) -> TensorSpec:
    """Return the spec of an argument, given as an InputSpec, KerasTensor, TensorSpec or tensor."""
    dtype = as_dtype(getattr(leaf, "dtype", None) or "float32")
    name = getattr(leaf, "name", None)
    return TensorSpec(leaf.shape, dtype, name if isinstance(name, str) else None)
