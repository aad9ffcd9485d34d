"""Functions as graphs of primitives: traced once, optimised, run without Python in between.

tracing.py      a run of a function on tensors without values, which notes every op
graph.py        what is noted: nodes, values
passes/         graph to graph: the same results with less work
execute.py      graph to a flat Python function of arrays, with the kernels of a backend
replay.py       a graph's ops bound one by one, for interpreters that must see each
derivative.py   the reverse rule of a graph, as two graphs
apply.py        a graph called on tensors: which of these ways to take
routine.py      a traced function: graph, variables, random draws, results
control.py      loops and conditions whose course depends on values, as primitives
show.py         a graph as text
"""
