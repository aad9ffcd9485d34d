"""Importing this module defines every public name; `build` puts them into a package."""

from importlib import import_module

from gradtape.api.export import build

__all__ = ["build"]

CHAPTERS = """
    array.blocks array.creation array.indexing array.initializers array.joining array.shape
    array.tensor_array compat.experimental compat.names compat.scopes debugging.assertions
    debugging.printing debugging.shape_assertions function.control_flow function.function
    function.gradients inspection lazy linalg.decompositions linalg.diagonals linalg.norms
    linalg.products linalg.systems linalg.tridiagonal math.counting math.elementwise
    math.moments math.order math.reductions math.segments modules nests nn.convolution nn.nn
    nn.pooling pipelines random.draws random.dropout random.initializers random.stateless specs
    tapes
""".split()
for _chapter in CHAPTERS:
    import_module(f"gradtape.api.{_chapter}")
