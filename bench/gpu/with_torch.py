"""The programs as PyTorch users write them: torch.compile of the loss or eager, fused Adam."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from arrays import ADAM, MLP_SIZES, chain_data, gpt2_data, gpt2_parameters, mlp_data, mlp_parameters

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
torch.backends.cuda.matmul.allow_tf32 = True  # as the others


def wait(value) -> float:
    return float(value)


def _tensor(array):
    return torch.from_numpy(array).to(DEVICE)


def _trained(parameters, loss_of, data, compiled=True):
    p = {name: _tensor(array).requires_grad_() for name, array in parameters.items()}
    betas = (ADAM["beta_1"], ADAM["beta_2"])
    optimizer = torch.optim.Adam(
        p.values(), ADAM["rate"], betas, ADAM["epsilon"], fused=DEVICE == "cuda"
    )
    data = [_tensor(array).long() if array.dtype == "int32" else _tensor(array) for array in data]
    if compiled:
        loss_of = torch.compile(loss_of)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(p, *data)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def gpt2(size):
    def loss_of(p, tokens, targets):
        def half(name):
            return p[name].to(torch.bfloat16)

        def dense(x, name):
            return x @ half(f"{name}.weights") + half(f"{name}.bias")

        def normed(x, name):
            shape = (size.width,)
            y = F.layer_norm(x.float(), shape, p[f"{name}.scale"], p[f"{name}.shift"], 1e-5)
            return y.to(x.dtype)

        def heads(x):
            shape = (size.batch, size.length, size.heads, size.width // size.heads)
            return x.reshape(shape).transpose(1, 2)

        table = half("tokens")
        x = F.embedding(tokens, table) + half("positions")
        for i in range(size.layers):
            q, k, v = map(heads, dense(normed(x, f"{i}.norm_1"), f"{i}.qkv").chunk(3, -1))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            y = y.transpose(1, 2).reshape(size.batch, size.length, size.width)
            x = x + dense(y, f"{i}.joined")
            y = dense(normed(x, f"{i}.norm_2"), f"{i}.up")
            x = x + dense(F.gelu(y, approximate="tanh"), f"{i}.down")
        logits = (normed(x, "norm") @ table.T).float()
        return F.cross_entropy(logits.reshape(-1, size.vocabulary), targets.reshape(-1))

    return _trained(gpt2_parameters(size), loss_of, gpt2_data(size))


def _chain_value(x):
    return torch.sum(torch.tanh(x) * torch.exp(-x * x) + torch.sigmoid(x))


def chain(size):
    x = _tensor(chain_data(size)).requires_grad_()
    value = torch.compile(_chain_value)
    return lambda: torch.autograd.grad(value(x), x)[0][0]


def eager_chain(size):
    x = _tensor(chain_data(size)).requires_grad_()
    return lambda: torch.autograd.grad(_chain_value(x), x)[0][0]


def eager_square(size):
    x = torch.tensor(3.0, device=DEVICE).requires_grad_()
    return lambda: torch.autograd.grad(x**2, x)[0]


def eager_mlp(size):
    return mlp(size, compiled=False)


def mlp(size, compiled=True):
    last = len(MLP_SIZES) - 2

    def loss_of(p, x, labels):
        for i in range(last + 1):
            x = x @ p[f"{i}.weights"] + p[f"{i}.bias"]
            x = x if i == last else F.relu(x)
        return F.cross_entropy(x, labels)

    return _trained(mlp_parameters(), loss_of, mlp_data(), compiled)
