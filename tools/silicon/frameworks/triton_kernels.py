# SPDX-License-Identifier: MIT
"""Triton kernels of our own and the launches that are measured. Each launch checks its result against PyTorch."""
import torch
import triton
import triton.language as tl

from cases import Case


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def gelu_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    v = tl.load(x + at, mask=inside).to(tl.float32)
    result = 0.5 * v * (1.0 + tl.erf(v * 0.70710678))
    tl.store(out + at, result.to(out.dtype.element_ty), mask=inside)


@triton.jit
def softmax_kernel(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row + at, (e / tl.sum(e, 0)).to(out.dtype.element_ty), mask=at < columns)


@triton.jit
def layer_norm_kernel(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / columns
    centred = tl.where(inside, v - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(centred * centred, 0) / columns + eps)
    w = tl.load(weight + at, mask=inside).to(tl.float32)
    b = tl.load(bias + at, mask=inside).to(tl.float32)
    tl.store(out + row + at, (centred * scale * w + b).to(out.dtype.element_ty), mask=inside)


@triton.jit
def rms_norm_kernel(x, weight, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    at = tl.arange(0, BLOCK)
    inside = at < columns
    v = tl.load(x + row + at, mask=inside, other=0.0).to(tl.float32)
    scale = 1.0 / tl.sqrt(tl.sum(v * v, 0) / columns + eps)
    w = tl.load(weight + at, mask=inside).to(tl.float32)
    tl.store(out + row + at, (v * scale * w).to(out.dtype.element_ty), mask=inside)


@triton.jit
def column_sum_kernel(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    r = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    v = tl.load(x + r[:, None] * columns + c[None, :], mask=inside, other=0.0)
    tl.atomic_add(out + c, tl.sum(v, 0), mask=c < columns)


@triton.jit
def gemv_kernel(a, x, out, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tile = tl.load(a + r[:, None].to(tl.int64) * columns + at[None, :]).to(tl.float32)
        total += tl.sum(tile * tl.load(x + at).to(tl.float32)[None, :], 1)
    tl.store(out + r, total.to(out.dtype.element_ty))


@triton.jit
def embedding_kernel(table, index, out, width, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    source = tl.load(index + row) * width
    at = tl.arange(0, BLOCK)
    tl.store(out + row * width + at, tl.load(table + source + at, mask=at < width), mask=at < width)


@triton.jit
def matmul_kernel(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    tiles_m = tl.cdiv(m, BM)
    tiles_n = tl.cdiv(n, BN)
    tile = tl.program_id(0)
    group = tile // (GROUP * tiles_n)
    height = min(tiles_m - group * GROUP, GROUP)
    tm = group * GROUP + (tile % (GROUP * tiles_n)) % height
    tn = (tile % (GROUP * tiles_n)) // height
    rm = tm * BM + tl.arange(0, BM)
    rn = tn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + (rm % m)[:, None] * k + rk[None, :]
    pb = b + rk[:, None] * n + (rn % n)[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, tl.cdiv(k, BK)):
        left = k - start * BK
        total = tl.dot(tl.load(pa, mask=rk[None, :] < left, other=0.0),
                       tl.load(pb, mask=rk[:, None] < left, other=0.0), total)
        pa += BK
        pb += BK * n
    inside = (rm[:, None] < m) & (rn[None, :] < n)
    tl.store(c + rm[:, None] * n + rn[None, :], total.to(c.dtype.element_ty), mask=inside)


@triton.jit
def attention_kernel(q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
                     CAUSAL: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * length * D
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    tile_q = tl.load(q + base + rm[:, None] * D + rd[None, :])
    most = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    factor = scale * 1.44269504
    end = (tl.program_id(0) + 1) * BM if CAUSAL else length
    for start in range(0, end, BN):
        tile_k = tl.load(k + base + (start + rn)[None, :] * D + rd[:, None])
        s = tl.dot(tile_q, tile_k) * factor
        if CAUSAL:
            s = tl.where(rm[:, None] >= (start + rn)[None, :], s, -float("inf"))
        now = tl.maximum(most, tl.max(s, 1))
        p = tl.exp2(s - now[:, None])
        shrink = tl.exp2(most - now)
        total = total * shrink + tl.sum(p, 1)
        tile_v = tl.load(v + base + (start + rn)[:, None] * D + rd[None, :])
        acc = tl.dot(p.to(tile_v.dtype), tile_v, acc * shrink[:, None])
        most = now
    tl.store(out + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(out.dtype.element_ty))


def random(*shape, dtype=torch.float32):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)


def elementwise(kernel, inputs, n, dtype, expected, block=1024, warps=4):
    def make():
        xs = [random(n, dtype=dtype) for _ in range(inputs)]
        out = torch.empty(n, device="cuda", dtype=dtype)
        return (lambda: kernel[(triton.cdiv(n, block),)](*xs, out, n, BLOCK=block, num_warps=warps),
                lambda: (out, expected(*xs)))
    return make


def rows_of(kernel, rows, columns, dtype, expected, extra=0, eps=None, warps=8):
    def make():
        x = random(rows, columns, dtype=dtype)
        weights = [random(columns, dtype=dtype) for _ in range(extra)]
        out = torch.empty_like(x)
        scalars = [columns] + ([eps] if eps else [])
        block = triton.next_power_of_2(columns)
        return (lambda: kernel[(rows,)](x, *weights, out, *scalars, BLOCK=block, num_warps=warps),
                lambda: (out, expected(x, *weights)))
    return make


def column_sum(rows, columns, tile_rows=256, tile_columns=64):
    def make():
        x = random(rows, columns)
        out = torch.zeros(columns, device="cuda")
        grid = (triton.cdiv(columns, tile_columns), triton.cdiv(rows, tile_rows))

        def check():
            out.zero_()
            launch()
            return out, x.sum(0)

        def launch():
            return column_sum_kernel[grid](x, out, rows, columns, ROWS=tile_rows, COLUMNS=tile_columns, num_warps=8)
        return launch, check
    return make


def gemv(rows, columns, dtype):
    def make():
        a, x = random(rows, columns, dtype=dtype), random(columns, dtype=dtype)
        out = torch.empty(rows, device="cuda", dtype=dtype)
        return (lambda: gemv_kernel[(rows // 8,)](a, x, out, columns, ROWS=8, BLOCK=512, num_warps=4),
                lambda: (out, a @ x))
    return make


def embedding(entries, width, count):
    def make():
        table = random(entries, width, dtype=torch.float16)
        index = torch.randint(0, entries, (count,), device="cuda")
        out = torch.empty(count, width, device="cuda", dtype=torch.float16)
        return (lambda: embedding_kernel[(count,)](table, index, out, width, BLOCK=triton.next_power_of_2(width)),
                lambda: (out, table[index]))
    return make


def matmul(m, n, k, dtype, tile, warps, stages):
    def make():
        a, b = random(m, k, dtype=dtype), random(k, n, dtype=dtype)
        c = torch.empty(m, n, device="cuda", dtype=dtype)
        bm, bn, bk = tile
        grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
        return (lambda: matmul_kernel[grid](a, b, c, m, n, k, BM=bm, BN=bn, BK=bk, GROUP=8, num_warps=warps,
                                            num_stages=stages), lambda: (c, a @ b))
    return make


def attention(batch, heads, length, d, causal, tile=(128, 64), warps=8, stages=3):
    def make():
        q, k, v = (random(batch, heads, length, d, dtype=torch.bfloat16) for _ in range(3))
        out = torch.empty_like(q)
        bm, bn = tile
        grid = (length // bm, batch * heads)
        return (lambda: attention_kernel[grid](q, k, v, out, length, d ** -0.5, D=d, BM=bm, BN=bn, CAUSAL=causal,
                                               num_warps=warps, num_stages=stages),
                lambda: (out, torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)))
    return make


def cases():
    half, bf16, f32 = torch.float16, torch.bfloat16, torch.float32
    softmax = lambda x: torch.softmax(x.float(), 1)
    gelu = torch.nn.functional.gelu
    norm = lambda x, w, b: torch.nn.functional.layer_norm(x, x.shape[1:], w, b, 1e-5)
    rms = lambda x, w: torch.nn.functional.rms_norm(x, x.shape[1:], w, 1e-5)
    found = []

    def case(name, make, tolerance=2e-2, **params):
        found.append(Case("triton/" + name, params, make, tolerance))
    for n in (1 << 16, 1 << 20, 1 << 24, 1 << 26):
        case("add", elementwise(add_kernel, 2, n, f32, torch.add), 1e-6, n=n, dtype="f32")
    case("gelu", elementwise(gelu_kernel, 1, 1 << 25, bf16, gelu), n=1 << 25, dtype="bf16")
    for rows, columns in ((4096, 1024), (4096, 4096), (8192, 12288)):
        case("softmax", rows_of(softmax_kernel, rows, columns, half, softmax), rows=rows, columns=columns, dtype="f16")
        case("layer_norm", rows_of(layer_norm_kernel, rows, columns, half, norm, 2, 1e-5), rows=rows, columns=columns,
             dtype="f16")
    case("rms_norm", rows_of(rms_norm_kernel, 8192, 4096, bf16, rms, 1, 1e-5), rows=8192, columns=4096, dtype="bf16")
    case("column_sum", column_sum(8192, 4096), 1e-4, rows=8192, columns=4096, dtype="f32")
    for rows, columns in ((4096, 4096), (16384, 8192)):
        case("gemv", gemv(rows, columns, bf16), rows=rows, columns=columns, dtype="bf16")
    case("embedding", embedding(50304, 1024, 16384), 1e-6, entries=50304, width=1024, count=16384, dtype="f16")
    small, large, wide = (64, 64, 32), (128, 128, 64), (128, 256, 64)
    for m, n, k, tile, warps, stages in ((512, 512, 512, small, 4, 3), (1024, 1024, 1024, large, 8, 3),
                                         (2048, 2048, 2048, large, 8, 3), (4096, 4096, 4096, large, 8, 3),
                                         (4096, 4096, 4096, large, 4, 4), (8192, 8192, 8192, wide, 8, 3),
                                         (4096, 4096, 4096, small, 4, 4), (16, 4096, 4096, (16, 64, 64), 4, 5)):
        case("matmul", matmul(m, n, k, bf16, tile, warps, stages), m=m, n=n, k=k, dtype="bf16",
             tile="x".join(map(str, tile)), warps=warps, stages=stages)
    case("matmul", matmul(2048, 2048, 2048, f32, (128, 128, 32), 8, 3), m=2048, n=2048, k=2048, dtype="tf32",
         tile="128x128x32", warps=8, stages=3)
    for length, d, causal in ((1024, 64, False), (2048, 64, True), (1024, 128, False), (2048, 128, True),
                              (4096, 128, False), (4096, 128, True)):
        batch, heads = max(1, 8192 // length), 2048 // d
        case("attention", attention(batch, heads, length, d, causal), batch=batch, heads=heads, length=length, d=d,
             causal=int(causal), dtype="bf16")
    return found
