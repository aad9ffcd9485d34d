"""Functions as graphs of primitives: traced once, optimized, run without Python in between.

tracing.py      runs a function on tensors without values and records every op
traced.py       the tensors without values
graph.py        what is recorded: nodes and values
open_sizes.py   graphs that are valid for all sizes, and what becomes of them for given ones
known_sizes.py  integers of a trace that are computed from sizes
passes/         graph to graph: the same results with less work
control/        branches, loops, scans and effects: primitives that contain graphs
execute.py      turns a graph into a flat Python function of arrays, with a backend's kernels
flat.py         finds nodes that native code runs as one call
replay.py       binds a graph's ops one by one, for interpreters that must see each
derivative.py   the pullback (vjp) of a graph, split into a forward and a backward graph
derived.py      vjp, jvp and batched graphs of a graph, for primitives that contain graphs
offsets.py      what an integer in a trace was computed from, for the size of a slice
apply.py        calls a graph on tensors: executed as one op, or replayed op by op
routine.py      a traced function: graph, variables, random draws, results
stages.py       a function whose shapes depend on values: cut into graphs, traced one after another
signature.py    the cache key of a call: which arguments share a trace
replicas.py     a function in every replica of a strategy, as one op
lookahead/      reads the source to predict whether a trace would fail
show.py         prints a graph as text

Which backend runs a routine is decided above this package, in `backends/xla/runtime/choose.py`.
"""
