"""The backend by the name of Keras's for TensorFlow, for the parts of Keras that are written for
TensorFlow alone: they ask for the name, too. `gradtape.keras_plug` lists the parts that import it.
"""

from keras_gradtape.src import *  # noqa: F403
