# SPDX-License-Identifier: MIT
"""The launches that were measured, as gpusim takes them: arguments and inputs of each experiment by its parameters.

Inputs are those that the experiments fill in, with the same distribution; where the places that a kernel touches depend
on them (a matrix, a tree, skewed keys), they are made here as the experiments make them.
"""
import array
import math
import re

MASK = (1 << 64) - 1
RANDOM = "uniform(-1, 1)"
HIDDEN = "_ZN6gpusim7silicon"


def plain(symbol):
    """A symbol without the name of its anonymous namespace, which changes from one compilation to the next."""
    if not symbol.startswith(HIDDEN):
        return symbol
    digits = re.match(r"\d+", symbol[len(HIDDEN):])[0]
    return symbol[len(HIDDEN) + len(digits) + int(digits):]


def write_npy(path, typecode, dtype, values):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        array.array(typecode, values).tofile(file)


def u32_file(folder, name, make):
    path = folder / (name + ".npy")
    if not path.exists():
        write_npy(path, "I", "<u4", make())
    return str(path)


def floats(count, fill=RANDOM):
    return f"f32[{count}]:{fill}"


def mixed(x):
    x ^= x >> 30
    x = x * 0xbf58476d1ce4e5b9 & MASK
    x ^= x >> 27
    x = x * 0x94d049bb133111eb & MASK
    return x ^ (x >> 31)


def random_words(count, seed):
    """Buffer<std::uint32_t>::fill()."""
    start = mixed(seed)
    return [mixed(start + i & MASK) >> 32 for i in range(count)]


def trips(p, launch, elements_a_thread):
    return p // (launch["grid"][0] * launch["block"][0] * elements_a_thread)


def saxpy(p, launch, folder):
    return [p["n"], "f32:0.75", floats(p["n"]), floats(p["n"])]


def copy(p, launch, folder):
    n = p["bytes"] // 4
    return [floats(n), floats(n, "zeros"), trips(p["bytes"], launch, p["width"] * p["items"])]


