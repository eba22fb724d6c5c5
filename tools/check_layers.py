#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The modules of sim/, what each is for and what it may use; fails when the code says otherwise.

One table, MODULES, is the truth: it must be acyclic, the DEPENDS lists of sim/**/CMakeLists.txt must repeat it, every
#include must stay inside it, and a third-party header must stay in its home. docs/architecture.md shows it.
"""
import argparse
import pathlib
import re
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Module:
    """One folder under sim/: a static library."""

    uses: tuple
    purpose: str


def module(purpose, *uses):
    return Module(uses, purpose)


# Bottom up: a module may only use what stands above it here.
MODULES = {
    "base": module("types every part shares: cycles, addresses, exact ratios, problems to report"),
    "plot": module("curves and named points as text, for terminals", "base"),
    "page": module("what texts for people are made of: headings, tables, bars, wrapped sentences"),
    "isa": module("what an instruction is: opcode table, operands, control bits, timing classes", "base"),
    "stats": module("counters, warp states, and the Result with the metrics derived from it", "base", "isa"),
    "observe": module("what can be watched while a kernel runs: warp states over cycles", "base", "stats"),
    "msg": module("the one record that domains send each other", "base"),
    "engine": module("time: domains, windows, the post between them, the calendar queue, threads", "base", "msg"),
    "arch": module("architecture files: typed, with units, checked", "base", "isa"),
    "roofline": module("what a part's peaks allow work of given FLOPs and bytes, and what common operations take",
                       "base", "page", "plot", "isa", "arch"),
    "trace": module("a kernel as a program, its control flow, and the walker of one warp", "base", "isa"),
    "container": module("recordings as files: compact, checked, read a group of CTAs at a time",
                        "base", "isa", "trace"),
    "frontend/text": module("reads the .trace language", "base", "isa", "trace"),
    "frontend/accelsim": module("reads and writes Accel-Sim (NVBit) traces", "base", "isa", "trace"),
    "frontend/sass": module("reads disassemblies and writes them as programs with holes",
                            "base", "isa", "trace", "frontend/text"),
    "inspect": module("what a trace does, and what the library of kernels holds, as text and as JSON",
                      "base", "page", "isa", "trace"),
    "datasheet": module("architectures as people and programs read them: the comparison table, peaks, differences",
                         "base", "page", "isa", "arch"),
    "occupancy": module("how many CTAs fit an SM, what limits them, and what would change that",
                        "base", "isa", "arch", "stats", "trace"),
    "occupancy/answer": module("what there is to say about a launch's occupancy, as text with plots and as JSON",
                               "base", "page", "plot", "isa", "arch", "stats", "trace", "occupancy"),
    "lower": module("assigns control bits where a trace has none", "base", "isa", "arch", "trace"),
    "mem/cache": module("tags, sectors and miss records shared by L1 and L2", "base", "arch", "stats", "msg"),
    "mem/map": module("which memory partition, L2 slice and DRAM channel an address belongs to", "base", "arch"),
    "mem/tlb": module("TLBs of TPCs, GPCs and the GPU, and page walks", "base", "arch", "stats", "msg", "engine"),
    "mem/noc": module("links, GPC routers and the crossbar",
                      "base", "arch", "stats", "msg", "engine", "mem/tlb"),
    "mem/dram": module("pseudo-channels: banks, rows, command timing", "base", "arch", "stats", "msg", "engine"),
    "mem/l2": module("L2 slices and the memory partitions that own them",
                     "base", "arch", "stats", "msg", "engine", "mem/cache", "mem/map", "mem/dram"),
    "sm": module("the SM: warps, sub-cores, pipes, coalescer, shared memory, L1, stall accounting",
                 "base", "isa", "arch", "stats", "observe", "msg", "engine", "trace", "lower", "mem/cache", "mem/map"),
    "gpu": module("puts the machine together, hands out CTAs, runs a trace",
                  "base", "isa", "arch", "stats", "observe", "msg", "engine", "trace", "occupancy", "lower",
                  "mem/cache", "mem/map", "mem/tlb", "mem/noc", "mem/dram", "mem/l2", "sm"),
    "report": module("a Result as text and JSON", "base", "page", "isa", "stats", "observe"),
    "validate": module("cases measured on silicon: their files, their simulation, and how far both are apart",
                       "base", "page", "isa", "arch", "stats", "observe", "msg", "engine", "trace", "frontend/text",
                       "occupancy", "lower", "mem/cache", "mem/map", "mem/tlb", "mem/noc", "mem/dram", "mem/l2", "sm",
                       "gpu", "report"),
    "sweep/formula": module("formulas over the keys of a sweep: conditions, and what a point costs", "base"),
    "sweep/study": module("what a sweep varies: axes, values, combinations, conditions, study files",
                          "base", "isa", "arch", "sweep/formula"),
    "sweep/store": module("the database of a sweep: points with their results, studies, shards joined", "base"),
    "sweep/answer": module("what the points of a sweep teach: best, sensitivity, scaling, cost, bounds; plots",
                           "base", "plot", "page", "isa", "stats", "sweep/formula", "sweep/store"),
    "sweep/run": module("runs the points of a study that are not stored yet, on all cores, and stores each",
                        "base", "isa", "arch", "stats", "observe", "msg", "engine", "trace", "lower", "mem/cache",
                        "mem/map", "mem/tlb", "mem/noc", "mem/dram", "mem/l2", "sm", "gpu", "page", "report",
                        "occupancy", "sweep/formula", "sweep/study", "sweep/store"),
    "sweep/submit": module("a sweep as jobs of a cluster: what to ask for, scripts, what to do next", "base"),
    "app": module("the command line, the only part that prints, exits or reads the clock",
                  "base", "page", "plot", "isa", "arch", "stats", "observe", "msg", "engine", "trace", "container",
                  "frontend/text", "frontend/accelsim", "frontend/sass", "inspect", "occupancy", "occupancy/answer",
                  "lower", "mem/cache", "mem/map", "mem/tlb", "mem/noc", "mem/dram", "mem/l2", "sm", "gpu", "datasheet",
                  "roofline", "report", "sweep/formula", "sweep/study", "sweep/store", "sweep/answer", "sweep/run",
                  "sweep/submit", "validate"),
}

# Prefix of an #include <...> -> the modules that may write it. Standard C++ headers are free; anything that is neither
# in the standard nor here is refused, so a new library needs a row.
HOMES = {
    "yaml-cpp/": {"arch", "sweep/study", "validate"},
    "boost/": {"trace", "gpu"},
    "nlohmann/": {"inspect", "datasheet", "roofline", "report", "app", "occupancy/answer", "sweep/store",
                  "sweep/answer", "validate"},
    "google/protobuf/": {"container"},
    "zstd.h": {"container", "frontend/text", "sweep/store"},
    "zstd_errors.h": {"frontend/text"},
    "sqlite3.h": {"sweep/store"},
    "xxhash.h": {"container", "sweep/store"},
    "lzma.h": {"frontend/accelsim"},
    "csv.h": {"app"},
    "CLI/": {"app"},
    "spdlog/": {"app"},
    "fmt/": {"inspect", "datasheet", "occupancy/answer", "plot", "roofline", "report", "sweep/run", "sweep/answer",
             "sweep/submit", "validate", "app"},
    "fcntl.h": {"sweep/store", "app"},
    "unistd.h": {"base", "sweep/store", "app"},
    "signal.h": {"app"},
    "sys/file.h": {"sweep/store"},
    "sys/stat.h": {"sweep/store"},
    "sys/": {"app"},
}
STANDARD = re.compile(r"^[a-z_0-9]+$")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
CMAKE_CALL = re.compile(r"gpusim_module\(\s*(\w+)([^)]*)\)")
CMAKE_TARGET = re.compile(r"\bgpusim_(\w+)\b")
NOT_MODULES = {"options", "module", "tests"}


def module_of(parts):
    """The module of a path below sim/, given as its parts with the file's name last; None when there is none."""
    for length in (2, 1):
        name = "/".join(parts[:length])
        if len(parts) > length and name in MODULES:
            return name
    return None


