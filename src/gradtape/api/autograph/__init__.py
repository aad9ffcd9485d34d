"""AutoGraph: Python control flow that depends on tensors becomes ops of the graph.

`convert.py` rewrites the source of a function (through diastatic-malt, the converter that
TensorFlow uses), so that each `if`, `while`, `for`, `and`, `or`, `not` is a call of a function
here. Those run Python's statement where the condition is a Python value, and trace `cond` or a
loop where it is a tensor.
"""
