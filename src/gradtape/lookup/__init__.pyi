# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.lookup.initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from gradtape.api.lookup.initializers import TextFileIndex as TextFileIndex
from gradtape.api.lookup.initializers import TextFileInitializer as TextFileInitializer
from gradtape.api.lookup.static_tables import StaticHashTable as StaticHashTable
from gradtape.api.lookup.static_tables import StaticVocabularyTable as StaticVocabularyTable
from gradtape.lookup import experimental as experimental