def stream_read(p, launch, folder):
    return [floats(p["bytes"] // 4), floats(p["ctas"] * 256, "zeros"), trips(p["bytes"], launch, 64), "f32:inf"]


def strided_copy(p, launch, folder):
    n = p["footprint"] // 4
    return [floats(n), floats(n, "zeros"), p["stride"], trips(n, launch, p["stride"])]


def square(p, launch, folder):
    n = p["n"] * p["n"]
    return [floats(n), floats(n, "zeros"), p["n"]]


def reduction(p, launch, folder):
    n = p["n"]
    if p["variant"] == "vectorised":
        return [floats(n), floats(1, "zeros"), trips(n, launch, 8)]
    return [floats(n), floats(n // 256, "zeros")]


def softmax(p, launch, folder):
    n = p["rows"] * p["columns"]
    return [floats(n), floats(n, "zeros")]


def layer_norm(p, launch, folder):
    n = p["rows"] * p["columns"]
    return [floats(n), floats(p["columns"]), floats(p["columns"]), floats(n, "zeros")]


def histogram(p, launch, folder):
    n = p["n"]
    keys = f"u32[{n}]:uniform(0, 256)"
    if p["keys"] == "skewed":
        keys = u32_file(folder, f"skewed-{n}", lambda: [32 - word.bit_length() for word in random_words(n, 1)])
    return [keys, "u32[256]:zeros", trips(n, launch, 4)]


def gather(p, launch, folder):
    n = p["table_bytes"] // p["width"]
    words = p["table_bytes"] // 4
    return [floats(words), f"u32[{n}]:uniform(0, {n})", floats(words, "zeros")]


def uniform(seed):
    bits = (seed + 1) * 0x9e3779b97f4a7c15 & MASK
    bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9 & MASK
    return (((bits ^ (bits >> 32)) >> 12) + 0.5) * 2.0**-52


def make_matrix(rows):
    begins, columns = [0], []
    for row in range(rows):
        root = math.sqrt(uniform(row))
        length = int(min(2048, 4 / (root * math.sqrt(root))))
        interval = rows / length
        first = begins[-1] + (1 << 40)
        columns += [min(rows - 1, int((k + uniform(first + k)) * interval)) for k in range(length)]
        begins.append(len(columns))
    return begins, columns


def spmv_csr(p, launch, folder):
    rows = p["rows"]
    if not (folder / f"columns-{rows}.npy").exists():
        begins, columns = make_matrix(rows)
        u32_file(folder, f"begins-{rows}", lambda: begins)
        u32_file(folder, f"columns-{rows}", lambda: columns)
    return [str(folder / f"begins-{rows}.npy"), str(folder / f"columns-{rows}.npy"), floats(p["elements"]),
            floats(rows), floats(rows, "zeros")]


def make_nodes():
    nodes = []
    for i, word in enumerate(random_words((1 << 15) - 1, 2)):
        level = (i + 1).bit_length() - 1
        leaf = level == 14 or (level >= 3 and word & 6 == 0)
        value = (word >> 8) * 2.0**-24
        nodes += [int.from_bytes(array.array("f", [value]).tobytes(), "little"), word & 1 | (2 if leaf else 0)]
    return nodes


def divergent_tree(p, launch, folder):
    n = p["n"]
    keys = f"u32[{n}]:iota(0, {2**32 // n})" if p["keys"] == "sorted" else f"u32[{n}]:uniform(0, 4294967296)"
    return [u32_file(folder, "nodes", make_nodes), keys, floats(n, "zeros")]


def sgemm(p, launch, folder):
    m, n, k = p["m"], p["n"], p["k"]
    return [f"{{a={floats(m * k)}, b={floats(k * n)}, c={floats(m * n, 'zeros')}, {m}, {n}, {k}, f32:0.5}}"]


def gemm_arguments(p, shape_a, shape_b, fill):
    m, n, k = p["m"], p["n"], p["k"]
    return f"{{a=bf16[{shape_a}]:{fill}, b=bf16[{shape_b}]:{fill}, c=bf16[{m * n}]:zeros, {m}, {n}, {k}}}"


def gemm_mma(p, launch, folder):
    return [gemm_arguments(p, p["m"] * p["k"], p["n"] * p["k"], RANDOM), "u64[2]:zeros"]


def gemm_wgmma(p, launch, folder):
    shapes = f"{p['m']}, {p['k']}", f"{p['n']}, {p['k']}"
    return [gemm_arguments(p, *shapes, RANDOM), "map(128, 64, swizzle=128):a", "map(256, 64, swizzle=128):b",
            "u64[2]:zeros"]


def flash_attention(p, launch, folder):
    n = p["batch"] * p["heads"] * p["seq"] * 128
    scale = 1.4426950408889634 / math.sqrt(128)
    buffers = ", ".join(f"{name}=bf16[{n}]:{RANDOM}" for name in "qkv")
    return [f"{{{buffers}, o=bf16[{n}]:zeros, {p['heads']}, {p['seq']}, f32:{scale:.9f}}}", "u64[2]:zeros"]


CUDA = {"saxpy": saxpy, "copy": copy, "stream_read": stream_read, "strided_copy": strided_copy, "transpose": square,
        "stencil": square, "reduction": reduction, "softmax": softmax, "layer_norm": layer_norm,
        "histogram": histogram, "gather": gather, "spmv_csr": spmv_csr, "divergent_tree": divergent_tree,
        "sgemm": sgemm, "gemm_mma": gemm_mma, "gemm_wgmma": gemm_wgmma, "flash_attention": flash_attention}


def triton_rows(p, weights):
    n = p["rows"] * p["columns"]
    element = p["dtype"]
    return [f"{element}[{n}]:normal", *[f"{element}[{p['columns']}]:normal"] * weights, f"{element}[{n}]:zeros",
            p["columns"], *["f32:0.00001"] * (weights > 0)]


def triton_matmul(p):
    m, n, k = p["m"], p["n"], p["k"]
    element = "f32" if p["dtype"] == "tf32" else p["dtype"]
    return [f"{element}[{m * k}]:normal", f"{element}[{k * n}]:normal", f"{element}[{m * n}]:zeros", m, n, k]


def triton_attention(p):
    n = p["batch"] * p["heads"] * p["length"] * p["d"]
    return [*[f"bf16[{n}]:normal"] * 3, f"bf16[{n}]:zeros", p["length"], f"f32:{p['d'] ** -0.5:.9f}"]


def triton_gemv(p):
    rows, columns = p["rows"], p["columns"]
    return [f"bf16[{rows * columns}]:normal", f"bf16[{columns}]:normal", f"bf16[{rows}]:zeros", columns]


def triton_embedding(p):
    return [f"f16[{p['entries'] * p['width']}]:normal", f"i64[{p['count']}]:uniform(0, {p['entries']})",
            f"f16[{p['count'] * p['width']}]:zeros", p["width"]]


TRITON = {
    "add": lambda p: [*[floats(p["n"], "normal")] * 2, floats(p["n"], "zeros"), p["n"]],
    "gelu": lambda p: [f"{p['dtype']}[{p['n']}]:normal", f"{p['dtype']}[{p['n']}]:zeros", p["n"]],
    "softmax": lambda p: triton_rows(p, 0),
    "layer_norm": lambda p: triton_rows(p, 2),
    "rms_norm": lambda p: triton_rows(p, 1),
    "column_sum": lambda p: [floats(p["rows"] * p["columns"], "normal"), floats(p["columns"], "zeros"), p["rows"],
                             p["columns"]],
    "gemv": triton_gemv,
    "embedding": triton_embedding,
    "matmul": triton_matmul,
    "attention": triton_attention,
}
