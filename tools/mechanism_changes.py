# SPDX-License-Identifier: MIT
"""What the mechanisms changed that the kernel suite showed to be missing: micro cases simulated by the program before
that suite, kept in a file, beside those of today's tables. A table by family of cases, and a picture drawn from it."""
import math
import re

import curve_plots
from curve_plots import EDGE, WIDTH, short, text

BEFORE = "tests/validation/before_kernel_suite.csv"
PAGE = "docs/validation/mechanisms.md"
KEPT = re.compile(r"([\w./-]+),([-+.\de]+)")  # a line of BEFORE
LEAST_CHANGE = 1.0  # of the measured value, in %
COLUMNS, HEAD, PANEL_HEIGHT = 3, 58, 150
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 28, 12
MOST = 60.0  # errors beyond are drawn at the edge, in %


def family_of(case):
    """Cases of one experiment: "silicon/l2-read/h200/16-mb" belongs to "silicon/l2-read"."""
    parts = case.split("/")
    return "/".join(parts[:2]) if parts[0] == "silicon" else parts[0]


def rows_of(sources):
    """(family, case, error before, error now) of the cases that both have, in the order of the tables. `sources`: the
    text of BEFORE, and of the pages with tables."""
    lines = sources.splitlines()
    before = {found[1]: float(found[2]) for found in map(KEPT.fullmatch, lines) if found}
    tables = "\n".join(line for line in lines if line.startswith("|"))
    rows = []
    for _, (case, _, simulated, measured, error, *_) in curve_plots.rows_of_cases(r".+/.+", tables):
        name = case.strip("`")
        if name not in before or simulated == "-" or error == "-" or error.startswith("("):
            continue
        ends = [float(end) for end in measured.split(" to ")]
        old = before[name]
        nearest = min(max(old, ends[0]), ends[-1])
        now = float(error.strip("+ %").replace(" %", ""))
        rows.append((family_of(name), name, 100 * (old - nearest) / nearest, now))
    return rows


def changed_families(rows):
    """The families of which a case has changed, and their cases."""
    families = {}
    for family, case, old, now in rows:
        families.setdefault(family, []).append((case, old, now))
    return {family: cases for family, cases in families.items()
            if any(abs(old - now) > LEAST_CHANGE for _, old, now in cases)}


def mean(values):
    values = [abs(value) for value in values]
    return sum(values) / len(values)


def table(sources):
    """A row for each family that changed, the one that gained most first."""
    families = changed_families(rows_of(sources))
    order = sorted(families.items(), key=lambda item: mean(n for _, _, n in item[1]) - mean(o for _, o, _ in item[1]))
    lines = ["| family | cases | changed | mean error before | now | worst before | now |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for family, cases in order:
        old, now = [o for _, o, _ in cases], [n for _, _, n in cases]
        changed = sum(abs(o - n) > LEAST_CHANGE for o, n in zip(old, now))
        lines.append(f"| `{family}` | {len(cases)} | {changed} | {mean(old):.1f} % | {mean(now):.1f} % | "
                     f"{max(old, key=abs):+.1f} % | {max(now, key=abs):+.1f} % |")
    return "\n".join(lines)


def panel(family, cases, corner):
    left, right = corner[0] + LEFT, corner[0] + WIDTH / COLUMNS - RIGHT
    top, bottom = corner[1] + TOP, corner[1] + PANEL_HEIGHT - BOTTOM
    reach = min(MOST, max(5.0, *(abs(v) for _, old, now in cases for v in (old, now))))

    def up(error):
        return (top + bottom) / 2 - max(-reach, min(reach, error)) / reach * (bottom - top) / 2

    def across(index):
        return left + (index + 0.5) / len(cases) * (right - left)

    yield text((left, corner[1] + 17), "start", family, "panel")
    step = curve_plots.step_of(2 * reach)
    for k in range(-math.floor(reach / step), math.floor(reach / step) + 1):
        yield f'<path class="{"frame" if k == 0 else "grid"}" d="M{short(left)} {short(up(k * step))}H{short(right)}"/>'
        yield text((left - 6, up(k * step) + 3.5), "end", f"{k * step:g}", "tick")
    for index, (case, old, now) in enumerate(cases):
        x = short(across(index))
        yield f'<path class="grid" d="M{x} {short(up(old))}V{short(up(now))}"/>'
        yield f'<circle class="c1 off" cx="{x}" cy="{short(up(old))}" r="3"><title>{case}, before</title></circle>'
        yield f'<circle class="c0 met" cx="{x}" cy="{short(up(now))}" r="3"><title>{case}, now</title></circle>'


def picture(sources):
    """The families that changed as SVG: the error of each case before and now."""
    families = changed_families(rows_of(sources))
    if not families:
        return None
    x, y = WIDTH - EDGE - 150, 44
    lines = [f'<circle class="c1 off" cx="{x}" cy="{y - 4}" r="3"/>', text((x + 9, y), "start", "before", "axis"),
             f'<circle class="c0 met" cx="{x + 76}" cy="{y - 4}" r="3"/>', text((x + 85, y), "start", "now", "axis")]
    for place, (family, cases) in enumerate(families.items()):
        row, column = divmod(place, COLUMNS)
        lines += panel(family, cases, (column * WIDTH / COLUMNS, HEAD + row * PANEL_HEIGHT))
    height = HEAD + math.ceil(len(families) / COLUMNS) * PANEL_HEIGHT + 6
    return curve_plots.frame("Micro cases before the kernel suite's mechanisms, and now",
                             f"error against silicon in %, at most {MOST:g} shown", height, lines,
                             "errors before and now")
