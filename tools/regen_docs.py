#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the generated parts of the documents, or with --check fails when one is stale.

A generated part stands between "<!-- generated: NAME -->" and "<!-- end of generated part -->"; everything around it is
written by hand. PARTS says where each comes from; PICTURES are whole files, drawn from the tables. Reports of full size
take a minute each: only --reports runs them again, and otherwise the one in the document has to have the sections that
the program prints today. The tables of traces walk only kernels whose row is not there, with the same defaults and
size of file; --reports walks all, and simulates the slow micro cases and the pairs of docs/advice.md, which otherwise
keep what they were simulated to; so do studies of whole training steps.
"""
import argparse
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap

import advice_pairs
import curve_errors
import curve_plots
import instruction_counts
import kernel_picture
import kernel_suite
import mechanism_changes
import mechanism_curves
import model_tables
import ratio_errors
import step_suite
import studies
import timeline_picture
import trace_tables

END = "<!-- end of generated part -->"
# What the report says of the machine that ran it, and differs from run to run.
HOST_LINE = re.compile(r"^  simulated in .*\n", re.MULTILINE)
# A heading of the report stands at the margin, and what it is about after two spaces.
HEADING = re.compile(r"^([A-Z][A-Za-z -]*?[a-z])(?:  .*)?$", re.MULTILINE)


def start_of(name):
    return f"<!-- generated: {name} -->"


def find_part(document, name):
    """The match of what stands between the marks; raises ValueError when the document has no such part."""
    found = re.search(re.escape(start_of(name)) + r"\n(.*?)" + re.escape(END), document, re.DOTALL)
    if not found:
        raise ValueError(f"has no part '{start_of(name)} ... {END}'")
    return found


def part_of(document, name):
    return find_part(document, name).group(1).strip()


def replaced(document, name, part):
    start, end = find_part(document, name).span(1)
    return f"{document[:start]}\n{part.strip()}\n\n{document[end:]}"


def fenced(text):
    return f"```\n{text.strip()}\n```"


def output_of(context, *words):
    """What a command prints, in ASCII and without colour."""
    environment = {**os.environ, "LC_ALL": "C", "NO_COLOR": "1"}
    environment.pop("COLUMNS", None)
    done = subprocess.run(words, cwd=context.root, env=environment, capture_output=True, text=True, check=False)
    # "Does not fit" is an answer with an exit code of its own.
    if done.returncode not in (0, CANNOT_FINISH) or done.stderr:
        raise ValueError(f"{' '.join(map(str, words))}: {done.stderr.strip() or f'exit {done.returncode}'}")
    return done.stdout


def include_graph(_, context):
    return output_of(context, sys.executable, "tools/check_layers.py", "--markdown")


def report(arch, old, context):
    """The report of flashattn.trace: run again on request, else the old one if it has the sections of a small run."""
    if context.program is None:
        return old
    words = [context.program, "--quiet", "--arch", f"configs/{arch}", "--trace", "traces/flashattn.trace"]
    if context.reports:
        return fenced(HOST_LINE.sub("", output_of(context, *words)))
    small = HEADING.findall(output_of(context, *words, "--test-params"))
    if HEADING.findall(old) != small:
        raise ValueError(f"the report on {arch} has not the sections {', '.join(small)}; "
                         "tools/regen_docs.py --reports --program GPUSIM runs it again")
    return old


def excerpt(headings, _, context):
    """The verdict and some sections of the report on the H100, as docs/first-report.md has it."""
    text = part_of((context.root / "docs/first-report.md").read_text(), "report-h100").replace("```", "")
    pieces = re.split(r"\n\n(?=\S)", text.strip())
    return fenced("\n\n".join(p for i, p in enumerate(pieces) if i == 1 or p.split("  ")[0] in headings))


def command(arguments, old, context):
    """A command that takes no time, as typed over several lines, and what it prints."""
    if context.program is None:
        return old
    words = shlex.split(arguments.replace("\\\n", ""))
    return fenced(f"$ gpusim {arguments}\n{output_of(context, context.program, *words)}")


def section(heading, arguments, old, context):
    """One table of what a command prints, or all of it where there is no such table."""
    if context.program is None:
        return old
    text = output_of(context, context.program, *shlex.split(arguments))
    found = re.search(rf"^{heading}.*\n(?:.+\n)+", text, re.MULTILINE)
    return fenced(f"$ gpusim {arguments}\n{found.group() if found else text}")


def study(arguments, old, context):
    """A command of a study, as typed, and the first part of what it prints."""
    if context.program is None:
        return old
    with tempfile.TemporaryDirectory() as folder:
        words = studies.sweep_words(arguments, pathlib.Path(folder) / "sweep.db")
        return fenced(f"$ gpusim {arguments}\n{studies.shown(arguments, output_of(context, context.program, *words))}")


def on_request(make):
    """What takes minutes to simulate: run again on request only."""
    return lambda old, context: make(old, context) if context.program and context.reports else old


def study_table(make, _, context):
    """A table of training steps, which are made from options and run."""
    def step_of(options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "step.yaml"
            words = shlex.split(f"app make transformer-train --model gpt2 --dropout none {options}")
            output_of(context, context.program, *words, "--quiet", "-o", path)
            return json.loads(output_of(context, context.program, "app", path, "--quiet", "--format", "json"))

    return make(step_of)


def refusals(commands, old, context):
    """Commands that are refused, as typed, and what each says."""
    if context.program is None:
        return old
    lines = []
    for arguments in commands:
        done = subprocess.run([context.program, *shlex.split(arguments)], cwd=context.root, capture_output=True,
                              text=True, check=False, env={**os.environ, "LC_ALL": "C", "NO_COLOR": "1"})
        if done.returncode == 0:
            raise ValueError(f"gpusim {arguments} is not refused")
        lines += [f"$ gpusim {arguments}", done.stderr.strip()]
    return fenced("\n".join(lines))


def comparison(arguments, old, context):
    """A comparison that takes a minute to simulate: run again on request. Of a third result only the sentences."""
    if not context.reports:
        return old
    text = command(arguments, old, context).strip().strip("`")
    start = text.find("\nC against A")
    end = text.find("\nSet differently", start)
    return fenced(text if start < 0 else f"{text[:end]}\n...")


def trace_info(words, context):
    return json.loads(output_of(context, context.program, "trace", "info", *words, "--format", "json"))


def library(family, old, context):
    """A row for each kernel of a family of the library."""
    def info_of(text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "made.trace"
            path.write_text(text)
            return trace_info([path], context)

    if context.program is None:
        return old
    listed = json.loads(output_of(context, context.program, "trace", "make", "--list", "--format", "json"))
    kernels = [kernel for kernel in listed["kernels"] if kernel["family"] == family]
    return trace_tables.library(kernels, old, context.reports,
                                lambda name: output_of(context, context.program, "trace", "make", name), info_of)


def shipped_traces(old, context):
    """A row for each file of traces/."""
    return trace_tables.shipped((context.root / "traces").glob("*.trace"), old, context.reports,
                                lambda path, test: trace_info([path, *["--test-params"] * test], context))


COMPARISONS = {
    "transposes": "compare --arch h100 --trace transpose-naive \\\n"
                  "    --trace transpose-shared --trace transpose-padded",
    "padding": "compare --arch h100 --trace transpose-shared --trace transpose-padded",
    "attention": "compare --arch h100 --param heads=4 --param seq=512 \\\n"
                 "    --trace attention-naive:d=128,type=bf16 --trace flash-attention-2:batch=1",
}
ROOFLINE = r"""roofline --arch h100 \
    --name "one token" --flops "33.6 MFLOP"  --bytes "33.6 MB" \
    --name "64 tokens" --flops "2.15 GFLOP"  --bytes "34.6 MB" \
    --name prompt      --flops "137.4 GFLOP" --bytes "100.7 MB"
