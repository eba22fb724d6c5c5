# SPDX-License-Identifier: MIT
"""The measured curves of memory as pictures: simulated over measured, drawn from the rows of the
documents' tables and from nothing else, so that a picture shows what its table holds. The same rows give the same
bytes."""
import dataclasses
import math
import re
from xml.sax.saxutils import escape


@dataclasses.dataclass(frozen=True)
class Axis:
    """`kind` is linear (from 0), log, or steps: the values there are, side by side. `ticks` are those of a log axis."""
    label: str
    kind: str = "linear"
    ticks: tuple = ()
    scale: float = 1.0


@dataclasses.dataclass(frozen=True)
class Family:
    """Curves of one kind. `cases` matches a case's whole name and gives its panel, its curve there, and its place."""
    title: str
    cases: str
    x: Axis
    y: Axis
    shared_y: bool = False
    columns: int = 4


@dataclasses.dataclass(frozen=True)
class Point:
    panel: str
    curve: str
    x: float
    simulated: float | None
    measured: float
    counted: bool


SIZES = tuple(2.0 ** k for k in range(14, 31, 4))
FAMILIES = {
    "chase": Family(
        "Latency of a load against working set", r"chase/(?P<panel>[^/]+)/(?P<x>.+)",
        Axis("working set", "log", SIZES), Axis("cycles a load"), shared_y=True),
    "occupancy-curve": Family(
        "Bandwidth of DRAM against occupancy, one element per thread",
        r"stream-(?P<curve>\w+)/(?P<panel>[^/]+)/(?P<x>.+)",
        Axis("% of the warps an SM can hold", "log", (3, 6, 12, 25, 50, 100)), Axis("TB/s", scale=1000)),
    "l2-bandwidth": Family(
        "Read bandwidth against what is read", r"(?P<panel>(?:l2|cache)-read/[^/]+)/(?P<x>.+)",
        Axis("bytes that are read again and again", "log", tuple(2.0 ** k for k in range(14, 31, 2))),
        Axis("TB/s", scale=1000), columns=3),
    "strides": Family(
        "Cycles of L1 for a warp's load against the stride of its lanes",
        r"stride/(?P<panel>[^/]+)/(?P<curve>fp\d+)/(?P<x>\d+)",
        Axis("stride in elements", "steps"), Axis("cycles between loads of a sub-core", "log", (4, 8, 16, 32, 64, 128)),
        columns=3),
    "tma-bulk-load": Family(
        "Bulk loads of the TMA, H800 PCIe: bandwidth against bytes in flight",
        r"tma-bulk-load/(?P<x>\d+-kb)/(?P<panel>\d+-blocks)",
        Axis("bytes a block has in flight", "log", tuple(2.0 ** k for k in range(10, 15))), Axis("TB/s", scale=1000),
        shared_y=True),
}

# What a part or a panel is called, where capitals do not make it right.
NAMES = {"a100-40gb": "A100 40 GB", "a100-80gb": "A100 80 GB", "a100-pcie": "A100 PCIe", "h100-pcie": "H100 PCIe",
         "h800-pcie": "H800 PCIe", "gh200-te42": "GH200, second card", "rtx4090": "RTX 4090"}

