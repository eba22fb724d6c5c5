# SPDX-License-Identifier: MIT
"""The tables of docs/kernels.md and traces/README.md: what each kernel does, from what `gpusim trace make --list` and
`gpusim trace info` print as JSON. A row that is there already stays when the file has the same size and defaults,
unless all are to be walked again."""


def si_text(value):
    """1234567 as "1.235 M"."""
    for prefix, factor in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= factor:
            return f"{value / factor:.4g} {prefix}"
    return str(round(value))


def binary_text(value):
    for prefix, factor in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if value >= factor:
            return f"{value / factor:.4g} {prefix}"
    return f"{round(value)} B" if value else "0"


def work_cells(info):
    """Warp instructions, FLOPs and bytes of global memory of a trace, all its kernels together."""
    total = {"instructions": 0, "flops": 0, "read": 0, "written": 0, "atomic": 0}
    for kernel in info["kernels"]:
        total["instructions"] += kernel["warp_instructions"]
        total["flops"] += sum(kernel["flops"].values())
        for way in ("read", "written", "atomic"):
            total[way] += kernel["bytes"]["global"][way]
    written = binary_text(total["written"] + total["atomic"])
    return [si_text(total["instructions"]), si_text(total["flops"]), binary_text(total["read"]), written]


def rows_of(table):
    """The cells of a table's rows, by the first of them."""
    return {cells[0]: cells for cells in ([c.strip() for c in row.strip("|").split("|")] for row in table.splitlines())}


def row(cells):
    return f"| {' | '.join(cells)} |"


def library(kernels, old, again, text_of, info_of):
    """A row for each kernel of the library; `text_of` makes one by its name, `info_of` walks such a text."""
    known = rows_of(old)
    rows = ["| kernel | what | defaults | warp instructions | FLOPs | read | written | file |", "| " + "--- | " * 8]
    for kernel in kernels:
        text = text_of(kernel["name"])
        defaults = ", ".join(f"{p['name']}\u00a0{p['default']}" for p in kernel["parameters"])
        cells = [f"`{kernel['name']}`", kernel["title"], defaults, binary_text(len(text.encode()))]
        there = known.get(cells[0], [])
        fresh = len(there) == 8 and there[:3] + there[7:] == cells
        numbers = there[3:7] if fresh and not again else work_cells(info_of(text))
        rows.append(row(cells[:3] + numbers + cells[3:]))
    return "\n".join(line.strip() for line in rows)


def launches(info):
    """CTAs and threads of each kernel: "512 x 128"."""
    shapes = []
    for kernel in info["kernels"]:
        ctas, threads = 1, 1
        for axis in range(3):
            ctas *= kernel["grid"][axis]
            threads *= kernel["block"][axis]
        shapes.append(f"{ctas} x {threads}")
    return ", ".join(shapes)


def shipped(files, old, again, info_of):
    """A row for each trace of a folder; `info_of` walks a file, with its test set where the second argument says so."""
    known = rows_of(old)
    rows = ["| trace | CTAs x threads | warp instructions | FLOPs | read | written | test: warp instructions | file |",
            "| " + "--- | " * 8]
    for path in sorted(files):
        cells = [f"`{path.stem}`", binary_text(path.stat().st_size)]
        there = known.get(cells[0], [])
        if again or len(there) != 8 or there[7] != cells[1]:
            info, test = info_of(path, False), info_of(path, True)
            there = [cells[0], launches(info), *work_cells(info), work_cells(test)[0], cells[1]]
        rows.append(row(there))
    return "\n".join(line.strip() for line in rows)