"""

def once(make):
    """Makes it at the first call for a context and remembers it there, or that it failed."""
    def made(context):
        memory = vars(context).setdefault("memory", {})
        if make not in memory:
            try:
                memory[make] = make(context)
            except ValueError as failure:
                memory[make] = failure
        if isinstance(memory[make], ValueError):
            raise memory[make]
        return memory[make]
    return made


@once
def validation_of(context):
    """What `gpusim validate` says of the micro suite without its slow cases: as text, and as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cases.json"
        text = output_of(context, context.program, *shlex.split(VALIDATION), "--json", path, "--quiet")
        return text, json.loads(path.read_text())


def worst_cases(_, context):
    """As `command`, of the same run as the tables of cases, up to the worst cases that count."""
    text = validation_of(context)[0]
    lines = text.splitlines()
    shown = lines[:lines.index("Counted") + 2 + WORST_CASES] + ["  ..."]
    return fenced(f"$ gpusim {VALIDATION}\n" + "\n".join(shown))


def case_pages(_, context):
    """The index of the pages of cases, from the tables that they have."""
    pages = {page: (context.root / page).read_text() for page in model_tables.CASE_PAGES}
    return model_tables.index({page.removeprefix("docs/"): text for page, text in pages.items()})


@once
def cases_of(context):
    """The micro cases as JSON: of a file where one is given, else run, with the slow ones where wanted."""
    if context.cases:
        return json.loads(context.cases.read_text())
    if not context.reports:
        return validation_of(context)[1]
    return json.loads(output_of(context, context.program, *shlex.split(VALIDATION), "--all", "--format", "json"))