def layers():
    """Module -> height above the bottom. The table's order makes a cycle impossible; a violation of it is reported."""
    height = {}
    for name, entry in MODULES.items():
        unknown = [used for used in entry.uses if used not in height]
        if unknown:
            raise ValueError(f"the table lists {name} before {', '.join(unknown)}, which it uses")
        height[name] = 1 + max((height[used] for used in entry.uses), default=0)
    return height


def check_angle(where, me, header):
    if STANDARD.match(header):
        return []
    for prefix, homes in HOMES.items():
        if header.startswith(prefix):
            return [] if me in homes else [f"{where}: <{header}> is only for {', '.join(sorted(homes))}"]
    return [f"{where}: <{header}> has no home in tools/check_layers.py"]


def check_quoted(where, me, header):
    if not header.startswith("sim/"):
        return [f'{where}: "{header}" must be written from the root, as "sim/..."']
    other = module_of(header.split("/")[1:])
    if other is None:
        return [f'{where}: "{header}" is in no module']
    if other != me and other not in MODULES[me].uses:
        return [f"{where}: {me} must not use {other}"]
    return []


def check_file(path, shown, me):
    problems = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        hit = INCLUDE.match(line)
        if hit:
            check = check_angle if hit.group(1) == "<" else check_quoted
            problems += check(f"{shown}:{number}", me, hit.group(2))
    return problems


