# SPDX-License-Identifier: MIT
"""The tables of docs/validation-kernels.md and docs/validation/every-kernel.md, made of what `gpusim validate --suite
kernels --json FILE` wrote."""
import itertools
import re

TEN = 10
LADDERS = "SGEMM ladder", "reduction ladder", "transpose"
STATES = "cold", "warm", "dirty"
SAME_PCT = 2
NEAR_PCT = 10
DRAM_BYTES = "counters.dram."


def counted(cases):
    return [case for case in cases if case["counted"]]


def worst_first(cases):
    return sorted(cases, key=lambda case: -abs(case["error_pct"]))


def table(head, rows):
    marks = ["---" if name and not name.endswith(":") else "---:" for name in head]
    names = [name.rstrip(":") for name in head]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (names, marks, *rows))


def percent(value):
    return f"{value:.1f} %"


def number(value):
    return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"


def summary(suite):
    """How far off it is, in sentences."""
    total = suite["summary"]
    unsimulated = [case for case in suite["cases"] if case["simulated"] is None]
    faults = [f"`{case['id']}`: {case['fault']}" for case in unsimulated if case["fault"]]
    slow = sum(case["slow"] and not case["fault"] for case in unsimulated)
    out = (f"{total['cases']} times count: the mean error is {total['mean_abs_error_pct']:.1f} %, the median "
           f"{total['median_abs_error_pct']:.1f} %, 90 % of them are within\n{total['p90_abs_error_pct']:.1f} %, and "
           f"the worst is off by {total['max_abs_error_pct']:.1f} %. The correlation of the logarithms is "
           f"{total['log_correlation']:.4f}; the mean with its sign is {total['mean_error_pct']:+.1f} %.")
    more = "1 more case is" if slow == 1 else f"{slow} more cases are"
    out += f"\n{more} slow and not simulated for this page." if slow else ""
    if not suite["complete"]:
        out += "\nThe run was ended early: the tables lack what was not simulated by then."
    return "\n".join([out, *(f"A fault of the simulator: {fault}." for fault in faults)])


def groups(suite, key, what, missing=None):
    rows = []
    for group in suite[key]:
        cells = [group["name"], str(group["cases"]), percent(group["mean_abs_error_pct"]),
                 percent(group["median_abs_error_pct"]), percent(group["p90_abs_error_pct"]),
                 percent(group["max_abs_error_pct"]), f"{group['mean_error_pct']:+.1f} %"]
        rows.append(cells + ([missing.get(group["name"], "")] if missing else []))
    head = [what, "cases:", "mean error:", "median:", "90 % within:", "worst:", "bias:"]
    return table(head + (["believed to be missing"] if missing else []), rows)


def by_kind(suite):
    missing = {}
    for case in suite["cases"]:
        told = missing.setdefault(case["kind"], [])
        told += [reason for reason in (case["missing"] or "").split("; ") if reason and reason not in told]
    return groups(suite, "by_kind", "kind", {kind: "; ".join(told) for kind, told in missing.items()})


def by_part(suite):
    return groups(suite, "by_part", "GPU")


def state_of(case):
    """What the measurement did."""
    clock = "boost" if case["clock_mhz"] is None else f"{case['clock_mhz']:g} MHz"
    at_most = "at most " if case["unlocked"] and case["clock_mhz"] is not None else ""
    return f"{at_most}{clock}, {case['cache']}"


def by_state(suite):
    """A row for each state of the clock and the caches."""
    found = {}
    for case in counted(suite["cases"]):
        clock = "boost, not locked" if case["unlocked"] else "known"
        found.setdefault((clock, case["cache"]), []).append(case["error_pct"])
    rows = [[clock, cache, str(len(errors)), percent(sum(map(abs, errors)) / len(errors)),
             f"{sum(errors) / len(errors):+.1f} %"] for (clock, cache), errors in sorted(found.items())]
    return table(["clock", "caches", "cases:", "mean error:", "bias:"], rows)


def is_counter(case):
    return case["unit"] != "us" and case["simulated"] is not None


def off_by(case):
    """Percentages differ by points, everything else by its share."""
    off = case["simulated"] - case["measured"]
    return f"{off:+.1f} points" if case["unit"] == "%" else f"{100 * off / case['measured']:+.1f} %"


