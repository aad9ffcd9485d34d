"""The workloads as a PyTorch program: `with_torch.py torch WORKLOAD`."""

import sys

import mlp
import torch
from timing import report, seconds_per_call


def square():
    x = torch.tensor(3.0, requires_grad=True)

    def step():
        y = x**2
        return torch.autograd.grad(y, x)[0]

    return step, step().item()


def chain():
    x = torch.tensor(0.7, requires_grad=True)

    def step():
        y = x
        for _ in range(50):  # four operations each time
            y = torch.sin((y * 1.1 + 0.3) * x)
        return torch.autograd.grad(y, x)[0]

    return step, step().item()


def mlp_step():
    images, labels = map(torch.from_numpy, mlp.data())
    parameters = [torch.from_numpy(array).requires_grad_() for array in mlp.parameters()]
    w1, b1, w2, b2, w3, b3 = parameters

    def step():
        hidden = torch.relu(images @ w1 + b1)
        hidden = torch.relu(hidden @ w2 + b2)
        logits = hidden @ w3 + b3
        loss = torch.nn.functional.cross_entropy(logits, labels)
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter.sub_(gradient, alpha=mlp.LEARNING_RATE)
        return loss

    for _ in range(mlp.CHECKED_STEPS):
        loss = step()
    return step, loss.item()


if __name__ == "__main__":
    step, check = {"square": square, "chain": chain, "mlp": mlp_step}[sys.argv[2]]()
    report(torch.__version__, seconds_per_call(step), check)
