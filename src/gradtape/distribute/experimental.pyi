# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.distribute.strategy.options import CommunicationImplementation as CommunicationImplementation
from gradtape.distribute.strategy.options import CommunicationOptions as CommunicationOptions
from gradtape.distribute.strategy.strategies import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from gradtape.distribute.strategy.strategies import ValueContext as ValueContext
from gradtape.distribute.strategy.tpu import TPUStrategy as TPUStrategy
