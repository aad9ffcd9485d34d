# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.lookup.mutable_tables import DenseHashTable as DenseHashTable
from gradtape.api.lookup.mutable_tables import MutableHashTable as MutableHashTable