@once
def described_parts(context):
    return {name: json.loads(output_of(context, context.program, "arch", "show", f"configs/{name}.yaml", "-f", "json"))
            for name in (model_tables.MAIN, *model_tables.OTHERS)}


def parameters(mechanism, _, context):
    return model_tables.parameters(mechanism, described_parts(context))


def mechanism_cases(mechanism, old, context):
    return model_tables.mechanism_cases(mechanism, cases_of(context), old)


def ratios(_, context):
    """How far simulated ratios are off, from the table of every kernel beside silicon."""
    return ratio_errors.table(tables_of((EVERY_KERNEL_PAGE,), context.root),
                              tables_of(("docs/architecture-files.md",), context.root))


def of_kernels(make):
    """Makes a part from the kernel suite's JSON; left alone where none is given."""
    return lambda old, context: make(json.loads(context.kernels.read_text())) if context.kernels else old


def of_steps(old, context):
    """The table of steps, with the rows of the suite's JSON files in place of old ones."""
    return step_suite.cases(old, [json.loads(path.read_text()) for path in context.steps]) if context.steps else old


def step_kinds(_, context):
    """Mean errors by kind, of the table of steps in the same page."""
    return step_suite.kinds(part_of((context.root / STEPS_PAGE).read_text(), "steps-cases"))


def kernel_accuracy(_, context):
    """What docs/validation-kernels.md says of the kernel suite as a whole."""
    summary = part_of((context.root / KERNELS_PAGE).read_text(), "kernels-summary")
    said = f"{summary[0].lower()}{summary[1:]}"
    return f"In the suite of whole kernels, {said}\n[{KERNELS_PAGE}]({KERNELS_PAGE}) lists them by kind."


def with_program(make):
    """Leaves the part alone where no program is given to make it with."""
    return lambda old, context: old if context.program is None else make(old, context)


def with_cases(make):
    """Leaves the part alone where the micro cases are not simulated."""
    return with_program(lambda old, context: old if context.keep_cases else make(old, context))


def outside_tolerance(context):
    """A line for each counted micro case that is off by more than its tolerance, of those that were simulated."""
    if context.program is None or context.keep_cases:
        return []
    try:
        cases = cases_of(context)["cases"]
    except ValueError as failure:
        return [str(failure)]
    return [f"case {case['id']}: simulated {case['simulated']}, measured {case['measured']}: beyond its tolerance"
            for case in cases if case["counted"] and not case["within_tolerance"]]


def dram_reference(old, context):
    """What the test of DRAM prints, built with the program or by tools/test --all, whichever was built last.

    Left alone where neither was built, and with --keep-cases.
    """
    folders = [context.program.parents[2], context.root / "build/check"] if context.program else []
    tests = [folder / "tests/machine/mem/dram/test_machine_mem_dram" for folder in folders]
    built = [test for test in tests if test.exists()]
    if not built or context.keep_cases:
        return old
    test = max(built, key=lambda path: path.stat().st_mtime)
    printed = output_of(context, test, "[.dram-reference]")
    return printed[printed.index("|"):printed.rindex("\n" + "=" * 20)]


def advice_outcomes(old, context):
    """Some twenty whole runs: again on request only."""
    if context.program is None or not context.reports:
        return old

    def result_of(arguments):
        return json.loads(output_of(context, context.program, *shlex.split(arguments), "--quiet", "--format", "json"))

    return advice_pairs.table([advice_pairs.outcome(pair, *map(result_of, advice_pairs.commands(pair)))
                               for pair in advice_pairs.PAIRS])


def advice_commands(_old, _context):
    return fenced(advice_pairs.command_lines())


