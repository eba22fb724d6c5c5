# SPDX-License-Identifier: MIT
"""The table of docs/validation/every-step.md, made of what `gpusim validate --suite steps --json FILE` wrote. The suite
takes hours, so that it is run in parts: rows that no file has stay as they are."""
import re

from kernel_suite import number, table

HEAD = ["case", "bound by, or about", "measured:", "simulated:", "off:"]
ROW = re.compile(r"^\| (?P<id>[a-z0-9][^|]*?) \| .* \|$", re.MULTILINE)
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
    rows = {found["id"]: found.group() for found in ROW.finditer(old) if found["id"] != HEAD[0]}
    for suite in suites:
        rows.update((case["id"], table([], [cells(case)]).splitlines()[-1])
                    for case in suite["cases"] if case["simulated"] is not None)
    off = [abs(float(row.split("|")[-2].strip().removesuffix(" %"))) for row in rows.values()]
    told = (f"{len(rows)} steps: the mean error is {sum(off) / len(off):.1f} %, and "
            f"{sum(error <= 10 for error in off)} of them are within 10 %." if off else "No step was simulated.")
    return "\n".join([told, "", table(HEAD, []), *(rows[name] for name in sorted(rows, key=natural))])


def natural(name):
    """Numbers by their value: 2 before 16."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
