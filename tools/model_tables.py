# SPDX-License-Identifier: MIT
"""The tables of docs/model/ and docs/validation/: of each mechanism its parameters with their sources, and its micro
cases simulated and measured. Pure functions of what `gpusim arch show` and `gpusim validate` print as JSON, and of
the tests' text."""
import re

# The mechanisms: the word that cases have as `mechanism`; keys of the architecture, and classes of sm.timing.
MECHANISMS = {
    "residency": (("sm.limits.", "sm.shared.carveouts", "sm.shared.reserved", "sm.shared.allocation", "launch.cta",
                   "launch.completion"), ()),
    "fetch": (("sm.front_end.",), ()),
    "clusters": (("sm.limits.ctas_per_cluster", "noc.cluster_", "noc.dsmem_"), ()),
    "dependences": (("sm.dependence", "sm.guard_latency"), ()),
    "constants": (("sm.constant.",), ()),
    "pipes": (("sm.sub_cores", "sm.scheduler."), ("fma", "imad", "imad_wide", "alu", "half", "fp64", "mufu", "convert",
                                                   "uniform", "branch", "vote", "default")),
    "registers": (("sm.register_file.",), ()),
    "mma": ((), ("hmma", "imma", "bmma", "dmma", "qmma")),
    "wgmma": (("sm.wgmma.", "sm.tensor."), ()),
    "divergence": (("sm.simt",), ()),
    "lsu": (("sm.lsu.", "sm.barrier_", "sm.shared.latency"), ("shuffle", "redux", "special_read",
                                                                     "constant_load", "fence")),
    "l1": (("sm.l1.",), ()),
    "mbarrier": (("sm.mbarrier.",), ("mbarrier", "register_pool")),
    "tma": (("sm.tma.",), ()),
    "chase": (("noc.sm_to_gpc_latency", "noc.gpc_to_l2_latency", "noc.l2_to_gpc_latency", "noc.gpc_to_sm_latency",
               "noc.partition_link_latency", "l2.tag_latency", "l2.data_latency", "l2.bytes", "l2.ways",
               "dram.controller_latency"), ()),
    "translation": (("tlb.",), ()),
    "occupancy-curve": (("launch.cta", "launch.completion", "dram.bandwidth", "dram.channels", "dram.queue_entries"),
                        ()),
    "l2-bandwidth": (("l2.slices", "l2.partitions", "l2.slice_bytes_per_cycle", "noc.gpc_", "noc.slice_", "noc.sm_re",
                      "noc.partition_link_bytes_per_cycle"), ()),
    "atomics": (("l2.atomic_",), ()),
    "kernels": ((), ()),
}
# The pages on the model, and the mechanisms whose parameters each of them shows.
PARAMETER_PAGES = {
    "docs/model/sm.md": ("residency", "fetch", "dependences", "constants", "pipes"),
    "docs/model/registers-and-tensor.md": ("registers", "mma", "wgmma"),
    "docs/model/divergence.md": ("divergence",),
    "docs/model/load-store.md": ("lsu", "l1"),
    "docs/model/async.md": ("clusters", "mbarrier", "tma"),
    "docs/model/memory.md": ("chase", "translation"),
    "docs/model/l2.md": ("l2-bandwidth", "atomics"),
    "docs/model/dram.md": ("occupancy-curve",),
}
# The pages with cases, and the mechanisms of each. A case stands on one page: that of its mechanism.
CASE_PAGES = {
    "docs/validation/issue.md": ("constants", "pipes", "registers", "divergence"),
    "docs/validation/tensor.md": ("mma", "wgmma"),
    "docs/validation/load-store.md": ("lsu",),
    "docs/validation/l1.md": ("l1",),
    "docs/validation/async.md": ("clusters", "tma"),
    "docs/validation/memory-latency.md": ("chase", "translation"),
    "docs/validation/dram.md": ("occupancy-curve",),
    "docs/validation/l2.md": ("l2-bandwidth", "atomics"),
    "docs/validation/power.md": ("power",),
    "docs/validation/whole-kernels.md": ("kernels",),
}

# The part whose values are shown with their sources, and those that are compared with it.
MAIN = "h100"
OTHERS = ("v100", "t4", "a100", "a6000", "rtx4090", "b200")
PARTS_OF_TIMING = ("v100", "a100", "a6000", "rtx4090", "h100", "b200")
ERROR = 4  # the cell of a case's row


def table(head, rows):
    lines = [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines)


def values_of(part):
    return {value["key"]: value for value in part["values"]}


def begins_with(key, prefixes):
    return any(key.startswith(prefix) for prefix in prefixes)


def parameter_rows(prefixes, parts):
    """A row for each key: the value of the main GPU with kind and source, and other GPUs' values that differ."""
    values = {name: values_of(part) for name, part in parts.items()}
    for key, value in values[MAIN].items():
        if not begins_with(key, prefixes):
            continue
        elsewhere = {}
        for name in OTHERS:
            other = values[name].get(key)
            if other and other["value"] != value["value"]:
                elsewhere.setdefault(other["value"], []).append(name)
        differing = "; ".join(f"{text} ({', '.join(names)})" for text, names in elsewhere.items())
        yield [f"`{key}`", value["value"], value.get("kind", ""), "; ".join(value.get("sources", ())), differing]


def timing_cell(values, name):
    """"24 m, 25/4 m": latency and interval, each with the first letter of its kind."""
    if f"sm.timing.{name}" in values:
        return "yes" if values[f"sm.timing.{name}"]["value"] == "supported" else "-"
    members = [values.get(f"sm.timing.{name}.{member}") for member in ("latency", "interval")]
    return ", ".join(f"{m['value'].removesuffix(' cycles')} {m['kind'][0]}" for m in members if m)