def tables_of(pages, root):
    """The text of pages with tables; a page that is not there has none."""
    paths = [root / page for page in pages]
    return "\n".join(path.read_text() for path in paths if path.exists())


def curve_summary(_, context):
    return curve_errors.summary(tables_of(model_tables.CASE_PAGES, context.root))


MECHANISM_SOURCES = (mechanism_changes.BEFORE, *model_tables.CASE_PAGES)


def mechanisms_table(_, context):
    return mechanism_changes.table(tables_of(MECHANISM_SOURCES, context.root))


def instruction_budget(_, context):
    return instruction_counts.markdown(instruction_counts.read_budget(context.root / "tools/instruction_budget.json"))


def instruction_distances(_, context):
    return instruction_counts.distances(instruction_counts.read_budget(context.root / "tools/instruction_budget.json"))


def timelines(_, context):
    folders = [context.root / "tests" / name for name in ("machine/sm", "system")]
    files = (path for folder in folders for path in folder.glob("*_test.cc"))
    return model_tables.timelines({str(path.relative_to(context.root)): path.read_text() for path in files})


FAMILIES = ("memory", "reductions and scans", "stencils and images", "dense", "deep learning", "irregular", "machine")
def accuracy(_, context):
    """How far the micro suite is off, in a sentence."""
    summary = validation_of(context)[1]["summary"]
    return (f"{summary['cases']} micro-benchmark cases count: the mean error is {summary['mean_abs_error_pct']:.1f} %, "
            f"90 % of them are within {summary['p90_abs_error_pct']:.1f} %, and the worst is off by\n"
            f"{summary['max_abs_error_pct']:.1f} %. [docs/validation.md](docs/validation.md) leads to every case.")


def exit_codes(_, context):
    """The last paragraph of the program's help, one line per code."""
    text = " ".join(output_of(context, context.program, "--help").split())
    codes = re.search(r"Exit codes: (.*)\.", text).group(1)
    rows = (one.split(" ", 1) for one in re.split(r"; (?=\d)", codes))
    return "\n".join(["| exit code | when |", "| --- | --- |", *(f"| {code} | {when} |" for code, when in rows)])


def modelled(_, context):
    """One line per page on the model, with the titles of its sections."""
    lines = []
    for page, name in MODEL_PAGES.items():
        sections = SECTION.findall((context.root / page).read_text())
        titles = [title for title in sections if title not in NO_MECHANISM]
        lines += textwrap.wrap(f"- [{name}]({page}): {', '.join(titles)}.", 118, subsequent_indent="  ")
    return "\n".join(lines)


KERNELS_PAGE = "docs/validation-kernels.md"
EVERY_KERNEL_PAGE = "docs/validation/every-kernel.md"
STEPS_PAGE = "docs/validation/every-step.md"
PARTS_TABLE = "arch list\n"
SYSTEMS_TABLE = "system list\n"
SYSTEM = "system show dgx-a100\n"
APPLICATION = "app elementwise-chain\n"
SLOWED = "app overlapped-all-reduce\n"
CANNOT_FINISH = 3
VALIDATION = "validate --suite micro\n"
WORST_CASES = 25
# The pages on the model, in the order of the data's way, and what the list on the front page calls them.
MODEL_PAGES = {
    "docs/model/sm.md": "SM", "docs/model/registers-and-tensor.md": "Registers and tensor cores",
    "docs/model/divergence.md": "Divergence", "docs/model/load-store.md": "Load and store",
    "docs/model/async.md": "Clusters and copies", "docs/model/memory.md": "Memory", "docs/model/l2.md": "L2",
    "docs/model/dram.md": "DRAM", "docs/model/engine.md": "Time", "docs/model/power.md": "Power"}
# A section's title, without the sources that it names.
SECTION = re.compile(r"^## (?P<title>[^(\n]+?)(?: \(`[^\n]*\))?$", re.MULTILINE)
# Sections that are about no mechanism.
NO_MECHANISM = {
    "Limits", "Listings checked by hand", "How long it takes", "What it costs", "Latency against working set",
    "Bandwidth against occupancy", "Read bandwidth against working set", "How evenly strides spread",
    "Beside Ramulator 2", "Where the energies come from", "What it does not have"}
