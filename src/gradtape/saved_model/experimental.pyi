# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.saved_model.options import VariablePolicy as VariablePolicy
