"""NumPy's functions by NumPy's names, composed of ops: one home for all that offer them.

The functions take tensors (or what becomes one) that already have the dtype to compute in, and
keep it: which dtype that is when operands differ, or when integers meet a function of real
numbers, is the caller's rule. Python numbers adapt to the tensor beside them. Where NumPy's result
has a dtype of its own (truth values, indices) so have these; indices are int32.
"""

from gradtape.api.numpy_names.counting import *
from gradtape.api.numpy_names.creation import *
from gradtape.api.numpy_names.elementwise import *
from gradtape.api.numpy_names.indexing import *
from gradtape.api.numpy_names.joining import *
from gradtape.api.numpy_names.logic import *
from gradtape.api.numpy_names.manipulation import *
from gradtape.api.numpy_names.nan_aware import *
from gradtape.api.numpy_names.products import *
from gradtape.api.numpy_names.quantiles import *
from gradtape.api.numpy_names.reductions import *
