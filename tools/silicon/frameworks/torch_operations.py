# SPDX-License-Identifier: MIT
"""Operations of PyTorch and of the libraries below it (cuBLAS, cuDNN, FlashAttention), by shape."""
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from cases import Case

HALF, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
NAMES = {HALF: "f16", BF16: "bf16", F32: "f32", F64: "f64"}


def random(*shape, dtype=F32):
    return torch.randn(*shape, device="cuda", dtype=F32).to(dtype)


def of_inputs(operation, *shapes, dtype=F32):
    """`operation` of random tensors of these shapes."""
    def make():
        inputs = [random(*shape, dtype=dtype) for shape in shapes]
        return (lambda: operation(*inputs)), None
    return make


def matmul(m, n, k, dtype, tf32=False):
    def make():
        a, b = random(m, k, dtype=dtype), random(k, n, dtype=dtype)
        out = torch.empty(m, n, device="cuda", dtype=dtype)

        def launch():
            torch.backends.cuda.matmul.allow_tf32 = tf32
            torch.mm(a, b, out=out)
        return launch, None
    return make


def matmul_fp8(m, n, k):
    def make():
        a = random(m, k).to(torch.float8_e4m3fn)
        b = random(n, k).to(torch.float8_e4m3fn).t()
        one = torch.ones((), device="cuda")
        return (lambda: torch._scaled_mm(a, b, scale_a=one, scale_b=one, out_dtype=BF16)), None
    return make


def attention(backend, batch, heads, length, d, causal, keys=None, backward=False):
    def make():
        q = random(batch, heads, length, d, dtype=BF16)
        k, v = (random(batch, heads, keys or length, d, dtype=BF16) for _ in range(2))

        def forward():
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        if not backward:
            return forward, None
        for tensor in (q, k, v):
            tensor.requires_grad_()
        out = forward()
        grad = torch.randn_like(out)
        return (lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True)), None
    return make


def gather(entries, count, width):
    def make():
        table, index = random(entries, width), torch.randint(0, entries, (count,), device="cuda")
        return (lambda: torch.index_select(table, 0, index)), None
    return make


def scatter_add(entries, count):
    def make():
        out, values = torch.zeros(entries, device="cuda"), random(count)
        index = torch.randint(0, entries, (count,), device="cuda")
        return (lambda: out.scatter_add_(0, index, values)), None
    return make


def histogram(count, bins):
    def make():
        x = torch.rand(count, device="cuda")
        return (lambda: torch.histc(x, bins, 0.0, 1.0)), None
    return make


