# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.compat.v1 import control_flow_v2_enabled as _control_flow_v2_enabled

enabled = _control_flow_v2_enabled
