# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.distribute.process.resolvers import ClusterResolver as ClusterResolver
from gradtape.distribute.process.resolvers import SimpleClusterResolver as SimpleClusterResolver
from gradtape.distribute.process.resolvers import SlurmClusterResolver as SlurmClusterResolver
from gradtape.distribute.process.resolvers import TFConfigClusterResolver as TFConfigClusterResolver
from gradtape.distribute.strategy.tpu import TPUClusterResolver as TPUClusterResolver
