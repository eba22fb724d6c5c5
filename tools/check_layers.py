#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The modules of sim/, what each is for and what it may use; fails when the code says otherwise.

One table, MODULES, is the truth: it must be acyclic, the DEPENDS lists of sim/**/CMakeLists.txt must repeat it, every
#include must stay inside it, and a third-party header must stay in its home. docs/architecture.md shows it, and the
tree at its top names each folder. Only the command line may print; reports are laid out from their view alone. Sources
that reach many headers of the project are listed, worst first, and not refused.
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


def expanded(uses, known):
    """Modules and groups of modules as modules."""
    out = []
    for use in uses:
        out += [name for name in known if name.startswith(use)] if use.endswith("/") else [use]
    return tuple(out)


def without_groups(table):
    out = {}
    for name, entry in table.items():
        out[name] = Module(expanded(entry.uses, out), entry.purpose)
    return out


# Bottom up: a module may only use what stands above it here. A use that ends in a slash is every module of that group
# that stands above.
MODULES = without_groups({
    "base": module("types every part shares: cycles, addresses, exact ratios, problems to report"),
    "model/isa": module("what an instruction is: opcode table, operands, control bits, timing classes", "base"),
    "model/stats": module("counters, warp states, and the Result with the metrics derived from it",
                          "base", "model/isa"),
    "model/policy/warp": module("warp scheduling policies: a file each, and the one table of their names", "base"),
    "model/policy/replacement": module("replacement policies of caches: a file each, and the one table of their names",
                                       "base"),
    "model/policy/dram": module("DRAM request schedulers: a file each, and the one table of their names", "base"),
    "model/arch": module("architecture files: typed, with units, checked",
                         "base", "model/isa", "model/policy/"),
    "model/trace": module("a kernel as a program, its control flow, and the walker of one warp", "base", "model/isa"),
    "model/occupancy": module("how many CTAs fit an SM, what limits them, and what would change that",
                              "base", "model/"),
    "model/power": module("what the GPU draws, from counts, and the clock that its limit leaves",
                          "base", "model/"),
    "machine/msg": module("the one record that domains send each other", "base"),
    "machine/engine": module("time: domains, windows, the mailboxes between them, the calendar queue, threads",
                             "base", "machine/msg"),
    "machine/lower": module("assigns control bits where a trace has none",
                            "base", "model/isa", "model/arch", "model/trace"),
    "machine/mem/cache": module("tags, sectors and miss records shared by L1 and L2",
                                "base", "model/policy/replacement", "model/arch", "model/stats", "machine/msg"),
    "machine/mem/map": module("which memory partition, L2 slice and DRAM channel an address belongs to",
                              "base", "model/arch"),
    "machine/mem/tlb": module("TLBs of TPCs, GPCs and the GPU, and page walks",
                              "base", "model/arch", "model/stats", "machine/msg", "machine/engine"),
    "machine/mem/noc": module("links, GPC routers and the crossbar", "base", "model/arch", "model/stats",
                              "machine/msg", "machine/engine", "machine/mem/tlb"),
    "machine/mem/dram": module("pseudo-channels: banks, rows, command timing",
                               "base", "model/policy/dram", "model/arch", "model/stats", "machine/msg",
                               "machine/engine"),
    "machine/mem/l2": module("L2 slices and the memory partitions that own them", "base", "model/arch", "model/stats",
                             "machine/msg", "machine/engine", "machine/mem/cache", "machine/mem/map",
                             "machine/mem/dram"),
    "machine/sm/event": module("what happens inside an SM, as records of its calendar queue",
                               "base", "model/isa", "machine/engine", "machine/lower"),
    "machine/sm/warps": module("warps and what they wait for: sub-cores, dependences, barriers, stall accounting",
                               "base", "model/isa", "model/policy/warp", "model/arch", "model/stats", "model/trace",
                               "machine/lower", "machine/engine", "machine/sm/event"),
    "machine/sm/fetch": module("instruction buffers, instruction caches, constant caches",
                               "base", "model/isa", "model/arch", "model/stats", "model/trace", "machine/lower",
                               "machine/engine", "machine/sm/event", "machine/sm/warps"),
    "machine/sm/memory": module("the load/store unit: coalescer, bank conflicts, shared memory, L1 and its way to L2",
                                "base", "model/isa", "model/arch", "model/stats", "model/trace", "machine/msg",
                                "machine/engine", "machine/lower", "machine/mem/cache", "machine/mem/map",
                                "machine/sm/event"),
    "machine/sm/wgmma": module("asynchronous WGMMA operations of warpgroups", "base", "model/isa", "model/arch",
                               "model/stats", "model/trace", "machine/msg", "machine/lower", "machine/engine",
                               "machine/mem/cache", "machine/mem/map", "machine/sm/event", "machine/sm/warps",
                               "machine/sm/memory"),
    "machine/sm/async": module("bulk copies (TMA), mbarriers and the waits on them, register pools",
                               "base", "model/isa", "model/arch", "model/stats", "model/trace", "machine/msg",
                               "machine/engine", "machine/lower", "machine/sm/event", "machine/sm/memory"),
    "machine/sm/dsmem": module("the shared memories of other CTAs of a cluster, and their mbarriers",
                               "base", "model/isa", "model/arch", "model/stats", "model/trace", "machine/msg",
                               "machine/engine", "machine/lower", "machine/sm/event", "machine/sm/memory",
                               "machine/sm/async"),
    "machine/sm": module("the SM: where a warp is picked and its instruction issues, and the wiring of its units",
                         "base", "model/isa", "model/arch", "model/stats", "model/trace", "machine/msg",
                         "machine/engine", "machine/lower", "machine/mem/cache", "machine/mem/map",
                         "machine/sm/event", "machine/sm/warps", "machine/sm/fetch", "machine/sm/memory",
                         "machine/sm/wgmma", "machine/sm/async", "machine/sm/dsmem"),
    "machine/gpu": module("puts the machine together, hands out CTAs, runs a trace", "base", "model/", "machine/"),
    "input/kind": module("what tells the forms of traces apart", "base"),
    "input/text": module("reads the .trace language", "base", "model/isa", "model/trace", "input/kind"),
    "input/accelsim": module("reads and writes Accel-Sim (NVBit) traces", "base", "model/isa", "model/trace"),
    "input/listing": module("reads listings of SASS: functions, encodings, control bits, resources",
                            "base", "model/isa"),
    "input/sass": module("writes listings of SASS as programs with holes",
                         "base", "model/isa", "model/trace", "input/text", "input/listing"),
    "input/container": module("recordings as files: compact, checked, read a group of CTAs at a time",
                              "base", "model/isa", "model/trace", "input/kind"),
    "code/kind": module("what tells compiled kernels and their source from other files", "base"),
    "code/sass": module("machine code: the table of encodings, decoded, encoded and as text", "base", "model/isa"),
    "code/flow": module("where machine code leads, and which instructions decide lanes and addresses", "base",
                        "model/isa", "code/sass"),
    "code/cubin": module("compiled kernels: cubins, fatbins, programs, cache folders, listings; resources, lines",
                         "base", "model/isa", "input/kind", "input/listing", "code/kind", "code/sass"),
    "code/array": module("arrays of numbers: types of elements, patterns, .npy files, comparisons", "base"),
    "code/launch": module("launches of compiled kernels: arguments by name, buffers, launch files",
                          "base", "model/isa", "model/policy/", "model/arch", "model/trace", "input/text", "code/sass",
                          "code/cubin", "code/array"),
    "code/compile": module("source of kernels to machine code, with the compilers on the machine", "base"),
    "exec/memory": module("global memory as buffers, accesses of whole warps, atomics", "base"),
    "exec/core": module("what a running kernel is: micro-operations, images, warps, CTAs",
                        "base", "model/isa", "code/sass", "code/cubin", "exec/memory"),
    "exec/ops": module("what instructions do to flow, lanes and memory",
                       "base", "model/isa", "code/sass", "code/cubin", "exec/memory", "exec/core"),
    "exec/lanes": module("what instructions calculate, vectorised across lanes",
                         "base", "model/isa", "code/sass", "code/cubin", "exec/memory", "exec/core", "exec/ops"),
    "exec/async": module("mbarriers and copies by the TMA",
                         "base", "model/isa", "code/sass", "code/cubin", "exec/memory", "exec/core", "exec/ops"),
    "exec/run": module("executes compiled kernels: images made, warps stepped, grids run",
                       "base", "model/isa", "code/sass", "code/flow", "code/cubin", "exec/memory", "exec/core",
                       "exec/ops", "exec/lanes", "exec/async"),
    "exec/check": module("accesses that are not possible, uninitialised shared memory, races on it",
                         "base", "model/isa", "code/sass", "code/cubin", "exec/memory", "exec/core", "exec/run"),
    "exec/alike": module("CTAs that do the same at other addresses: proven, recorded once, replayed",
                         "base", "model/isa", "model/trace", "code/sass", "code/flow", "code/cubin", "exec/memory",
                         "exec/core", "exec/ops", "exec/run"),
    "exec/trace": module("compiled kernels as traces: code, lines, warps that execute as they issue",
                         "base", "model/isa", "model/trace", "code/sass", "code/flow", "code/cubin", "exec/memory",
                         "exec/core", "exec/run", "exec/alike"),
    "output/text": module("what texts for people are made of: headings, tables, bars, wrapped sentences", "base"),
    "output/plot": module("curves and named points as text, for terminals", "base"),
    "output/view": module("what reports show, derived once from a Result", "base", "model/isa", "model/stats"),
    "output/timeline": module("recorded warps as a timeline, as an answer to why one waits, and as files for other "
                              "programs", "base", "model/isa", "model/stats", "output/text", "output/view"),
    "output/advice": module("what is worth changing in a kernel: the one table of rules",
                            "base", "model/isa", "model/stats", "output/view"),
    "output/report": module("a Result as text and JSON", "base", "model/isa", "model/stats", "output/text",
                            "output/view", "output/advice"),
    "output/html": module("Results as one page: the viewer with its data", "base", "model/isa", "model/stats",
                          "output/view", "output/report"),
    "output/compare": module("results beside each other: what changed, and why", "base", "model/isa", "model/stats",
                             "output/text", "output/view", "output/report"),
    "system/config": module("system files: hosts, GPUs, switches and links; typed, with units, checked",
                            "base", "model/isa", "model/policy/", "model/arch"),
    "system/models": module("model files: layers, widths, heads; the operations of a forward pass, parameters counted",
                            "base", "model/isa", "model/policy/", "model/arch", "system/config"),
    "system/memory": module("what steps of models hold of GPU memory: tensors over time, PyTorch's allocator",
                            "base", "model/isa", "model/policy/", "model/arch", "system/config", "system/models"),
    "system/route": module("the links of a system as a graph: routes, and how transfers share links",
                           "base", "model/isa", "model/policy/", "model/arch", "system/config"),
    "system/collective": module("how long NCCL's collectives take on a system, and how NCCL runs them",
                                "base", "model/isa", "model/policy/", "model/arch", "system/config", "system/route"),
    "system/application": module("files of applications: threads, streams, kernels, copies; checked",
                                 "base", "model/isa", "model/policy/", "model/arch", "system/config", "system/route",
                                 "system/collective"),
    "system/kineto": module("traces of PyTorch's profiler as applications",
                            "base", "model/isa", "model/policy/", "model/arch", "system/config", "system/route",
                            "system/collective", "system/application"),
    "system/nsys": module("reports of Nsight Systems, as SQLite databases, as applications",
                          "base", "model/isa", "model/policy/", "model/arch", "system/config", "system/route",
                          "system/collective", "system/application", "system/kineto"),
    "system/chakra": module("Chakra execution traces as applications, and written",
                            "base", "model/isa", "model/policy/", "model/arch", "system/config", "system/route",
                            "system/collective", "system/application"),
    "system/generate": module("applications from models and a few numbers: training steps, inference, demonstrations",
                              "base", "model/isa", "model/policy/", "model/arch", "model/stats", "model/power",
                              "system/config", "system/models", "system/memory", "system/route", "system/collective",
                              "system/application"),
    "system/run": module("an application on a system: threads, streams, kernels and copies over time",
                         "base", "model/isa", "model/policy/", "model/arch", "system/config", "system/route",
                         "system/models", "system/memory", "system/collective", "system/application"),
    "commands/cli": module("what commands share: options, files by name, the console, progress, interruption",
                           "base", "model/", "machine/", "input/kind", "input/text", "code/kind", "output/text",
                           "output/report", "output/html", "output/timeline"),
    "commands/recordings": module("traces that are not text: recordings, and what is refused with advice",
                                  "base", "model/trace", "input/", "commands/cli"),
    "commands/launch": module("compiled kernels as commands take them: found in files, compiled, launched, checked",
                              "base", "model/", "input/text", "code/", "exec/", "commands/cli"),
    "commands/run": module("gpusim run: simulate, then explain",
                           "base", "model/", "machine/", "output/text", "output/view", "output/advice",
                           "output/report", "output/timeline", "commands/cli"),
    "commands/report": module("gpusim report: a saved result, rendered again",
                              "base", "model/stats", "machine/gpu", "output/text", "output/timeline", "output/report",
                              "commands/cli"),
    "commands/arch": module("architectures as people and programs read them: the comparison table, peaks, differences",
                            "base", "model/isa", "model/arch", "output/text", "commands/cli"),
    "commands/trace": module("what a trace does, and what the library of kernels holds; import and export",
                             "base", "model/", "machine/lower", "machine/gpu", "input/", "code/", "exec/",
                             "output/text", "commands/cli", "commands/launch"),
    "commands/disasm": module("gpusim disasm: the machine code of compiled kernels as text",
                              "base", "code/", "commands/cli"),
    "commands/exec": module("gpusim exec: executes compiled kernels without time, and checks what they calculate",
                            "base", "model/", "code/", "exec/", "commands/cli", "commands/launch"),
    "commands/occupancy": module("what there is to say about a launch's occupancy, as text with plots and as JSON",
                                 "base", "model/", "output/text", "output/plot", "commands/cli"),
    "commands/roofline": module("what a GPU's peaks allow work of given FLOPs and bytes, and what common operations "
                                "take", "base", "model/isa", "model/stats", "model/arch", "output/", "commands/cli"),
    "commands/system": module("gpusim system: what systems have, routes between their GPUs, and what copies reach",
                              "base", "model/isa", "model/policy/", "model/arch", "output/text", "system/config",
                              "system/models", "system/route", "system/collective", "commands/cli"),
    "commands/collective": module("gpusim collective: nccl-tests' table, calculated, and a measured one beside it",
                                  "base", "model/isa", "model/policy/", "model/arch", "output/text", "system/",
                                  "commands/cli", "commands/system"),
    "commands/fit": module("gpusim fit: whether a model fits a GPU, what takes the memory, what would make it fit",
                           "base", "model/isa", "model/policy/", "model/arch", "output/text", "system/config",
                           "system/models", "system/memory", "commands/cli", "commands/system"),
    "commands/compare": module("gpusim compare: results beside each other, and conditions under which they fail",
                               "base", "model/", "machine/", "output/text", "output/report", "output/compare",
                               "output/html", "commands/cli"),
    "commands/sweep/formula": module("formulas over the keys of a sweep: conditions, and what a point costs", "base"),
    "commands/sweep/study": module("what a sweep varies: axes, values, combinations, conditions, study files",
                                   "base", "model/isa", "model/arch", "commands/sweep/formula"),
    "commands/sweep/store": module("the database of a sweep: points with their results, studies, shards joined",
                                   "base"),
    "commands/sweep/analysis": module("what the points of a sweep teach: best, sensitivity, scaling, cost, bounds; "
                                      "plots", "base", "model/isa", "model/stats", "output/text", "output/plot",
                                      "commands/sweep/formula", "commands/sweep/store"),
    "commands/sweep/run": module("runs the points of a study that are not stored yet, on all cores, and stores each",
                                 "base", "model/", "machine/", "output/text", "output/report",
                                 "commands/sweep/formula", "commands/sweep/study", "commands/sweep/store"),
    "commands/app/times": module("what the kernels of an application take of a GPU, simulated where that is not known",
                                 "base", "model/", "machine/", "output/text", "output/report", "system/",
                                 "commands/cli", "commands/roofline", "commands/sweep/store", "commands/sweep/run"),
    "commands/app/step": module("a step of an application on a system, with what a user changes of both",
                                "base", "model/isa", "model/policy/", "model/arch", "system/", "commands/cli",
                                "commands/system", "commands/app/times"),
    "commands/app/kinds": module("applications by kind, from the texts of options", "base", "model/isa",
                                 "model/policy/", "model/arch", "system/", "commands/cli", "commands/system"),
    "commands/app": module("gpusim app: a step of an application, what bounds it, and its timeline",
                           "base", "model/isa", "model/policy/", "model/arch", "output/text", "output/html",
                           "system/", "commands/cli", "commands/system", "commands/app/times", "commands/app/step",
                           "commands/app/kinds"),
    "commands/validate": module("cases measured on silicon: their files, their simulation, and how far both are apart",
                                "base", "model/", "machine/", "input/text", "output/text", "output/report",
                                "system/", "commands/cli", "commands/system", "commands/sweep/run",
                                "commands/app/times", "commands/app/step", "commands/app/kinds"),
    "commands/sweep/submit": module("a sweep as jobs of a cluster: what to ask for, scripts, what to do next", "base"),
    "commands/sweep/steps": module("steps of applications as points of a sweep: their keys, read, run, summed up",
                                   "base", "model/", "machine/gpu", "output/text", "system/", "commands/cli",
                                   "commands/system", "commands/app/times", "commands/app/step", "commands/app/kinds",
                                   "commands/app", "commands/sweep/study", "commands/sweep/store",
                                   "commands/sweep/run"),
    "commands/sweep": module("gpusim sweep, sweep merge and sweep show", "base", "model/", "machine/gpu", "output/text",
                             "output/html", "system/", "commands/cli", "commands/app/times", "commands/sweep/"),
    "commands/lab/course": module("a lab as its folder describes it: what is run and asked, what is drawn",
                                  "base", "model/isa", "model/policy/", "model/arch", "commands/sweep/formula"),
    "commands/lab/check": module("a student's folder, what is right in it, hints, and reports of a check",
                                 "base", "model/isa", "model/policy/", "model/arch", "output/text",
                                 "commands/sweep/formula", "commands/lab/course"),
    "commands/lab/run": module("simulates what a lab asks about, each run in a process with limits",
                               "base", "model/", "machine/gpu", "output/view", "output/report", "output/html",
                               "output/compare", "code/", "exec/", "commands/cli", "commands/arch", "commands/launch",
                               "commands/sweep/formula", "commands/lab/course", "commands/lab/check"),
    "commands/lab/folder": module("labs by name, and the folders of students: begun, checked, solved",
                                  "base", "model/", "commands/cli", "commands/sweep/formula", "commands/lab/course",
                                  "commands/lab/check", "commands/lab/run"),
    "commands/lab/page": module("handouts as pages: Markdown as HTML, in the style of the viewer",
                                "base", "commands/lab/course"),
    "commands/lab/serve": module("the labs as pages on 127.0.0.1: who may ask, what each address does, runs beside it",
                                 "base", "model/", "commands/cli", "commands/sweep/formula", "commands/lab/course",
                                 "commands/lab/check", "commands/lab/run", "commands/lab/folder", "commands/lab/page"),
    "commands/lab": module("gpusim lab: start, check, grade and write labs", "base", "output/text", "code/compile",
                           "commands/cli", "commands/lab/"),
    "commands/help": module("gpusim help: what each command does, the man page, completions of shells",
                            "base", "model/", "input/text", "output/text", "output/report", "commands/cli",
                            "commands/lab/folder"),
    "app/shell": module("a program from its arguments to its exit code, and its version",
                        "base", "output/report", "commands/cli", "commands/run"),
    "app/core": module("the program gpusim-core: the main job on traces, built first",
                       "input/kind", "input/text", "commands/cli", "commands/run", "app/shell"),
    "app": module("the program gpusim: the tree of all commands", "commands/", "app/shell"),
})

