# SPDX-License-Identifier: MIT
"""Micro curves of the mechanisms that the kernel suite showed to be missing: what was measured, what the program gave
before that suite, and what it gives now. A small panel for each curve of three points or more, drawn from the tables of
cases and from the file of what was before."""
import math
import re

import curve_plots
import mechanism_changes
from curve_plots import EDGE, WIDTH, short, text

LEAST_POINTS = 3
COLUMNS, HEAD, PANEL_HEIGHT = 3, 58, 226
LEFT, RIGHT, TOP, BOTTOM = 50, 14, 34, 86
LABEL = 16  # letters of a point's name
# Curves that the program before could not express, or that were measured later: nothing is known of how it did.
WITHOUT_BEFORE = re.compile(
    r"(silicon/(lone-kernel|partial-write|l2-fill|gather-fill)|dfma-warps|check-bits)/.*")


def parts_of(case):
    """The curve that a case belongs to, and its point there: "stream-read/v100", "3". Those with check bits are
    one curve for all GPUs."""
    words = case.split("/")
    last = 1 if words[0] == "check-bits" else len(words) - 1
    return "/".join(words[:last]), " ".join(words[last:])


def curves_of(sources):
    """{curve: [(point, measured, before or None, now, unit)]} of the mechanisms' curves, in the order of the tables."""
    lines = sources.splitlines()
    before = {found[1]: float(found[2]) for found in map(mechanism_changes.KEPT.fullmatch, lines) if found}
    changed = mechanism_changes.changed_families(mechanism_changes.rows_of(sources))
    tables = "\n".join(line for line in lines if line.startswith("|"))
    curves = {}
    for _, (case, _, simulated, measured, _, unit, *_) in curve_plots.rows_of_cases(r".+/.+", tables):
        name = case.strip("`")
        family = mechanism_changes.family_of(name)
        is_new = WITHOUT_BEFORE.fullmatch(name) and name not in before
        if simulated == "-" or not (is_new or (family in changed and name in before)):
            continue
        curve, point = parts_of(name)
        curves.setdefault((curve, unit), []).append(
            (point, curve_plots.middle_of(measured), before.get(name), float(simulated)))
    return {curve: points for curve, points in curves.items() if len(points) >= LEAST_POINTS and has_changed(points)}


def has_changed(points):
    """Whether a value is another than before, or nothing is known of before."""
    return any(old is None or abs(now - old) > mechanism_changes.LEAST_CHANGE / 100 * measured
               for _, measured, old, now in points)


def values_of(points):
    return [value for _, *values in points for value in values if value is not None and value > 0]


def ticks(low, high):
    """Powers of ten; where there is at most one of them 1, 2 and 5 of each; in a narrow range round steps."""
    tens = [10.0 ** k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    for digits in ((1,), (1, 2, 5)):
        inside = [digit * ten for ten in tens for digit in digits if low <= digit * ten <= high]
        if len(inside) > 1:
            return inside
    step = curve_plots.step_of(high - low)
    return [step * k for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def label_of(point):
    return point if len(point) <= LABEL else point[:LABEL - 1] + "…"


def mark(series, x, y, title):
    """Measured values are a ring, what was before a hollow square, what is now a dot."""
    about = f"<title>{title}</title>"
    if series == "before":
        return f'<rect class="c1 off" x="{short(x - 3)}" y="{short(y - 3)}" width="6" height="6">{about}</rect>'
    look = 'class="frame" r="5"' if series == "measured" else 'class="c0 met" r="3"'
    return f'<circle {look} cx="{short(x)}" cy="{short(y)}">{about}</circle>'


def panel(curve, unit, points, corner):
    left, right = corner[0] + LEFT, corner[0] + WIDTH / COLUMNS - RIGHT
    top, bottom = corner[1] + TOP, corner[1] + PANEL_HEIGHT - BOTTOM
    values = values_of(points)
    low, high = math.log(min(values) / 1.15), math.log(max(values) * 1.15)

    def up(value):
        return bottom - (math.log(value) - low) / (high - low) * (bottom - top)

    def across(index):
        return left + (index + 0.5) / len(points) * (right - left)

    without = "" if any(old is not None for _, _, old, _ in points) else "; before: not known"
    yield text((left, corner[1] + 14), "start", curve, "panel")
    yield text((left, corner[1] + 27), "start", unit + without, "tick")
    for tick in ticks(math.exp(low), math.exp(high)):
        yield f'<path class="grid" d="M{short(left)} {short(up(tick))}H{short(right)}"/>'
        yield text((left - 6, up(tick) + 3.5), "end", f"{tick:g}", "tick")
    for index, (point, *found) in enumerate(points):
        x = across(index)
        yield (f'<text class="tick" text-anchor="end" transform="translate({short(x + 3)} {short(bottom + 10)}) '
               f'rotate(-50)">{label_of(point)}</text>')
        for series, value in zip(("measured", "before", "now"), found):
            if value is not None and value > 0:
                yield mark(series, x, up(value), f"{curve}/{point}, {series}: {value:g} {unit}")


def legend():
    x, y = WIDTH - EDGE - 230, 40
    for series, away in (("measured", 0), ("before", 88), ("now", 164)):
        yield mark(series, x + away, y, series)
        yield text((x + away + 10, y + 4), "start", series, "axis")


def picture(sources):
    """A panel for each curve as SVG."""
    curves = curves_of(sources)
    if not curves:
        return None
    lines = list(legend())
    for place, ((curve, unit), points) in enumerate(curves.items()):
        row, column = divmod(place, COLUMNS)
        lines += panel(curve, unit, points, (column * WIDTH / COLUMNS, HEAD + row * PANEL_HEIGHT))
    height = HEAD + math.ceil(len(curves) / COLUMNS) * PANEL_HEIGHT + 6
    return curve_plots.frame("Micro curves of the kernel suite's mechanisms", "a value for each case, logarithmic",
                             height, lines, "measured, before and now")