WATCHED = "--arch h100 --trace saxpy --param n=500000"
WATCH = f"{WATCHED} --watch sm=0,warp=3,cycles=0..600\n"
WHY = f"{WATCHED} --why sm=0,warp=3,cycle=700\n"
WHY_NOT = (f"{WATCHED} --why warp=3,cycle=999999", f"{WATCHED} --why warp=3,cycle=50")
OCCUPANCY = "occupancy --arch h100 --regs 168 --block 128 --smem 96KiB\n"


# Document, name of the part, and what makes it from the old one and the context. In order: the last one reads another.
PARTS = [
    ("docs/advice.md", "advice-outcomes", advice_outcomes),
    ("docs/advice.md", "advice-commands", advice_commands),
    ("docs/architecture.md", "include-graph", include_graph),
    ("docs/performance.md", "instruction-budget", instruction_budget),
    ("docs/performance.md", "instruction-distances", instruction_distances),
    ("docs/architecture-files.md", "parts", functools.partial(command, PARTS_TABLE)),
    ("docs/systems.md", "systems", functools.partial(command, SYSTEMS_TABLE)),
    ("docs/systems.md", "system-example", functools.partial(command, SYSTEM)),
    ("docs/applications.md", "app-example", functools.partial(command, APPLICATION)),
    ("docs/applications.md", "app-slowed", functools.partial(section, "Kernels slowed by others", SLOWED)),
    *((f"{studies.FOLDER}/{page}.md", f"study-{name}", functools.partial(study, arguments))
      for page, parts in studies.QUICK.items() for name, arguments in parts.items()),
    *((f"{studies.FOLDER}/{page}.md", f"study-{name}", on_request(functools.partial(study, arguments)))
      for page, parts in studies.STEPS.items() for name, arguments in parts.items()),
    *((f"{studies.FOLDER}/{page}.md", f"study-{name}", on_request(functools.partial(study_table, make)))
      for page, parts in studies.TABLES.items() for name, make in parts.items()),
    ("docs/memory.md", "fit-example", functools.partial(command, f"{studies.FIT} --train\n")),
    ("docs/timelines.md", "watch-example", functools.partial(command, WATCH)),
    ("docs/timelines.md", "why-example", functools.partial(command, WHY)),
    ("docs/timelines.md", "why-refusals", functools.partial(refusals, WHY_NOT)),
    ("docs/occupancy.md", "occupancy-example", functools.partial(command, OCCUPANCY)),
    *(("docs/compare.md", f"compare-{name}", functools.partial(comparison, arguments))
      for name, arguments in COMPARISONS.items()),
    ("docs/validation.md", "worst-cases", with_cases(worst_cases)),
    ("docs/first-report.md", "report-h100", functools.partial(report, "h100.yaml")),
    ("docs/first-report.md", "report-a100", functools.partial(report, "a100.yaml")),
    ("docs/roofline.md", "roofline-example", functools.partial(command, ROOFLINE)),
    *(("docs/kernels.md", f"library-{family.replace(' ', '-')}", functools.partial(library, family))
      for family in FAMILIES),
    ("traces/README.md", "shipped", with_program(shipped_traces)),
    *((page, f"{mechanism}-parameters", with_program(functools.partial(parameters, mechanism)))
      for page, mechanisms in model_tables.PARAMETER_PAGES.items() for mechanism in mechanisms),
    *((page, f"{mechanism}-cases", with_cases(functools.partial(mechanism_cases, mechanism)))
      for page, mechanisms in model_tables.CASE_PAGES.items() for mechanism in mechanisms),
    ("docs/validation.md", "case-pages", case_pages),
    ("docs/model/sm.md", "timelines", timelines),
    ("docs/validation/memory-curves.md", "curve-summary", curve_summary),
    (mechanism_changes.PAGE, "mechanism-changes", mechanisms_table),
    ("docs/validation/dram-reference.md", "dram-reference", with_program(dram_reference)),
    *((KERNELS_PAGE, f"kernels-{name.replace('_', '-')}", of_kernels(getattr(kernel_suite, name)))
      for name in ("summary", "worst", "by_kind", "by_part", "by_state", "ladders", "top_stalls", "counters")),
    (EVERY_KERNEL_PAGE, "kernels-cases", of_kernels(kernel_suite.cases)),
    ("docs/profiles.md", "ratios", ratios),
    (STEPS_PAGE, "steps-cases", of_steps),
    (STEPS_PAGE, "steps-kinds", step_kinds),
    ("README.md", "accuracy", with_cases(accuracy)),
    ("README.md", "kernel-accuracy", kernel_accuracy),
    ("README.md", "exit-codes", with_program(exit_codes)),
    ("README.md", "modelled", modelled),
    ("README.md", "report-excerpt", functools.partial(excerpt, ("Speed of light", "Warp states"))),
]