def check_includes(root):
    problems = []
    for path in sorted(p for p in (root / "sim").rglob("*") if p.suffix in {".h", ".cc"}):
        shown = path.relative_to(root)
        me = module_of(shown.parts[1:])
        problems += [f"{shown}: is in no module"] if me is None else check_file(path, shown, me)
    return problems


def linked_modules(text, name):
    """What a CMakeLists.txt links, as names of modules; None when it defines no module."""
    by_target = {m.replace("/", "_"): m for m in MODULES}
    if name == "app":  # an executable, not a gpusim_module()
        return {by_target.get(t, t) for t in CMAKE_TARGET.findall(text) if t not in NOT_MODULES}
    call = CMAKE_CALL.search(text)
    if call is None or by_target.get(call.group(1)) != name:
        return None
    arguments = call.group(2).split("LINK")[0].split()
    return {by_target.get(t, t) for t in arguments if t != "DEPENDS"}


def check_cmake(root):
    problems = []
    for name, entry in MODULES.items():
        path = root / "sim" / name / "CMakeLists.txt"
        shown = path.relative_to(root)
        linked = linked_modules(path.read_text(), name) if path.is_file() else None
        if linked is None:
            problems.append(f"{shown}: does not define the module {name}")
            continue
        for extra in sorted(linked - set(entry.uses)):
            problems.append(f"{shown}: {name} links {extra}, which the table does not allow")
        # The program links what it calls; the libraries repeat the table in full.
        for missing in sorted(set(entry.uses) - linked) if name != "app" else []:
            problems.append(f"{shown}: {name} does not link {missing}, which the table names")
    return problems


def direct_uses():
    """The table without the uses that follow from others: what a drawing needs."""
    reach = {}
    direct = {}
    for name, entry in MODULES.items():
        below = set().union(*(reach[used] for used in entry.uses)) if entry.uses else set()
        direct[name] = [used for used in entry.uses if used not in below]
        reach[name] = below | set(entry.uses)
    return direct


def homes_of(name):
    return sorted(prefix.rstrip("/") for prefix, homes in HOMES.items() if name in homes)


def graphviz():
    lines = ["digraph modules {", "  rankdir=BT;", "  node [shape=box];"]
    for name, uses in direct_uses().items():
        lines += [f'  "{name}";'] + [f'  "{name}" -> "{used}";' for used in uses]
    return "\n".join(lines + ["}"])


def markdown(height):
    lines = ["| layer | module | what it is for | stands on | other libraries |", "| --- | --- | --- | --- | --- |"]
    for name, uses in sorted(direct_uses().items(), key=lambda item: height[item[0]]):
        libraries = ", ".join(f"`{home}`" for home in homes_of(name))
        below = ", ".join(f"`{used}`" for used in uses)
        lines.append(f"| {height[name]} | `sim/{name}` | {MODULES[name].purpose} | {below} | {libraries} |")
    lines += ["", "```mermaid", "graph BT"]
    for name, uses in direct_uses().items():
        lines += [f"  {name.replace('/', '_')}[{name}] --> {used.replace('/', '_')}" for used in uses]
    return "\n".join(lines + ["```"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--markdown", action="store_true", help="print the table and the graph for the documentation")
    parser.add_argument("--dot", action="store_true", help="print the graph for Graphviz")
    args = parser.parse_args()
    height = layers()
    if args.markdown or args.dot:
        print(markdown(height) if args.markdown else graphviz())
        return 0
    problems = check_includes(args.root) + check_cmake(args.root)
    print("\n".join(problems) or f"{len(MODULES)} modules, {max(height.values())} layers, no stray include")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