WIDTH, EDGE = 860, 16
HEAD, FOOT = 58, 6
PANEL_HEIGHT = 186
LEFT, RIGHT, TOP, BOTTOM = 40, 14, 26, 34
STYLE = """
    .paper { fill: #ffffff }
    .title { font-size: 16px; font-weight: 600; fill: #111827 }
    .panel { font-size: 12.5px; font-weight: 600; fill: #111827 }
    .tick, .axis { font-size: 10.5px; fill: #6b7280 }
    .axis { font-size: 11.5px }
    .grid { stroke: #e5e7eb; fill: none }
    .frame { stroke: #9ca3af; fill: none }
    .band { fill: #dbeafe }
    .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
    .c0 { stroke: #2563eb } .c1 { stroke: #d97706 }
    .c0.met { fill: #2563eb } .c1.met { fill: #d97706 }
    .off { fill: #ffffff; stroke-width: 1.5 }
    .met { stroke: #ffffff }
    .name0 { fill: #2563eb } .name1 { fill: #d97706 }
    .name { font-size: 11px; font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .paper, .off { fill: #0d1117 }
      .title, .panel { fill: #f3f4f6 }
      .tick, .axis { fill: #9ca3af }
      .grid { stroke: #262c36 }
      .frame { stroke: #4b5563 }
      .band { fill: #1e3050 }
      .c0 { stroke: #60a5fa } .c1 { stroke: #fbbf24 }
      .c0.met { fill: #60a5fa } .c1.met { fill: #fbbf24 }
      .met { stroke: #0d1117 }
      .name0 { fill: #60a5fa } .name1 { fill: #fbbf24 }
    }
"""


def number_of(text):
    """"8453-kb" and "16-mb" in bytes, other numbers as they are."""
    digits, _, unit = text.partition("-")
    return float(digits) * {"": 1, "kb": 2**10, "mb": 2**20}[unit]


def middle_of(measured):
    """The middle of "3 to 4.25"."""
    ends = [float(end) for end in measured.split(" to ")]
    return sum(ends) / len(ends)


def rows_of_cases(cases, tables):
    """(match, cells) of each row whose case's whole name matches: case, part, simulated, measured, error, ..."""
    for line in tables.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        found = re.fullmatch(cases, cells[0].strip("`"))
        if found:
            yield found, cells


def points_of(family, tables):
    """The points of a family, in the order of the tables' rows."""
    points = []
    for found, (_, _, simulated, measured, error, *_) in rows_of_cases(family.cases, tables):
        groups = {"curve": "", **found.groupdict()}
        points.append(Point(groups["panel"], groups["curve"], number_of(groups["x"]),
                            None if simulated == "-" else float(simulated) / family.y.scale,
                            middle_of(measured) / family.y.scale, error != "-" and not error.startswith("(")))
    return points


