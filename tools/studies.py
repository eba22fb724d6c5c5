# SPDX-License-Identifier: MIT
"""The studies of docs/studies: which command makes each generated part, the tables of layers, and the pictures.

A part of QUICK is run whenever the documents are checked with a program. The parts of STEPS simulate whole training
steps, which takes minutes of a core where the times of their kernels are not in the database: they are run on request.
"""
import re
import shlex

import curve_plots

FOLDER = "docs/studies"
GRADIENTS = "collective all-reduce --bytes 28000000000B --launch process-per-gpu --system"
# As the documents count PCIe 4.0: 16 GT/s by 16 lanes. What copies reach stays.
BEFORE_ENCODING = "--set link_types.pcie4_x16.bandwidth=32GB/s --set link_types.pcie4_x16.usable=26GB/s"
FIT = "fit --model llama-2-7b --gpu rtx4090"
BATCHES = "fit --model bert-large --gpu h200 --train --sequence 128 --batch"
GPT2 = "--set make.model=gpt2 --set make.batch=8 --set make.dropout=none"
TRAIN = f"sweep --system dgx-h100 --app make:transformer-train {GPT2}"

# Page, name of the part, arguments as typed.
QUICK = {
    "forty-percent": {"forty": "app forty-percent\n", "graph": "app forty-percent-graph\n",
                      "memory": "app memory-bound\n"},
    "streams": {"overlap": "app streams-that-overlap\n"},
    "data-loader": {
        "workers": "sweep --system dgx-h100 --app make:dataloader --vary make.workers=0,1,2,3,4 \\\n"
                   "    --vary make.pinned=no,yes\n"},
    "gradients": {"two": f"{GRADIENTS} dgx-a100 --gpus 2\n",
                  "pcie": f"{GRADIENTS} a100-pcie-x8 --gpus 2 {BEFORE_ENCODING}\n",
                  "eight": f"{GRADIENTS} dgx-a100\n", "eight-h100": f"{GRADIENTS} dgx-h100\n",
                  "eight-pcie": f"{GRADIENTS} a100-pcie-x8 {BEFORE_ENCODING}\n"},
    "seven-billion": {"fit-use": f"{FIT} --infer\n", "fit-train": f"{FIT} --train\n",
                      "fit-qlora": f"{FIT} --train --tuning qlora\n"},
    "batch-size": {
        "batch-512": f"{BATCHES} 512\n", "batch-1024": f"{BATCHES} 1024\n",
        "batch-recompute": f"{BATCHES} 1024 --recompute full\n",
        "cache": "sweep --arch h100 --trace bias-gelu-unfused --param columns=16384 --vary param.rows=512,1024\n",
        "waves": "sweep --arch h100 --trace gemm-wgmma --param n=4224 --param k=1024 --param cluster=1 \\\n"
                 "    --param tile_m=128 --param tile_n=128 --param stages=6 --vary param.m=512,640,1024\n"},
    "costly-layer": {"norms": "sweep --system dgx-h100 --app norm-written-out --app norm-fused\n",
                     "norm-kernels": "app norm-written-out\n"},
    "precision": {"precisions": "app precisions\n"},
    "eager-and-graph": {
        "decode": "sweep --system dgx-h100 --app make:transformer-decode --set make.sequence=512 \\\n"
                  "    --vary make.model=llama-3.2-1b,llama-3-8b --vary make.mode=eager,graph\n"},
}
ONLY_KERNELS = ("app norm-written-out\n", "app precisions\n")
STEPS = {
    "batch-size": {"recompute": f"{TRAIN} --vary make.recompute=none,full\n"},
    "streams": {
        "sizes": "sweep --system dgx-h100 --app make:overlap-demo --vary make.size=512,4096 --vary make.streams=1,2\n"},
    "precision": {"precision": f"{TRAIN} --vary make.precision=tf32,bf16\n"},
}

# What a kernel of a generated training step belongs to, by its name: the first that matches.
KINDS = (
    ("optimizer", r"AdamW"), ("casts", r" cast|^loss cast"), ("loss", r"^loss"), ("layer norms", r"\.norm"),
    ("attention", r"^attention\.core"), ("GELU", r"^mlp\.activation"), ("gradients of biases", r" bias gradient"),
    ("head, 50,257 columns", r"^head\.vocabulary"),
    ("products of layers", r"\.(qkv|output|up|down)( [dw]grad)?$"),
    ("sums and embeddings", r"\.sum|^embedding"))
