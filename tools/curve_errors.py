# SPDX-License-Identifier: MIT
"""How well the measured curves of memory are met, at a glance: a table with a row for each curve of each
part, the worst first, and a picture with a mark for each case. Both are made from the rows of the documents' tables."""
import dataclasses
import re

import curve_plots
from curve_plots import EDGE, NAMES, WIDTH, rows_of_cases, short, text


@dataclasses.dataclass(frozen=True)
class Curve:
    """`cases` matches a case's whole name; the group `part` is the part it is about. `bound` in percent."""
    title: str
    cases: str
    bound: float
    text: str


CURVES = (
    Curve("latency against working set", r"chase/(?P<part>[^/]+)/.+", 5, "5 %, in knees 20 %"),
    Curve("read against occupancy", r"stream-read/(?P<part>[^/]+)/.+", 10, "10 %, at 100 % 5 %"),
    Curve("scale against occupancy", r"stream-scale/(?P<part>[^/]+)/.+", 10, "10 %, at 100 % 5 %"),
    Curve("L1 strides", r"stride/(?P<part>[^/]+)/.+", 10, "10 %"),
    Curve("L2 read against set (l2-read)", r"l2-read/(?P<part>[^/]+)/.+", 10, "10 %"),
    Curve("L1 and L2 read against set (cache-read)", r"cache-read/(?P<part>[^/]+)/.+", 10, "10 %"),
    Curve("shared-memory bandwidth", r"shared-bandwidth/[^/]+/(?P<part>.+)", 3, "3 %"),
    Curve("atomics", r"atomic-\w+/(?P<part>[a-z]+\d+).*", 15, "15 %"),
    Curve("TMA bulk loads against bytes in flight", r"tma-bulk-load/.+", 10, "10 %"),
    Curve("DSMEM latency", r"dsmem-load/(?P<part>[^/]+)/.+", 10, "10 %"),
)
# Every TMA case is about this part, which its name does not say.
TMA_PART = "h800-pcie"


@dataclasses.dataclass(frozen=True)
class Error:
    """The error of one case, in percent."""
    case: str
    part: str
    percent: float
    counted: bool


def errors_of(curve, tables):
    """The errors of a curve's cases that were simulated."""
    errors = []
    for found, cells in rows_of_cases(curve.cases, tables):
        percent = re.fullmatch(r"\(?([-+\d.]+) %\)?", cells[4])
        if percent:
            part = found.groupdict().get("part", TMA_PART)
            errors.append(Error(found[0], part, float(percent[1]), not cells[4].startswith("(")))
    return errors


def rows_of(tables):
    """(curve, part, its errors): the worst mean first."""
    rows = []
    for curve in CURVES:
        by_part = {}
        for error in errors_of(curve, tables):
            by_part.setdefault(error.part, []).append(error)
        rows += [(curve, part, errors) for part, errors in by_part.items()]
    return sorted(rows, key=lambda row: -mean_of(row[2]))


def mean_of(errors):
    return sum(abs(error.percent) for error in errors) / len(errors)


def summary(tables):
    """The table: of each curve of each part how many cases are within the bound, the mean error, and the worst."""
    lines = ["| curve | GPU | bound | within | mean error | worst | case |", "| " + "--- | " * 7]
    for curve, part, errors in rows_of(tables):
        worst = max(errors, key=lambda error: abs(error.percent))
        within = f"{sum(error.counted for error in errors)} of {len(errors)}"
        lines.append(f"| {curve.title} | {NAMES.get(part, part.upper())} | {curve.text} | {within} | "
                     f"{mean_of(errors):.1f} % | {worst.percent:+.1f} % | `{worst.case}` |")
    return "\n".join(line.strip() for line in lines)


LABELS, ROW, HEAD, MOST = 262, 30, 64, 40


def mark_lines(error, across, y, place):
    """A case: a dot at its error, or at the edge an arrowhead where it is beyond."""
    # Cases of a row are spread over its height, so that those with the same error can be told apart.
    height = y - 8 + place * 5 % 17
    kind = f"c0 {'met' if error.counted else 'off'}"
    if abs(error.percent) <= MOST:
        return f'<circle class="{kind}" cx="{short(across(error.percent))}" cy="{short(height)}" r="2.8"/>'
    way = 1 if error.percent > 0 else -1
    edge = short(across(way * MOST))
    return f'<path class="{kind}" d="M{edge} {short(height - 3)}l{5 * way} 3l{-5 * way} 3z"/>'


def picture(tables):
    """Every case of every curve at its error, over the bound of the curve; nothing where there are no cases."""
    curves = [(curve, errors) for curve in CURVES if (errors := errors_of(curve, tables))]
    height = HEAD + len(curves) * ROW + 30
    left, right = LABELS + 12, WIDTH - EDGE - 14

    def across(percent):
        return (left + right) / 2 + percent / MOST * (right - left) / 2

    lines = []
    for percent in range(-MOST, MOST + 1, 10):
        lines.append(f'<path class="grid" d="M{short(across(percent))} {HEAD}V{height - 28}"/>')
        lines.append(text((across(percent), height - 13), "middle", f"{percent:+d} %" if percent else "0", "tick"))
    for index, (curve, errors) in enumerate(curves):
        y = HEAD + index * ROW + ROW / 2
        width = across(curve.bound) - across(-curve.bound)
        lines.append(f'<rect class="band" x="{short(across(-curve.bound))}" y="{short(y - 12)}" '
                     f'width="{short(width)}" height="24" rx="3"/>')
        lines.append(text((LABELS, y + 4), "end", curve.title, "axis"))
        lines += [mark_lines(error, across, y, place) for place, error in enumerate(errors)]
    about = ("error of each case in percent; shaded: the bound (20 in knees, 5 at saturation); "
             "hollow: beyond it or doubtful, and not counted")
    return curve_plots.frame("All memory curves", about, height, lines) if curves else None