def short(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def tick_text(value):
    for unit, factor in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if value >= factor and value % 2 == 0:
            return f"{value / factor:g} {unit}"
    return f"{value:g}"


def step_of(top):
    """A round distance of ticks, of which a linear axis has three to six."""
    power = 10.0 ** math.floor(math.log10(top / 3))
    return next(power * digit for digit in (5, 2.5, 2, 1) if top / (power * digit) >= 3)


class Scale:
    """Places of an axis: from values to pixels, and its ticks."""

    def __init__(self, axis, values, low, high):
        self.low, self.high, self.kind = low, high, axis.kind
        if axis.kind == "steps":
            self.values = sorted(set(values))
            self.ticks = self.values
            self.ends = (-0.5, len(self.values) - 0.5)
        elif axis.kind == "log":
            low_value, high_value = min(values), max(values)
            self.ticks = [tick for tick in axis.ticks if low_value / 1.5 <= tick <= high_value * 1.5]
            low_value, high_value = min([low_value, *self.ticks]), max([high_value, *self.ticks])
            self.ends = (math.log(low_value / 1.12), math.log(high_value * 1.12))
        else:
            top = max(values) * 1.08
            step = step_of(top)
            self.ticks = [step * k for k in range(int(top / step) + 1)]
            self.ends = (0.0, top)

    def place(self, value):
        inner = {"steps": lambda: self.values.index(value), "log": lambda: math.log(value), "linear": lambda: value}
        start, end = self.ends
        return self.low + (inner[self.kind]() - start) / (end - start) * (self.high - self.low)


def text(place, anchor, words, names):
    x, y = map(short, place)
    return f'<text class="{names}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'


def title_of(panel):
    *kind, part = panel.split("/")
    blocks = re.fullmatch(r"(\d+)-blocks", part)
    if blocks:
        return f"{blocks[1]} blocks"
    return ", ".join([NAMES.get(part, part.upper()), *kind])


def curve_lines(points, index, across, up):
    """A curve: what is simulated as a line, what is measured as points, hollow where the case does not count."""
    known = sorted((p for p in points if p.simulated is not None), key=lambda p: p.x)
    way = " ".join(f"{short(across.place(p.x))} {short(up.place(p.simulated))}" for p in known)
    if way:
        yield f'<path class="line c{index}" d="M{way}"/>'
    for point in points:
        names = f"c{index} {'met' if point.counted else 'off'}"
        yield (f'<circle class="{names}" cx="{short(across.place(point.x))}" cy="{short(up.place(point.measured))}" '
               f'r="{"3.6" if point.counted else "3.2"}"/>')


def panel_lines(family, name, points, every, corner):
    """One part's curves with their axes; `every` are the points of all panels."""
    left, right = corner[0] + LEFT, corner[0] + WIDTH / family.columns - RIGHT
    top, bottom = corner[1] + TOP, corner[1] + PANEL_HEIGHT - BOTTOM
    heights = [v for p in (every if family.shared_y else points) for v in (p.simulated, p.measured) if v is not None]
    across = Scale(family.x, [p.x for p in points], left, right)
    up = Scale(family.y, heights, bottom, top)
    yield text((left, corner[1] + 17), "start", title_of(name), "panel")
    for tick in up.ticks:
        y = short(up.place(tick))
        yield f'<path class="grid" d="M{short(left)} {y}H{short(right)}"/>'
        yield text((left - 6, up.place(tick) + 3.5), "end", tick_text(tick), "tick")
    for tick in across.ticks:
        yield f'<path class="frame" d="M{short(across.place(tick))} {short(bottom)}v4"/>'
        yield text((across.place(tick), bottom + 15), "middle", tick_text(tick), "tick")
    yield f'<path class="frame" d="M{short(left)} {short(bottom)}H{short(right)}"/>'
    curves = list(dict.fromkeys(p.curve for p in every))
    for index, curve in enumerate(curves):
        yield from curve_lines([p for p in points if p.curve == curve], index, across, up)


def legend_lines(curves):
    """At the right: the marks, and above them the names of the curves in their colours."""
    x, y = WIDTH - EDGE - 328, 44
    yield f'<path class="line c0" d="M{x} {y - 4}h22"/>'
    yield text((x + 28, y), "start", "simulated", "axis")
    yield f'<circle class="c0 met" cx="{x + 102}" cy="{y - 4}" r="3.6"/>'
    yield text((x + 111, y), "start", "measured", "axis")
    yield f'<circle class="c0 off" cx="{x + 184}" cy="{y - 4}" r="3.2"/>'
    yield text((x + 193, y), "start", "measured, not counted", "axis")
    for index, curve in enumerate(curves):
        yield text((WIDTH - EDGE - 48 * (len(curves) - 1 - index), 22), "end", curve, f"name name{index}")


def frame(title, about, height, inner, shows="simulated over measured"):
    """A picture of a height with a title, what is drawn over what below it, and its lines."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="sans-serif">', "<!-- SPDX-License-Identifier: MIT -->",
        f"<title>{escape(title)}: {escape(shows)}</title>", f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>', text((EDGE, 24), "start", title, "title"),
        text((EDGE, 44), "start", about, "axis"), *inner, "</svg>", ""])


def picture(name, tables):
    """The picture of a family as SVG, or nothing where the tables have no case of it."""
    family = FAMILIES[name]
    every = points_of(family, tables)
    panels = {key: [p for p in every if p.panel == key] for key in dict.fromkeys(p.panel for p in every)}
    lines = list(legend_lines([c for c in dict.fromkeys(p.curve for p in every) if c]))
    for place, (key, points) in enumerate(panels.items()):
        row, column = divmod(place, family.columns)
        lines += panel_lines(family, key, points, every, (column * WIDTH / family.columns, HEAD + row * PANEL_HEIGHT))
    height = HEAD + math.ceil(len(panels) / family.columns) * PANEL_HEIGHT + FOOT
    return frame(family.title, f"{family.y.label}, over {family.x.label}", height, lines) if every else None