PRECISIONS = ("tf32", "bf16")
LENGTHS = {512: 16, 1024: 8}  # tokens of a sequence, and sequences of a batch


def kind_of(kernel):
    return next((kind for kind, pattern in KINDS if re.search(pattern, kernel)), "others")


def times_by_kind(step):
    """Milliseconds a step of each kind of kernel, from what `gpusim app --format json` wrote."""
    times = {}
    for kernel in step["kernels"]:
        kind = kind_of(kernel["name"])
        times[kind] = times.get(kind, 0) + kernel["total_us"] / step["rounds"] / 1000
    return times


def table(header, rows):
    """A Markdown table whose columns but the first are numbers."""
    marks = ["---", *["--:"] * (len(header) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, marks, *rows))


def layers(step_of):
    """TF32 and BF16 by kinds of kernels; `step_of` runs a training step of given options."""
    steps = [step_of(f"--batch 8 --precision {precision}") for precision in PRECISIONS]
    times = [times_by_kind(step) for step in steps]
    kinds = sorted(set().union(*times), key=lambda kind: -times[0].get(kind, 0))
    rows = [[kind, *(of.get(kind, 0) for of in times)] for kind in kinds]
    rows.append(["the step", *(step["step_us"] / 1000 for step in steps)])
    return table(["ms a step", "TF32", "BF16", "TF32 / BF16"],
                 [[kind, f"{tf32:.2f}", f"{bf16:.2f}", f"{tf32 / bf16:.1f} x" if tf32 and bf16 else ""]
                  for kind, tf32, bf16 in rows])


def attention_rows(step_of):
    """FlashAttention and attention that keeps its scores, for sequences of the same tokens in all."""
    for length, batch in LENGTHS.items():
        flash, scores = (step_of(f"--batch {batch} --sequence {length} --attention {kernel}")
                         for kernel in ("flash", "scores"))
        kernels = [times_by_kind(step)["attention"] for step in (flash, scores)]
        steps = [step["step_us"] / 1000 for step in (flash, scores)]
        memory = [step["gpus"][0]["memory"]["peak_allocated_bytes"] / 2**30 for step in (flash, scores)]
        yield [f"{batch} x {length:,}", *(f"{ms:.1f}" for ms in (kernels[1], kernels[0])),
               f"{kernels[1] / kernels[0]:.1f} x", *(f"{ms:.1f}" for ms in (steps[1], steps[0])),
               f"{steps[1] / steps[0]:.2f} x", f"{100 * kernels[1] / steps[1]:.0f} %",
               *(f"{gib:.1f}" for gib in (memory[1], memory[0]))]


def attention(step_of):
    return table(["sequences", "kernels: scores", "flash", "gain", "step: scores", "flash", "gain",
                  "share, scores", "GiB: scores", "flash"], attention_rows(step_of))


TABLES = {"precision": {"layers": layers}, "flash-attention": {"attention": attention}}


def sweep_words(arguments, database):
    """The words of a command; a sweep keeps its points in a database of its own, so that none is found again."""
    words = shlex.split(arguments.replace("\\\n", ""))
    return [*words, "--quiet", "--db", str(database)] if words[0] == "sweep" else words


def shown(arguments, output):
    """What a command prints before its table of kernels, the memory over a step, or what a sweep says at its end; of
    some only the table of kernels."""
    if arguments in ONLY_KERNELS:
        kernels = re.search(r"^Kernels\n(?:.+\n)+", output, re.MULTILINE)
        return (kernels.group() if kernels else output).rstrip()
    lines = []
    for line in output.splitlines():
        if line.startswith(("Kernels", "Over the step", "What they teach")):
            break
        lines.append(line)
    return "\n".join(lines)


# Pictures: bars of parts, drawn from the tables and lists of a page.

BAR, GAP, LEFT, RIGHT = 22, 10, 150, 90
IN_A_ROW = 5  # names of parts
PARTS_OF_PRECISION = ("products of layers", "head, 50,257 columns", "attention", "GELU", "loss", "layer norms", "casts",
                      "sums and embeddings", "gradients of biases", "optimizer")


