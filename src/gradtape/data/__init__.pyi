# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.data import experimental as experimental
from gradtape.data.dataset import Dataset as Dataset
from gradtape.data.files.records import FixedLengthRecordDataset as FixedLengthRecordDataset
from gradtape.data.files.records import TFRecordDataset as TFRecordDataset
from gradtape.data.files.text import TextLineDataset as TextLineDataset
from gradtape.data.iterator import Iterator as Iterator
from gradtape.data.iterator import NumpyIterator as NumpyIterator
from gradtape.data.options import Options as Options
from gradtape.data.options import ThreadingOptions as ThreadingOptions
from gradtape.data.specs import DatasetSpec as DatasetSpec
from gradtape.data.specs import IteratorSpec as IteratorSpec

AUTOTUNE: int
INFINITE_CARDINALITY: int
UNKNOWN_CARDINALITY: int
