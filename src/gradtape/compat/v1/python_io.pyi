# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.compat.v1.io import tf_record_iterator as tf_record_iterator
