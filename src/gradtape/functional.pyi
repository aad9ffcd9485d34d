# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape import grad as grad
from gradtape import hessian as hessian
from gradtape import hvp as hvp
from gradtape import jacobian as jacobian
from gradtape import jvp as jvp
from gradtape import per_example_gradients as per_example_gradients
from gradtape import value_and_grad as value_and_grad
from gradtape import vjp as vjp
from gradtape import vmap as vmap
