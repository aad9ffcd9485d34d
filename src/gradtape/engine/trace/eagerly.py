"""How functions are run: as graphs, unless the program wants all of them eagerly."""

from contextvars import ContextVar

settings = {"run_eagerly": False}
# Whether functions called here are part of the one being traced: in the function of a replica.
inlined: ContextVar[bool] = ContextVar("gradtape_inlined_functions", default=False)