# Prefix of an #include <...> -> the modules that may write it. Standard C++ headers are free; anything that is neither
# in the standard nor here is refused, so a new library needs a row.
HOMES = {
    "yaml-cpp/": {"model/arch"},
    "boost/asio/": {"commands/lab/serve"},
    "boost/beast/": {"commands/lab/serve"},
    "boost/": {"machine/gpu", "model/trace", "system/route", "system/run"},
    "nlohmann/": {"commands/app", "commands/arch", "commands/collective", "commands/fit", "commands/lab/check",
                  "commands/lab/run",
                  "commands/lab/serve", "commands/occupancy", "commands/roofline", "commands/sweep/analysis",
                  "commands/sweep/store", "commands/system", "commands/trace", "commands/validate", "output/compare",
                  "output/html", "output/report", "output/timeline", "code/cubin"},
    "simdjson.h": {"output/report", "system/kineto"},
    "google/protobuf/": {"input/container", "system/chakra"},
    "zstd.h": {"code/cubin", "commands/sweep/store", "input/accelsim", "input/container", "input/text"},
    "lz4.h": {"code/cubin"},
    "cxxabi.h": {"code/cubin"},
    "zstd_errors.h": {"input/text"},
    "sqlite3.h": {"commands/sweep/store", "system/nsys"},
    "xxhash.h": {"commands/sweep/store", "input/container"},
    "lzma.h": {"input/accelsim"},
    "zlib.h": {"base"},
    "re2/": {"base"},
    "csv.h": {"commands/occupancy"},
    "md4c.h": {"commands/lab/page"},
    "CLI/": {"app/shell", "commands/cli", "commands/help"},
    "spdlog/": {"commands/cli"},
    "fmt/": {"commands/app", "commands/arch", "commands/cli", "commands/collective", "commands/fit", "commands/lab",
             "commands/lab/check", "commands/lab/course", "commands/lab/folder", "commands/lab/run",
             "commands/occupancy",
             "commands/roofline", "commands/sweep", "commands/sweep/analysis", "commands/sweep/run",
             "commands/sweep/submit", "commands/system", "commands/trace", "commands/compare", "commands/validate",
             "output/advice", "output/compare", "output/plot", "output/report", "output/timeline", "output/view",
             "system/memory"},
    "fcntl.h": {"code/compile", "commands/lab/run", "commands/lab/serve", "commands/sweep", "commands/sweep/store"},
    "emmintrin.h": {"base"},
    "unistd.h": {"app/core", "base", "code/compile", "commands/cli", "commands/lab/run", "commands/lab/serve",
                 "commands/sweep", "commands/sweep/store"},
    "sys/file.h": {"commands/sweep/store"},
    "sys/mman.h": {"base"},
    "malloc.h": {"base"},
    "sys/stat.h": {"commands/sweep/store"},
    "sys/": {"code/compile", "commands/cli", "commands/lab/run", "commands/lab/serve", "commands/sweep"},
}
# Reported, not refused: how many headers of the project a source may lead to before it counts as an outlier.
MANY_HEADERS = 35
SHOWN_OUTLIERS = 10
# A report is laid out from its view: (folder, header) -> the sources of that folder that may lead to that header.
ONE_WAY = {
    ("sim/output/report/", "sim/model/stats/result.h"): {"report.cc", "json_read.cc", "markdown.cc"},
    ("sim/output/report/", "sim/model/stats/metrics.h"): set(),
}
# A module that is built before the others -> those that it may not wait for, not even through what it uses.
LEAN = {"app/core": ("input/accelsim", "input/container", "input/listing", "input/sass", "code/sass", "code/cubin",
                     "exec/core", "system/config", "output/compare", "commands/launch")}
