# Written by `python -m tools.stubs`: change the source, and run it again.
from keras import *