def counters(suite):
    """What was measured beside times, in its own unit."""
    found = [case for case in suite["cases"] if is_counter(case)]
    bytes_read = [case for case in found if case["metric"].startswith(DRAM_BYTES)]
    near = sum(abs(case["error_pct"]) <= NEAR_PCT for case in bytes_read)
    head = (f"Bytes of DRAM are within {NEAR_PCT} % of the profile's in {near} of {len(bytes_read)} cases.\n\n"
            if bytes_read else "")
    rows = [[f"`{case['id']}`", case["metric"], number(case["simulated"]), number(case["measured"]), off_by(case),
             case["unit"], case["note"]] for case in found]
    rows.sort(key=lambda row: (row[1], row[0]))
    return head + table(["case", "metric", "simulated:", "measured:", "off by:", "unit", "what differs"], rows)


def top_stalls(suite):
    """Whether warps wait for the same as on silicon, the cases in which they do not first."""
    found = [case for case in suite["cases"] if case.get("word_counted")]
    if not found:
        return "No top stall was simulated."
    equal = sum(case["simulated_word"] == case["measured_word"] for case in found)
    rows = [[f"`{case['id']}`", case["arch"], case["simulated_word"], case["measured_word"]] for case in found]
    rows.sort(key=lambda row: row[2] == row[3])
    head = f"The top stall is equal in {equal} of {len(found)} cases, {100 * equal / len(found):.0f} %.\n\n"
    return head + table(["case", "GPU", "simulated", "measured"], rows)


def ladder_of(case):
    """What the steps of a ladder have in common: the kind, the GPU, the clock, the caches and the size in the name."""
    size = "-".join(re.findall(r"\d{3,}", case["id"].rsplit("/", 1)[1]))
    return case["kind"], case["arch"], state_of(case), size


def step_of(case):
    words = case["id"].rsplit("/", 1)[1].removeprefix("own-").split("-")
    return "-".join(word for word in words if not re.fullmatch(r"\d{3,}", word) and word not in STATES)


def turned(steps):
    """Pairs of steps that the simulation puts the other way round than silicon does. Nearer ones have no order."""
    return [(one, other) for one, other in itertools.combinations(steps, 2)
            if max(one["measured"], other["measured"]) > (1 + SAME_PCT / 100) * min(one["measured"], other["measured"])
            and (one["measured"] - other["measured"]) * (one["simulated"] - other["simulated"]) <= 0]


def ladders(suite):
    """Whether the steps of each ladder follow one another as on silicon."""
    found = {}
    for case in counted(suite["cases"]):
        if case["kind"] in LADDERS and case["simulated"] is not None:
            found.setdefault(ladder_of(case), []).append(case)
    rows = []
    for (kind, gpu, state, size), steps in found.items():
        if len(steps) > 1:
            steps.sort(key=lambda case: -case["measured"])
            wrong = turned(steps)
            told = "; ".join(f"{step_of(one)} and {step_of(other)}" for one, other in wrong)
            rows.append([len(wrong) == 0, [kind, gpu, ", ".join(filter(None, [size, state])),
                                           ", ".join(map(step_of, steps)), told or "as on silicon"]])
    if not rows:
        return "No ladder was simulated."
    rows.sort(key=lambda row: row[0])
    right = sum(is_right for is_right, _ in rows)
    head = (f"{right} of {len(rows)} ladders have their steps in the order of silicon. Steps whose measured times are "
            f"within {SAME_PCT} % of each\nother have no order.")
    return head + "\n\n" + table(["ladder", "GPU", "size, clock, caches", "steps, the slowest first", "order"],
                                [cells for _, cells in rows])


def worst(suite):
    rows = [[f"`{case['id']}`", case["kind"], f"{case['error_pct']:+.1f} %", case["missing"]]
            for case in worst_first(counted(suite["cases"]))[:TEN]]
    return table(["case", "kind", "error:", "believed to be missing"], rows)


def cases(suite):
    """Every time, the kinds as in by_kind, and in each the worst first."""
    order = [group["name"] for group in suite["by_kind"]]
    rows = []
    for kind in order:
        for case in worst_first(c for c in counted(suite["cases"]) if c["kind"] == kind):
            rows.append([kind, f"`{case['id']}`", case["arch"], state_of(case), number(case["simulated"]),
                         number(case["measured"]), f"{case['error_pct']:+.1f} %"])
    return table(["kind", "case", "GPU", "clock, caches", "simulated us:", "measured us:", "error:"], rows)