# Only the command line prints. A command lives beside its library, so that file names tell them apart.
CONSOLE = "sim/commands/cli/console.h"
CONSOLE_USER = re.compile(r"sim/(?:app/(?:core|shell)|commands/(?:cli|sweep))/[^/]+$|sim/commands/\w+/\w*command\.cc$")
CONSOLE_ITSELF = re.compile(r"sim/(?:app/shell|commands/cli)/")
PRINTING = re.compile(r"\bstd::(?:cout|cerr|clog)\b|\b(?:f?printf|f?puts|putchar|perror)\(")
STANDARD = re.compile(r"^[a-z_0-9]+$")
# The page whose first block of code is the tree of sim/: a line "  model/ ..." begins a folder, and "isa/" in it names
# one of its own.
TREE_PAGE = "docs/architecture.md"
FENCED = re.compile(r"^```$.*?^```$", re.DOTALL | re.MULTILINE)
TREE_FOLDER = re.compile(r"^  (\w+)/", re.MULTILINE)
TREE_WORD = re.compile(r"(\w+)/")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
CMAKE_CALL = re.compile(r"gpusim_(?:module|program)\(([^)]*)\)")
CMAKE_KEYWORD = re.compile(r"\b(DEPENDS|LINK)\b")


def module_of(parts):
    """The module of a path below sim/, given as its parts with the file's name last; None when there is none."""
    name = "/".join(parts[:-1])
    return name if name in MODULES else None


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
    name = "/".join(shown.parts)
    for number, line in enumerate(path.read_text().splitlines(), 1):
        prints = PRINTING.search(line.split("//")[0]) and not CONSOLE_ITSELF.match(name)
        if prints or (CONSOLE in line and not CONSOLE_USER.match(name)):
            problems.append(f"{shown}:{number}: only the command line prints: app, commands/cli and *command.cc")
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