# Whole files, the pages whose tables each is drawn from, and what draws it.
PICTURES = [
    ("docs/pictures/validation-kernels.svg", (EVERY_KERNEL_PAGE,), kernel_picture.picture),
    ("docs/pictures/mechanisms.svg", MECHANISM_SOURCES, mechanism_changes.picture),
    ("docs/pictures/mechanism-curves.svg", MECHANISM_SOURCES, mechanism_curves.picture),
    ("docs/pictures/memory/all-curves.svg", tuple(model_tables.CASE_PAGES), curve_errors.picture),
    *((f"docs/pictures/studies/{page}.svg", (f"{studies.FOLDER}/{page}.md",), draw)
      for page, draw in studies.PICTURES.items()),
    *((f"docs/pictures/memory/{name}.svg", tuple(model_tables.CASE_PAGES), functools.partial(curve_plots.picture, name))
      for name in curve_plots.FAMILIES),
]


def update_picture(picture, context):
    """Draws a picture again if its tables have anything to show; returns a problem or None."""
    name, pages, draw = picture
    path = context.root / name
    new = draw(tables_of(pages, context.root))
    if new is None or (path.exists() and path.read_text() == new):
        return None
    if context.check:
        return f"{name}: is stale; tools/regen_docs.py brings it up to date"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(new)
    return None


def update_timeline(context):
    """Draws the picture of a timeline again, with the program; returns a problem or None."""
    application = context.root / f"traces/applications/{timeline_picture.APPLICATION}.yaml"
    if context.program is None or context.only not in timeline_picture.PICTURE or not application.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "step.json"
        try:
            output_of(context, context.program, "app", timeline_picture.APPLICATION, "--kernel-times", "none",
                      "--quiet", "--timeline", str(file))
        except ValueError as error:
            return f"{timeline_picture.PICTURE}: {error}"
        new = timeline_picture.picture_of(file)
    path = context.root / timeline_picture.PICTURE
    if path.exists() and path.read_text() == new:
        return None
    if context.check:
        return f"{timeline_picture.PICTURE}: is stale; tools/regen_docs.py --program GPUSIM brings it up to date"
    path.write_text(new)
    return None


def update(part, context):
    """Brings one part up to date; returns a problem or None."""
    document, name, make = part
    path = context.root / document
    if not path.exists():
        return f"{document}: is not there"
    old = path.read_text()
    try:
        new = replaced(old, name, make(part_of(old, name), context))
    except ValueError as error:
        return f"{document}: '{name}': {error}"
    if new != old and context.check:
        return f"{document}: '{name}' is stale; tools/regen_docs.py brings it up to date"
    if new != old:
        path.write_text(new)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--program", type=lambda path: pathlib.Path(path).resolve(),
                        help="the built gpusim; without it the reports are left alone")
    parser.add_argument("--reports", action="store_true", help="run the reports again, at full size")
    parser.add_argument("--cases", type=pathlib.Path,
                        help="what `gpusim validate --suite micro --all --json FILE` wrote: not simulated again then")
    parser.add_argument("--keep-cases", action="store_true", help="leave the tables of micro cases as they are")
    parser.add_argument("--kernels", type=pathlib.Path,
                        help="what `gpusim validate --suite kernels --json FILE` wrote: the tables of that page")
    parser.add_argument("--steps", type=pathlib.Path, nargs="+", default=[],
                        help="what `gpusim validate --suite steps --json FILE` wrote, whole or in parts: those rows")
    parser.add_argument("--only", default="", metavar="TEXT", help="what has this in its path: --only validation/")
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a part is stale")
    context = parser.parse_args()
    if context.reports and context.program is None:
        parser.error("--reports needs --program")
    parts = [part for part in PARTS if context.only in part[0]]
    pictures = [picture for picture in PICTURES if any(context.only in path for path in (picture[0], *picture[1]))]
    made = [update(part, context) for part in parts] + [update_picture(picture, context) for picture in pictures]
    made.append(update_timeline(context))
    problems = [problem for problem in made if problem] + (outside_tolerance(context) if context.check else [])
    print("\n".join(problems) or f"{len(parts)} generated parts and {len(pictures)} pictures are up to date")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
