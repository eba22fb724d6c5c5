# SPDX-License-Identifier: MIT
"""What a simulated warp instruction or sector costs in instructions of the host, counted by valgrind.

A count is repeatable to a fraction of a per cent on a busy machine, which a time is not, so it can be promised:
tools/instruction_budget.json holds what each row may cost. It does not show cache misses; user time does.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUDGET = ROOT / "tools/instruction_budget.json"
LONG_ROW_SECONDS = 60
LONGEST_ROW_SECONDS = 1800

# What a row is counted by: its name in the table, and how often a result has it.
UNITS = {
    "run": lambda kernels: 1,
    "warp instruction": lambda kernels: sum(kernel["warp_instructions"] for kernel in kernels),
    "L2 sector read": lambda kernels: sum(kernel["memory"]["l2"]["sectors"] for kernel in kernels),
    "sector moved": lambda kernels: sum(kernel["memory"]["l2"]["all_sectors"] for kernel in kernels),
}


def read_budget(path=BUDGET):
    return json.loads(path.read_text())


def name_of(row):
    """As the table shows it: "saxpy n=1048576 cold"."""
    words = [row["trace"], *row["params"]]
    return " ".join(words) + (" cold" if row["cache"] == "cold" else "")


def compilers_of(program):
    """The compilers that an ELF file names in its comment section, such as {"g++ 12"}."""
    data = pathlib.Path(program).read_bytes()
    names = {f"g++ {major.decode()}" for major in re.findall(rb"GCC: \([^)\0]*\) (\d+)\.", data)}
    return names | ({"clang"} if b"clang version" in data else set())


def why_not_counted(program, budget):
    """Why the program's counts say nothing about the budget; empty when they do."""
    if shutil.which("valgrind") is None:
        return "valgrind is not installed"
    found = compilers_of(program)
    if found != {budget["compiler"]}:
        return f"the budget is for {budget['compiler']}, the program was compiled by {', '.join(sorted(found))}"
    return ""


def count(program, row):
    """(host instructions, units, seconds taken) of one run of a row, start-up included."""
    command = [str(pathlib.Path(program).resolve()), "--arch", f"configs/{row['arch']}.yaml"]
    command += ["--trace", f"traces/{row['trace']}.trace", "--cache", row["cache"], "--threads", "1"]
    command += ["--format", "json", "--quiet", *(word for param in row["params"] for word in ("--param", param))]
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="gpusim-bench-") as folder:
        log = pathlib.Path(folder, "log")
        valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]
        done = subprocess.run(valgrind + command, cwd=ROOT, capture_output=True, text=True, check=False,
                              timeout=LONGEST_ROW_SECONDS)
        if done.returncode != 0:
            raise RuntimeError(f"exit {done.returncode}: {' '.join(command)}\n{done.stderr.strip()}")
        instructions = int(re.search(r"Collected : (\d+)", log.read_text()).group(1))
    units = UNITS[row["unit"]](json.loads(done.stdout)["kernels"])
    return instructions, units, time.monotonic() - started


def start_up_of(rows):
    """The one row whose unit is the run: a kernel so small that only the start is left."""
    return next(row for row in rows if row["unit"] == "run")


def costs(program, rows, progress=lambda text: None):
    """Host instructions a unit, for each row. What the start of the program takes is left out of all others."""
    def one(row):
        result = count(program, row)
        late = f": more than {LONG_ROW_SECONDS} s, a smaller size would do" if result[2] > LONG_ROW_SECONDS else ""
        progress(f"{name_of(row)}: counted in {result[2]:.0f} s{late}")
        return result

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counted = list(pool.map(one, rows))
    start = counted[rows.index(start_up_of(rows))][0]
    return [(instructions - (0 if row["unit"] == "run" else start)) / units
            for row, (instructions, units, _) in zip(rows, counted)]


def shown_cost(cost):
    return f"{cost / 1e6:.1f} M" if cost >= 1e6 else f"{cost:,.0f}"


def markdown(budget):
    """The budget as a table for the documents."""
    lines = ["| trace | unit | before | target | budget | times the target |", "| --- | --- | --- | --- | --- | --- |"]
    for row in budget["rows"]:
        figures = " | ".join(shown_cost(row[key]) for key in ("before", "target", "budget"))
        options = name_of(row).removeprefix(row["trace"])
        times = row["budget"] / row["target"]
        lines.append(f"| `{row['trace']}`{options} | {row['unit']} | {figures} | {times:.1f} |")
    return "\n".join(lines)


# The least host instructions that are thinkable (docs/performance.md says for what), and the row that measures them.
LEAST = (("a warp instruction of fixed latency", "ffma_peak", 60),
         ("a load's sector that hits in the L2", "gather n=131072", 300),
         ("a sector from DRAM", "gather n=131072 cold", 550))


def distances(budget):
    """What the budget is of the least that is thinkable, as a table for the documents."""
    rows = {name_of(row): row for row in budget["rows"]}
    lines = ["| | least host instructions | target | budget | of the least |", "| --- | --- | --- | --- | --- |"]
    for what, name, least in LEAST:
        target, today = rows[name]["target"], rows[name]["budget"]
        lines.append(f"| {what} | {least} | {shown_cost(target)} | {shown_cost(today)} | {today / least:.0f} times |")
    return "\n".join(lines)


def over_budget(row, cost, tolerance_percent):
    return cost > row["budget"] * (1 + tolerance_percent / 100)


def written_budget(budget, found):
    """The same budget with what was counted."""
    rows = [{**row, "budget": round(cost)} for row, cost in zip(budget["rows"], found)]
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    head = {key: value for key, value in budget.items() if key != "rows"}
    return json.dumps(head)[:-1] + f', "rows": [\n  {lines}\n]}}\n'
