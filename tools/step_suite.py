# SPDX-License-Identifier: MIT
"""The tables of docs/validation/every-step.md. That of steps is made of what `gpusim validate --suite steps --json`
wrote: the suite takes hours, so that it is run in parts, and rows that no file has stay as they are. That of kinds is
made of those rows."""
import re

from kernel_suite import number, table

HEAD = ["case", "bound by, or about", "measured:", "simulated:", "off:"]
ROW = re.compile(r"^\| (?P<id>[a-z0-9][^|]*?) \| (?P<about>[^|]*?) \| .* \| (?P<off>[-+][0-9.]+) % \|$", re.MULTILINE)
# How many GPUs a step is of: "... x8", "llama-2-7b-decode/8", "MPT on 8 GPUs".
GPUS = re.compile(r" x([0-9]+)$|^llama-2-[0-9]+b-decode/([0-9]+)$|on ([0-9]+) GPUs")
CPU, MPT, KERNELS = "bound by the CPU", "MPT on", "kernels of a step"
# Kinds of tested steps, which rows each has, and the mean error that is asked for.
KINDS = (
    ("one GPU, published or bound by the GPU", lambda name, about: is_of_one(name, about) and CPU not in about, ""),
    ("one GPU, bound by the CPU of a virtual machine, whose times vary by a fifth and more",
     lambda name, about: is_of_one(name, about) and CPU in about, ""),
    ("one GPU, together", lambda name, about: is_of_one(name, about), "12 %"),
    ("one GPU, its kernels alone, without the CPU", lambda name, about: about.startswith(KERNELS), ""),
    ("eight A100, MPT", lambda name, about: about.startswith(MPT) and name.startswith("mpt/a100"), "10 %"),
    ("eight H100, MPT", lambda name, about: about.startswith(MPT) and name.startswith("mpt/h100"), "10 %"),
    ("several GPUs, others", lambda name, about: gpus_of(name, about) > 1 and not about.startswith(MPT), ""),
)
UNITS = (("s", 1e6), ("ms", 1e3), ("us", 1))


def time(microseconds):
    """In the largest unit that leaves no zero in front."""
    unit, scale = next((unit, scale) for unit, scale in UNITS if microseconds >= scale or scale == 1)
    return f"{number(microseconds / scale)} {unit}"


def cells(case):
    error = f"{case['error_pct']:+.1f} %"
    return [case["id"], case["mechanism"], time(case["measured"]), time(case["simulated"]), error]


def cases(old, suites):
    """A row for each case that was simulated now or before, by name."""
    rows = {found["id"]: found.group() for found in ROW.finditer(old)}
    for suite in suites:
        rows.update((case["id"], table([], [cells(case)]).splitlines()[-1])
                    for case in suite["cases"] if case["simulated"] is not None)
    off = [abs(float(row.split("|")[-2].strip().removesuffix(" %"))) for row in rows.values()]
    told = (f"{len(rows)} steps: the mean error is {sum(off) / len(off):.1f} %, and "
            f"{sum(error <= 10 for error in off)} of them are within 10 %." if off else "No step was simulated.")
    return "\n".join([told, "", table(HEAD, []), *(rows[name] for name in sorted(rows, key=natural))])


def gpus_of(name, about):
    found = GPUS.search(name) or GPUS.search(about)
    return int(next(filter(None, found.groups()))) if found else 1


def is_of_one(name, about):
    """Whether it is a step of one GPU, not its kernels alone."""
    return gpus_of(name, about) == 1 and not about.startswith(KERNELS)


def kinds(steps):
    """The mean error of each kind, of the tested rows of the table of steps."""
    tested = [row for row in ROW.finditer(steps) if row["about"].endswith(", tested")]
    rows = []
    for kind, has, asked in KINDS:
        off = [abs(float(row["off"])) for row in tested if has(row["id"], row["about"])]
        if off:
            rows.append([kind, str(len(off)), f"{sum(off) / len(off):.1f} %", asked])
    return table(["tested steps", "rows:", "mean error:", "asked:"], rows)


def natural(name):
    """Numbers by their value: 2 before 16."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