def linked_modules(text):
    """The modules that a CMakeLists.txt links; None when it defines no module."""
    call = CMAKE_CALL.search(text)
    if call is None:
        return None
    pieces = CMAKE_KEYWORD.split(call.group(1))
    return pieces[pieces.index("DEPENDS") + 1].split() if "DEPENDS" in pieces else []


def check_cmake(root):
    problems = []
    above = []
    for name, entry in MODULES.items():
        path = root / "sim" / name / "CMakeLists.txt"
        shown = path.relative_to(root)
        linked = linked_modules(path.read_text()) if path.is_file() else None
        if linked is None:
            problems.append(f"{shown}: does not define the module {name}")
            continue
        linked = set(expanded(linked, above))
        above.append(name)
        for extra in sorted(linked - set(entry.uses)):
            problems.append(f"{shown}: {name} links {extra}, which the table does not allow")
        for missing in sorted(set(entry.uses) - linked):
            problems.append(f"{shown}: {name} does not link {missing}, which the table names")
    return problems


def reached_headers(root):
    """Source -> the headers of the project that its includes lead to."""
    included = {}
    for path in (p for p in (root / "sim").rglob("*") if p.suffix in {".h", ".cc"}):
        hits = map(INCLUDE.match, path.read_text().splitlines())
        included[path.relative_to(root).as_posix()] = [hit.group(2) for hit in hits if hit and hit.group(1) == '"']
    headers = {}
    for source in (name for name in included if name.endswith(".cc")):
        reached, ahead = set(), [source]
        while ahead:
            new = set(included.get(ahead.pop(), ())) - reached
            reached |= new
            ahead += new
        headers[source] = reached
    return headers


