# SPDX-License-Identifier: MIT
"""Operations of a training step in mixed precision, as Hugging Face's models have PyTorch launch them."""
import torch
import torch.nn.functional as F

from cases import Case
from torch_operations import BF16, F32, of_inputs, random


def binary(operation, n, first, second):
    """An element-wise operation of two types, whose result has the wider one."""
    def make():
        a, b = random(n, dtype=first), random(n, dtype=second)
        return (lambda: operation(a, b)), None
    return make


def cast(n, source, target):
    def make():
        x = random(n, dtype=source)
        return (lambda: x.to(target)), None
    return make


def gradient(function, *shapes, dtype=F32):
    """The backward pass alone, of a function of these inputs."""
    def make():
        inputs = [random(*shape, dtype=dtype).requires_grad_() for shape in shapes]
        out = function(*inputs)
        grad = torch.randn_like(out)
        return (lambda: torch.autograd.grad(out, inputs, grad, retain_graph=True)), None
    return make


def adam(parameters):
    def make():
        weights = [random(parameters // 16).requires_grad_() for _ in range(16)]
        for weight in weights:
            weight.grad = torch.randn_like(weight)
        optimizer = torch.optim.AdamW(weights, lr=1e-4, fused=True)
        return optimizer.step, None
    return make


def attention(batch, heads, length, d, backward):
    def make():
        q, k, v = (random(batch, length, heads, d, dtype=BF16).transpose(1, 2).requires_grad_(backward)
                   for _ in range(3))

        def run():
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
        if not backward:
            return run, None
        out = run()
        grad = torch.randn_like(out)
        return (lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True)), None
    return make


def cases():
    found = []

    def case(name, make, **params):
        found.append(Case("training/" + name, params, make))
    for n in (1 << 20, 25165824):
        case("cast", cast(n, BF16, F32), n=n, dtype="bf16", to="f32")
        case("cast", cast(n, F32, BF16), n=n, dtype="f32", to="bf16")
        case("add", binary(torch.add, n, F32, BF16), n=n, dtype="f32", second="bf16")
        case("multiply", binary(torch.mul, n, F32, BF16), n=n, dtype="f32", second="bf16")
    for rows, columns in ((8192, 768), (4096, 4096)):
        size = dict(rows=rows, columns=columns)
        norm = (lambda width: lambda x, w, b: F.layer_norm(x, (width,), w, b))(columns)
        case("layer_norm", of_inputs(norm, (rows, columns), (columns,), (columns,)), dtype="f32", **size)
        case("layer_norm_backward", gradient(norm, (rows, columns), (columns,), (columns,)), dtype="f32", **size)
        case("column_sum", of_inputs(lambda x: x.sum(0), (rows, columns), dtype=BF16), dtype="bf16", **size)
    case("column_sum", of_inputs(lambda x: x.sum(0), (8192, 3072), dtype=BF16), dtype="bf16", rows=8192, columns=3072)
    case("row_mean", of_inputs(lambda x: x.pow(2).mean(-1, keepdim=True), (8192, 2048)), dtype="f32", rows=8192,
         columns=2048)
    case("log_softmax", of_inputs(lambda x: torch.log_softmax(x, 1), (8192, 50257)), dtype="f32", rows=8192,
         columns=50257)
    case("log_softmax_backward", gradient(lambda x: torch.log_softmax(x, 1), (8192, 50257)), dtype="f32", rows=8192,
         columns=50257)
    case("gelu_backward", gradient(F.gelu, (8192, 4096), dtype=BF16), dtype="bf16", rows=8192, columns=4096)
    case("adam", adam(1 << 27), parameters=1 << 27)
    for heads, length, d in ((12, 1024, 64), (16, 1024, 128), (32, 2048, 64)):
        for backward in (False, True):
            case("attention" + ("_backward" if backward else ""), attention(8, heads, length, d, backward), batch=8,
                 heads=heads, length=length, d=d, causal=1, dtype="bf16")
    return found