def cells_of(document, first):
    """The rows of the table whose header begins with a word, each as its cells; nothing where there is none."""
    lines = iter(document.splitlines())
    for line in lines:
        if line.startswith(f"| {first} |"):
            header = [cell.strip() for cell in line.strip("|").split("|")]
            next(lines)
            rows = []
            for row in lines:
                if not row.startswith("|"):
                    return header, rows
                rows.append([cell.strip() for cell in row.strip("|").split("|")])
            return header, rows
    return None, []


def block(place, width, height, fill, note=""):
    x, y = map(curve_plots.short, place)
    title = f"<title>{note}</title>" if note else ""
    return f'<rect fill="{fill}" x="{x}" y="{y}" width="{curve_plots.short(width)}" height="{height}">{title}</rect>'


def bars(title, about, parts, rows):
    """Rows of (label, values of the parts) as bars one below the other, with the sum of each behind it; the parts are
    named where there are several."""
    width = curve_plots.WIDTH - LEFT - RIGHT
    most = max(sum(values) for _, values in rows)
    lines = []
    for index, part in enumerate(parts if len(parts) > 1 else ()):
        x, y = 30 + index % IN_A_ROW * (curve_plots.WIDTH - 60) / IN_A_ROW, 68 + index // IN_A_ROW * 18
        lines += [block((x, y - 9), 10, 10, color(index, len(parts))),
                  curve_plots.text((x + 15, y), "start", part, "axis")]
    top = 68 + (len(parts) + IN_A_ROW - 1) // IN_A_ROW * 18
    for place, (label, values) in enumerate(rows):
        x, y = LEFT, top + place * (BAR + GAP)
        lines.append(curve_plots.text((LEFT - 10, y + 15), "end", label, "axis"))
        for index, value in enumerate(values):
            length = value / most * width
            lines.append(block((x, y), length, BAR, color(index, len(parts)), f"{parts[index]}: {value:.1f}"))
            x += length
        lines.append(curve_plots.text((x + 8, y + 15), "start", f"{sum(values):.1f}", "axis"))
    return curve_plots.frame(title, about, top + len(rows) * (BAR + GAP) + 10, lines, about)


def color(index, count):
    return f"hsl({360 * index // count} 55% {52 + 12 * (index % 2)}%)"


def precision_picture(document):
    header, rows = cells_of(document, "ms a step")
    if not rows:
        return None
    times = {row[0]: [float(cell) for cell in row[1:3]] for row in rows}
    return bars("Kernels of a step of GPT-2 small, 8 x 1,024 tokens, on an H100", "simulated, ms", PARTS_OF_PRECISION,
                [(header[1 + i], [times.get(part, (0, 0))[i] for part in PARTS_OF_PRECISION]) for i in range(2)])


def attention_picture(document):
    _, rows = cells_of(document, "sequences")
    if not rows:
        return None
    lines = []
    for row in rows:
        for name, kernels, step in (("scores", row[1], row[4]), ("flash", row[2], row[5])):
            lines.append((f"{row[0]}, {name}", [float(kernels), float(step) - float(kernels)]))
    return bars("A step of GPT-2 small, 8,192 tokens, on an H100", "simulated, ms", ("attention", "all else"), lines)


def part_of(document, name):
    """What a generated part of a page shows; empty where the page has none."""
    found = re.search(rf"<!-- generated: study-{name} -->\n(.*?)<!-- end of", document, re.DOTALL)
    return found[1] if found else ""


def rows_behind(text, first):
    """The rows of cells below the line that begins with a word, until a blank line or the end of the block."""
    rows = []
    is_behind = False
    for line in text.splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if is_behind and (not line.strip() or line.startswith("```")):
            break
        if is_behind:
            rows.append(cells)
        is_behind = is_behind or (len(cells) > 1 and cells[0] == first)
    return rows


def number(cell):
    return float(cell.replace(",", "").rstrip("% x"))


def one_part(title, about, rows):
    """Bars of one part each; nothing without rows."""
    return bars(title, about, (about,), [(label, [value]) for label, value in rows]) if rows else None