def check_one_way(headers):
    problems = []
    for (folder, header), allowed in ONE_WAY.items():
        problems += [f"{source}: must not lead to {header}, what it shows stands in the view"
                     for source, reached in sorted(headers.items())
                     if source.startswith(folder) and header in reached
                     and source.removeprefix(folder) not in allowed]
    return problems


def check_lean():
    reach = {}
    for name, entry in MODULES.items():
        reach[name] = set(entry.uses).union(*(reach[used] for used in entry.uses))
    return [f"{name} must not stand on {heavy}: a first run would wait for it"
            for name, refused in LEAN.items() for heavy in refused if heavy in reach[name]]


def tree_sections(page):
    """Folder of sim/ -> what the tree of the page, its first block of code, says from that folder to the next."""
    tree = FENCED.search(page)
    pieces = TREE_FOLDER.split(tree.group(0) if tree else "")
    return dict(zip(pieces[1::2], pieces[2::2]))


def check_tree(root):
    """The tree of the source, as people read it, has the folder of each module."""
    sections = tree_sections((root / TREE_PAGE).read_text()) if (root / TREE_PAGE).exists() else {}
    problems = []
    for name in MODULES:
        top, *below = name.split("/")
        known = set(TREE_WORD.findall(sections.get(top, "")))
        missing = top not in sections or any(folder not in known for folder in below)
        problems += [f"{TREE_PAGE}: its tree does not have sim/{name}/"] if missing else []
    return problems


