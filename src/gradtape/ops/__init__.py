"""The primitives with all their rules, and the op functions that bind them.

Rules call each other's ops as `ops.name`; importing this package defines them all.
"""

# This package exports what its modules define.
# pyright: reportUnusedImport=false

from gradtape.core.convert import (
    is_tensor_like,
    operands,
    static_int,
    static_ints,
    static_value,
    to_tensor,
)
from gradtape.core.errors import DTypeError, InvalidArgumentError, ShapeError
from gradtape.core.tensor import Tensor
from gradtape.ops import operators
from gradtape.ops.activations import *
from gradtape.ops.attention import *
from gradtape.ops.bits import *
from gradtape.ops.collectives import *
from gradtape.ops.complexes import *
from gradtape.ops.conv import *
from gradtape.ops.creation import *
from gradtape.ops.cumulative import *
from gradtape.ops.decompositions import *
from gradtape.ops.diagonals import *
from gradtape.ops.einsum import *
from gradtape.ops.elementwise import *
from gradtape.ops.fft import *
from gradtape.ops.gather import *
from gradtape.ops.gelu import *
from gradtape.ops.host import *
from gradtape.ops.indexing import *
from gradtape.ops.joining import *
from gradtape.ops.linalg import *
from gradtape.ops.moments import *
from gradtape.ops.moving_slices import *
from gradtape.ops.nn import *
from gradtape.ops.normalize import *
from gradtape.ops.padding import *
from gradtape.ops.pool import *
from gradtape.ops.random import *
from gradtape.ops.recurrent import *
from gradtape.ops.reduce import *
from gradtape.ops.rounding import *
from gradtape.ops.rows import *
from gradtape.ops.segment import *
from gradtape.ops.shape import *
from gradtape.ops.slicing import *
from gradtape.ops.solve import *
from gradtape.ops.sort import *
from gradtape.ops.special import *

operators.install(Tensor)