def cases():
    found = []

    def case(name, make, **params):
        found.append(Case("torch/" + name, params, make))
    for m, n, k, dtype in ((128, 128, 128, BF16), (512, 512, 512, BF16), (1024, 1024, 1024, BF16),
                           (2048, 2048, 2048, BF16), (4096, 4096, 4096, BF16), (8192, 8192, 8192, BF16),
                           (4096, 4096, 4096, HALF), (1, 4096, 4096, BF16), (8, 4096, 4096, BF16),
                           (16, 4096, 4096, BF16), (64, 4096, 4096, BF16), (128, 4096, 4096, BF16),
                           (256, 8192, 8192, BF16), (4096, 11008, 4096, BF16), (4096, 4096, 11008, BF16),
                           (1024, 1024, 1024, F32), (4096, 4096, 4096, F32), (2048, 2048, 2048, F64)):
        case("matmul", matmul(m, n, k, dtype), m=m, n=n, k=k, dtype=NAMES[dtype])
    case("matmul", matmul(4096, 4096, 4096, F32, tf32=True), m=4096, n=4096, k=4096, dtype="tf32")
    for size in (2048, 4096, 8192):
        case("matmul", matmul_fp8(size, size, size), m=size, n=size, k=size, dtype="e4m3")
    for backend, label in ((SDPBackend.FLASH_ATTENTION, "flash2"), (SDPBackend.CUDNN_ATTENTION, "cudnn")):
        for length, d, causal in ((512, 64, False), (1024, 64, False), (2048, 64, True), (1024, 128, False),
                                  (1024, 128, True), (4096, 128, False), (4096, 128, True), (16384, 128, True)):
            batch, heads = max(1, 16384 // length), 2048 // d
            params = dict(backend=label, batch=batch, heads=heads, length=length, d=d, causal=int(causal))
            case("attention", attention(backend, batch, heads, length, d, causal), **params)
            if length in (1024, 4096) and d == 128:
                case("attention_backward", attention(backend, batch, heads, length, d, causal, backward=True),
                     **params)
    case("attention_decode", attention(SDPBackend.FLASH_ATTENTION, 16, 32, 1, 128, False, keys=4096), batch=16,
         heads=32, length=1, keys=4096, d=128)
    case("attention_naive", attention(SDPBackend.MATH, 4, 16, 1024, 64, False), batch=4, heads=16, length=1024, d=64)
    for rows, columns in ((4096, 1024), (8192, 4096), (8192, 16384)):
        params = dict(rows=rows, columns=columns)
        case("softmax", of_inputs(lambda x: torch.softmax(x, 1), (rows, columns)), dtype="f32", **params)
        case("softmax", of_inputs(lambda x: torch.softmax(x, 1), (rows, columns), dtype=BF16), dtype="bf16", **params)
        case("layer_norm", of_inputs(lambda x: F.layer_norm(x, x.shape[1:]), (rows, columns), dtype=BF16), dtype="bf16",
             **params)
        case("rms_norm", of_inputs(lambda x: F.rms_norm(x, x.shape[1:]), (rows, columns), dtype=BF16), dtype="bf16",
             **params)
        case("sum_rows", of_inputs(lambda x: x.sum(1), (rows, columns)), dtype="f32", **params)
        case("sum_columns", of_inputs(lambda x: x.sum(0), (rows, columns)), dtype="f32", **params)
        case("transpose", of_inputs(lambda x: x.t().contiguous(), (rows, columns)), dtype="f32", **params)
    for n in (1 << 16, 1 << 20, 1 << 24, 1 << 27):
        case("add", of_inputs(torch.add, (n,), (n,)), n=n, dtype="f32")
        case("sum", of_inputs(torch.sum, (n,)), n=n, dtype="f32")
    for megabytes in (2, 4, 8, 12, 16, 20, 24, 32, 48, 64, 128, 512):
        n = megabytes << 18
        case("fill", of_inputs(lambda x: x.zero_(), (n,)), n=n, dtype="f32")
        case("copy", of_inputs(lambda x, y: y.copy_(x), (n,), (n,)), n=n, dtype="f32")
        case("negate", of_inputs(torch.neg, (n,)), n=n, dtype="f32")
    case("gelu", of_inputs(F.gelu, (1 << 26,), dtype=BF16), n=1 << 26, dtype="bf16")
    case("exp", of_inputs(torch.exp, (1 << 26,), dtype=F64), n=1 << 26, dtype="f64")
    case("cumsum", of_inputs(lambda x: torch.cumsum(x, 0), (1 << 24,)), n=1 << 24, dtype="f32")
    case("sort", of_inputs(lambda x: torch.sort(x), (1 << 22,)), n=1 << 22, dtype="f32")
    case("gather", gather(1 << 20, 1 << 18, 64), entries=1 << 20, count=1 << 18, width=64)
    case("gather", gather(1 << 24, 1 << 22, 1), entries=1 << 24, count=1 << 22, width=1)
    case("scatter_add", scatter_add(1 << 20, 1 << 22), entries=1 << 20, count=1 << 22)
    case("scatter_add", scatter_add(256, 1 << 22), entries=256, count=1 << 22)
    case("histogram", histogram(1 << 24, 256), count=1 << 24, bins=256)
    case("conv2d", of_inputs(lambda x, w: F.conv2d(x, w, padding=1), (32, 256, 56, 56), (256, 256, 3, 3), dtype=HALF),
         batch=32, channels=256, image=56, filter=3, dtype="f16")
    return found