def outliers(headers):
    """A line on the sources that reach most headers; more headers, more to read before a source makes sense."""
    counts = {source: len(reached) for source, reached in headers.items()}
    many = sorted((name for name, count in counts.items() if count > MANY_HEADERS), key=lambda n: (-counts[n], n))
    worst = ", ".join(f"{name} {counts[name]}" for name in many[:SHOWN_OUTLIERS])
    return f"{len(many)} of {len(counts)} sources reach more than {MANY_HEADERS} headers{': ' if many else ''}{worst}"


def without_detours(uses_of):
    """Node -> the nodes it uses, without those that follow from others: what a drawing needs. Bottom up."""
    reach = {}
    direct = {}
    for name, uses in uses_of.items():
        below = set().union(*(reach[used] for used in uses))
        direct[name] = [used for used in uses if used not in below]
        reach[name] = below | set(uses)
    return direct


def direct_uses():
    return without_detours({name: entry.uses for name, entry in MODULES.items()})


def group_uses():
    """The same of the folders of sim/ that hold modules."""
    uses = {}
    for name, entry in MODULES.items():
        group = name.split("/")[0]
        used = uses.setdefault(group, [])
        used += [g for g in dict.fromkeys(u.split("/")[0] for u in entry.uses) if g != group and g not in used]
    return without_detours(uses)


