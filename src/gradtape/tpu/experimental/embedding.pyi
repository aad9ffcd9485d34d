# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.distribute.strategy.tpu_embedding import Adagrad as Adagrad
from gradtape.distribute.strategy.tpu_embedding import Adam as Adam
from gradtape.distribute.strategy.tpu_embedding import FTRL as FTRL
from gradtape.distribute.strategy.tpu_embedding import FeatureConfig as FeatureConfig
from gradtape.distribute.strategy.tpu_embedding import SGD as SGD
from gradtape.distribute.strategy.tpu_embedding import SparseCoreEmbeddingConfig as SparseCoreEmbeddingConfig
from gradtape.distribute.strategy.tpu_embedding import TPUEmbedding as TPUEmbedding
from gradtape.distribute.strategy.tpu_embedding import TPUEmbeddingV2 as TPUEmbeddingV2
from gradtape.distribute.strategy.tpu_embedding import TableConfig as TableConfig