def timing_rows(prefixes, parts):
    values = {name: values_of(parts[name]) for name in PARTS_OF_TIMING}
    names = dict.fromkeys(key.split(".")[2] for key in values[MAIN] if key.startswith("sm.timing."))
    for name in names:
        if begins_with(name, prefixes):
            yield [f"`{name}`", *(timing_cell(values[part], name) for part in PARTS_OF_TIMING)]


def parameters(mechanism, parts):
    """The tables of a mechanism's parameters."""
    prefixes, classes = MECHANISMS[mechanism]
    tables = []
    if prefixes:
        head = ["parameter", MAIN.upper(), "kind", "source", "other GPUs"]
        tables.append(table(head, list(parameter_rows(prefixes, parts))))
    if classes:
        head = ["`sm.timing`: latency, interval", *PARTS_OF_TIMING]
        tables.append(table(head, list(timing_rows(classes, parts))))
    return "\n\n".join(tables)


def number(value):
    return f"{value:.2f}".rstrip("0").rstrip(".")


def case_cells(case):
    low, high = case.get("measured_range", (case["measured"],) * 2)
    measured = number(low) if low == high else f"{number(low)} to {number(high)}"
    if case["simulated"] is None:
        return ["-", measured, "-"]
    error = "0 %" if abs(case["error_pct"]) < 0.005 else f"{case['error_pct']:+.2f} %"
    return [number(case["simulated"]), measured, error if case["counted"] else f"({error})"]


def rows_by_id(old):
    """The rows of a table that is there, by case."""
    split = ([cell.strip() for cell in line.strip("|").split("|")] for line in old.splitlines() if line.startswith("|"))
    return {cells[0]: cells for cells in split}


def case_rows(cases, old):
    """A row for each case. One that is slow and was not simulated keeps what it was simulated to before."""
    known = rows_by_id(old)
    for case in cases:
        cells = [f"`{case['id']}`", case["arch"], *case_cells(case), case["unit"], case["source"]]
        before = known.get(cells[0], [])
        was_same = len(before) == len(cells) and [before[i] for i in (1, 3, 5, 6)] == [cells[i] for i in (1, 3, 5, 6)]
        yield before if case["slow"] and case["simulated"] is None and was_same else cells


def counted_errors(rows):
    """Absolute errors in percent, by the rows of a table: one in brackets is not counted, a dash not simulated."""
    counted = [re.fullmatch(r"([+-]?\d[\d.]*) %", row[ERROR]) for row in rows]
    return [abs(float(error[1])) for error in counted if error]


def summary(cases, rows):
    """How well the cases of a table are met."""
    errors = counted_errors(rows)
    files = ", ".join(dict.fromkeys(f"`tests/validation/micro/{case['file']}`" for case in cases))
    if not errors:
        return f"{len(cases)} cases, in {files}"
    mean, worst = sum(errors) / len(errors), max(errors)
    return f"{len(cases)} cases, in {files}; of the {len(errors)} counted ones the mean error is {mean:.2f} %, the " \
           f"worst {worst:.2f} %"


def mechanism_cases(mechanism, validation, old):
    """Simulated against measured: the cases of a mechanism, in the order of their files."""
    every = sorted(validation["cases"], key=lambda case: (case["file"], case["line"]))
    shown = {name for mechanisms in CASE_PAGES.values() for name in mechanisms}
    strangers = sorted({case["id"] for case in every if case["mechanism"] not in shown})
    if strangers:
        raise ValueError(f"no table for the mechanism of {', '.join(strangers)}")
    cases = [case for case in every if case["mechanism"] == mechanism]
    head = ["case", "GPU", "simulated", "measured", "error", "unit", "source"]
    rows = list(case_rows(cases, old))
    return f"{summary(cases, rows)}.\n\n{table(head, rows)}"


def case_rows_of(page):
    """The rows of all cases of a page."""
    return [cells for name, cells in rows_by_id(page).items() if name.startswith("`")]


def index(pages):
    """A row for each page of cases: its title and how well its cases are met, and one for all. `pages`: its text."""
    found = [(f"[{re.match(r'# Cases: (.*)', text)[1]}]({link})", case_rows_of(text)) for link, text in pages.items()]
    rows = []
    for name, cases in [*found, ("all, with the slow ones", [case for _, cases in found for case in cases])]:
        errors = counted_errors(cases)
        mean, worst = (f"{sum(errors) / len(errors):.2f} %", f"{max(errors):.2f} %") if errors else ("-", "-")
        rows.append([name, str(len(cases)), str(len(errors)), mean, worst])
    return table(["page", "cases", "counted", "mean error", "worst"], rows)


def timelines(files):
    """The listings that tests check by hand: what each shows, from its name, and of which mechanism, from its tags."""
    pattern = re.compile(r'TEST_CASE\(\s*((?:"[^"]*"\s*)+),\s*"\[hand-checked\]\[([a-z0-9]+)\]"\)')
    rows = []
    for path, text in sorted(files.items()):
        for name, mechanism in pattern.findall(text):
            if mechanism not in MECHANISMS:
                raise ValueError(f"{path}: no mechanism is called '{mechanism}'")
            rows.append([mechanism, "".join(re.findall(r'"([^"]*)"', name)), f"`{path}`"])
    order = list(MECHANISMS)
    return table(["mechanism", "listing", "test"], sorted(rows, key=lambda row: order.index(row[0])))