def uses_within(group):
    """The same of the modules of one group, named without it."""
    inside = {name: entry.uses for name, entry in MODULES.items() if name.startswith(group)}
    short = {name.removeprefix(group): [u.removeprefix(group) for u in uses if u in inside]
             for name, uses in inside.items()}
    return without_detours(short)


def homes_of(name):
    return sorted(prefix.rstrip("/") for prefix, homes in HOMES.items() if name in homes)


def graphviz():
    lines = ["digraph modules {", "  rankdir=BT;", "  node [shape=box];"]
    for name, uses in direct_uses().items():
        lines += [f'  "{name}";'] + [f'  "{name}" -> "{used}";' for used in uses]
    return "\n".join(lines + ["}"])


def mermaid(uses_of):
    lines = ["```mermaid", "graph BT"]
    for name, uses in uses_of.items():
        node = f"{name.replace('/', '_')}[{name}]"
        lines += [f"  {node} --> {used.replace('/', '_')}" for used in uses] or [f"  {node}"]
    return lines + ["```"]


def markdown(height):
    lines = ["The folders, each with its modules:", "", *mermaid(group_uses()), "",
             "The modules of `sim/machine`:", "", *mermaid(uses_within("machine/")), "",
             "| module | what it is for | stands on | other libraries | layer |", "| --- | --- | --- | --- | --- |"]
    for name, uses in direct_uses().items():
        libraries = ", ".join(f"`{home}`" for home in homes_of(name))
        below = ", ".join(f"`{used}`" for used in uses)
        lines.append(f"| `sim/{name}` | {MODULES[name].purpose} | {below} | {libraries} | {height[name]} |")
    return "\n".join(lines)


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
    headers = reached_headers(args.root)
    problems = check_includes(args.root) + check_cmake(args.root) + check_one_way(headers) + check_lean()
    problems += check_tree(args.root)
    print(outliers(headers))
    print("\n".join(problems) or f"{len(MODULES)} modules, {max(height.values())} layers, no stray include")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
