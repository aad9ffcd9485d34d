"""PyTorch. Images are kept in its channels_last layout, which is the quicker one on a CPU."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional

from libraries import Unavailable


class Library:
    """The operations in PyTorch's terms."""

    def __init__(self, name: str, form: str) -> None:
        self.name, self.form = name, form
        self.version = torch.__version__
        self.compiled = torch.compile if form == "compile" else (lambda f: f)
        self.sin, self.exp, self.tanh, self.sigmoid = (
            torch.sin,
            torch.exp,
            torch.tanh,
            torch.sigmoid,
        )
        self.relu, self.softplus = torch.relu, functional.softplus
        self.sum, self.mean, self.square = torch.sum, torch.mean, torch.square
        self.reshape, self.transpose = torch.reshape, torch.permute
        self.matmul = torch.matmul

    def constant(self, array: np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(array))

    def image(self, array: np.ndarray):
        return self.constant(array).permute(0, 3, 1, 2)  # NHWC in memory

    def parameter(self, array: np.ndarray):
        return self.constant(array.copy()).requires_grad_()

    def kernel(self, array: np.ndarray):
        """Of a convolution: from HWIO to OIHW, in the layout of images."""
        return self.constant(array.transpose(3, 0, 1, 2)).permute(0, 3, 1, 2).requires_grad_()

    def image_parameter(self, array: np.ndarray):
        return self.image(array).requires_grad_()

    def numpy(self, x) -> np.ndarray:
        return x.detach().to_dense().numpy()

    def take(self, table, indices):
        return functional.embedding(indices, table)

    def softmax(self, x):
        return torch.softmax(x, -1)

    def gelu(self, x):
        return functional.gelu(x, approximate="tanh")

    def cross_entropy(self, logits, labels):
        return functional.cross_entropy(
            logits.reshape(-1, logits.shape[-1]), labels.reshape(-1).long()
        )

    def layer_norm(self, x, scale, shift):
        return functional.layer_norm(x, x.shape[-1:], scale, shift)

    def batch_norm(self, x, scale, shift):
        return functional.batch_norm(x, None, None, scale, shift, training=True)

    def conv(self, x, kernel, padding: str):
        return functional.conv2d(x, kernel, padding=padding.lower())

    def max_pool(self, x):
        return functional.max_pool2d(x, 2)

    def flat(self, x):
        return x.permute(0, 2, 3, 1).reshape(x.shape[0], -1)

    def attention(self, q, k, v, causal: bool):
        return functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    def lstm(self, x, kernel, recurrent, bias):
        """PyTorch's own layer; torch.compile does not take that one, and gets the loop."""
        if self.form == "compile":
            return _lstm_by_steps(x, kernel, recurrent, bias)
        state = x.new_zeros(1, x.shape[0], recurrent.shape[0])
        weights = [kernel.T, recurrent.T, bias, torch.zeros_like(bias)]
        return torch.lstm(x, (state, state), weights, True, 1, 0.0, True, False, True)[1][0]

    def gradients(self, function, parameters, *data):
        function = self.compiled(function)
        return lambda: torch.autograd.grad(function(parameters, *data), parameters)

    def train(self, loss, parameters, rate: float, *data):
        loss = self.compiled(loss)

        def step():
            value = loss(parameters, *data)
            gradients = torch.autograd.grad(value, parameters)
            with torch.no_grad():
                torch._foreach_add_(parameters, gradients, alpha=-rate)
            return value

        return step

    def scalar(self, function, at: float):
        x = torch.tensor(at, requires_grad=True)
        function = self.compiled(function)
        return lambda: torch.autograd.grad(function(x), x)[0]

    def loop(self, body, count: int):
        if self.form == "compile":
            raise Unavailable(f"torch.compile unrolls the {count} turns of the loop")

        def run(x):
            y = x
            for _ in range(count):
                y = body(y, x)
            return y

        return run

    def sparse_train(self, loss, table, rate: float, indices, *data):
        loss = self.compiled(loss)

        def step():
            rows = functional.embedding(indices, table, sparse=True)
            value = loss(rows, *data)
            gradient = torch.autograd.grad(value, table)[0]
            with torch.no_grad():
                table.add_(gradient, alpha=-rate)
            return value

        return step

    def adam(self, parameters, gradients, rate: float):
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient
        if self.form == "compile":
            optimizer = torch.optim.Adam(parameters, rate, eps=1e-7)
        else:
            optimizer = torch.optim.Adam(parameters, rate, eps=1e-7, fused=True)
        update = self.compiled(optimizer.step)

        def step():
            update()
            return parameters[0]

        return step

    def jacobian(self, function, at: np.ndarray):
        x = torch.from_numpy(at)
        jacobian = self.compiled(torch.func.jacrev(function))
        return lambda: jacobian(x)

    def hessian(self, function, at: np.ndarray):
        x = torch.from_numpy(at)
        hessian = self.compiled(torch.func.hessian(function))
        return lambda: hessian(x)


def _lstm_by_steps(x, kernel, recurrent, bias):
    h = c = x.new_zeros(x.shape[0], recurrent.shape[0])
    for step in (x @ kernel + bias).unbind(1):
        i, f, g, o = (step + h @ recurrent).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return h