def forty_picture(document):
    reports = (("launched one by one", "forty"), ("in one graph", "graph"), ("memory-bound kernels", "memory"))
    shares = {label: {cells[0]: number(cells[2].split()[0]) for cells in rows_behind(part_of(document, name), "cause")}
              for label, name in reports}
    causes = list(dict.fromkeys(cause for of in shares.values() for cause in of))
    if not causes:
        return None
    return bars("Where the time of three steps goes, on an H100", "simulated, % of the step", causes,
                [(label, [of.get(cause, 0) for cause in causes]) for label, of in shares.items()])


def batch_picture(document):
    kernels = (("bias and GELU", "cache", "param.rows"), ("product", "waves", "param.m"))
    return one_part("What a row takes by the number of rows, on an H100", "simulated, ns a row",
                    [(f"{label}, {cells[0]} rows", 1000 * number(cells[2]) / number(cells[0]))
                     for label, name, first in kernels for cells in rows_behind(part_of(document, name), first)])


def layer_picture(document):
    kernels = {cells[0]: number(cells[2]) for cells in rows_behind(part_of(document, "norm-kernels"), "kernel")}
    fused = [cells for cells in rows_behind(part_of(document, "norms"), "application") if cells[0] == "norm-fused"]
    if not kernels or not fused:
        return None
    parts = [*kernels, "fused"]
    none = [0] * len(kernels)
    return bars("A root-mean-square norm, operation by operation and fused, on an H100", "simulated, ms a step", parts,
                [("written out", [*kernels.values(), 0]), ("fused", [*none, number(fused[0][2]) / 1000])])


def decode_picture(document):
    return one_part("A token of a language model, eager and as a graph, on an H100", "simulated, ms",
                    [(f"{cells[0]}, {cells[1]}", number(cells[3]) / 1000)
                     for cells in rows_behind(part_of(document, "decode"), "make.model")])


def streams_picture(document):
    return one_part("64 products on one stream and on two, on an H100", "simulated, ms",
                    [(f"size {cells[0]}, {cells[1]} stream{'s' if cells[1] != '1' else ''}", number(cells[3]) / 1000)
                     for cells in rows_behind(part_of(document, "sizes"), "make.size")])


def gradients_picture(document):
    """The line rate, and what NCCL takes beyond it."""
    rows = []
    for name, label in (("two", "2 A100, NVLink 3"), ("pcie", "2 GPUs, PCIe 4.0"), ("eight", "8 A100, NVLink 3"),
                        ("eight-h100", "8 H100, NVLink 4"), ("eight-pcie", "8 GPUs, PCIe 4.0")):
        for cells in rows_behind(part_of(document, name), "size"):
            line = number(cells[2]) / 1000
            rows.append((label, [line, number(cells[1]) / 1000 - line]))
    return bars("An all-reduce of 28 GB of gradients", "ms", ("at line rate", "beyond"), rows) if rows else None


def fit_picture(document):
    uses = (("use", "fit-use"), ("training", "fit-train"), ("QLoRA", "fit-qlora"))
    held = {label: {cells[0]: number(cells[1].split()[0])
                    for cells in rows_behind(part_of(document, name), "GiB") if cells[0] != "together"}
            for label, name in uses}
    parts = list(dict.fromkeys(kind for of in held.values() for kind in of))
    if not parts:
        return None
    return bars("Llama-2 7B on a GPU with 24 GiB, of which 22.9 are left", "calculated, GiB at most", parts,
                [(label, [of.get(kind, 0) for kind in parts]) for label, of in held.items()])


def loader_picture(document):
    memory = {"no": "pageable", "yes": "pinned"}
    return one_part("A step with a data loader, by workers and memory", "simulated, ms a step",
                    [(f"{cells[0]} worker{'' if cells[0] == '1' else 's'}, {memory[cells[1]]}", number(cells[3]) / 1000)
                     for cells in rows_behind(part_of(document, "workers"), "make.workers")])


PICTURES = {"precision": precision_picture, "flash-attention": attention_picture, "forty-percent": forty_picture,
            "batch-size": batch_picture, "costly-layer": layer_picture, "eager-and-graph": decode_picture,
            "streams": streams_picture, "gradients": gradients_picture, "seven-billion": fit_picture,
            "data-loader": loader_picture}
