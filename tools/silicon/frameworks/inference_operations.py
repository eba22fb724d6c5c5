# SPDX-License-Identifier: MIT
"""Operations of a Llama block in BF16 without gradients, as Hugging Face's model has PyTorch launch them.

The rotary embedding and the norms read with strides or one value for many elements: PyTorch runs another kernel for
those than for plain arrays.
"""
import torch
import torch.nn.functional as F

from cases import Case
from torch_operations import BF16, F32, random


def of(operation, *makers):
    """`operation` of what the makers make."""
    def make():
        inputs = [maker() for maker in makers]
        return (lambda: operation(*inputs)), None
    return make


def array(*shape, dtype=BF16):
    return lambda: random(*shape, dtype=dtype)


def by_head(tokens, heads, d):
    """As a product leaves it: token by token; seen as head by head."""
    return lambda: random(1, tokens, heads, d, dtype=BF16).transpose(1, 2)


def repeated(groups):
    def repeat(x):
        batch, heads, tokens, d = x.shape
        return x[:, :, None].expand(batch, heads, groups, tokens, d).reshape(batch, heads * groups, tokens, d)
    return repeat


def upper_half(x):
    return -x[..., x.shape[-1] // 2:]


def rotated(x, y):
    return torch.cat((y, x[..., :x.shape[-1] // 2]), dim=-1)


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def block(case, tokens, heads, kv_heads, d, inner):
    hidden = heads * d
    size = dict(tokens=tokens, heads=heads, kv_heads=kv_heads, d=d)
    query, table = by_head(tokens, heads, d), array(1, 1, tokens, d)
    case("rotary_multiply", of(torch.mul, query, table), **size)
    case("rotary_negate", of(upper_half, query), **size)
    case("rotary_join", of(rotated, query, array(1, heads, tokens, d // 2)), **size)
    case("rotary_add", of(torch.add, query, array(1, heads, tokens, d)), **size)
    case("repeat_heads", of(repeated(heads // kv_heads), array(1, kv_heads, tokens, d)), **size)
    case("attention", of(attention, query, query, query), **size)
    plain = dict(rows=tokens, columns=hidden)
    case("norm_cast", of(lambda x: x.to(F32), array(tokens, hidden)), **plain)
    case("norm_square", of(lambda x: x.pow(2), array(tokens, hidden, dtype=F32)), **plain)
    case("norm_mean", of(lambda x: x.mean(-1, keepdim=True), array(tokens, hidden, dtype=F32)), **plain)
    case("norm_root", of(torch.rsqrt, array(tokens, 1, dtype=F32)), **plain)
    case("norm_scale", of(torch.mul, array(tokens, hidden, dtype=F32), array(tokens, 1, dtype=F32)), **plain)
    case("norm_narrow", of(lambda x: x.to(BF16), array(tokens, hidden, dtype=F32)), **plain)
    case("norm_weight", of(torch.mul, array(hidden), array(tokens, hidden)), **plain)
    case("residual", of(torch.add, array(tokens, hidden), array(tokens, hidden)), **plain)
    wide = dict(rows=tokens, columns=inner)
    case("silu", of(F.silu, array(tokens, inner)), **wide)
    case("gate", of(torch.mul, array(tokens, inner), array(tokens, inner)), **wide)
    for m, n, k in ((tokens, hidden, hidden), (tokens, kv_heads * d, hidden), (tokens, inner, hidden),
                    (tokens, hidden, inner)):
        case("linear", of(F.linear, array(m, k), array(n, k)), m=m, n=n, k=k)


def cases():
    found = []

    def case(name, make, **params):
        found.append(Case("inference/" + name, params | {"dtype": "bf16"}, make))
    block(case, tokens=512, heads=32, kv_heads=8, d=64, inner=8192)
    block(case, tokens=2048, heads=32, kv_heads=8, d=128, inner=14336)
    return found
