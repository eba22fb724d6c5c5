# SPDX-License-Identifier: MIT
"""The picture of the kernel suite: simulated over measured times, and below them the ratios by kind. It is drawn from
the table of every kernel and from nothing else, so the same rows give the same bytes."""
import dataclasses
import math
import re

import curve_plots
from curve_plots import EDGE, WIDTH, short, text

ROW = re.compile(r"^\| ([^|]+) \| `([^`]+)` \| ([^|]+) \| [^|]* \| ([\d.e+]+) \| ([\d.e+]+) \| [-+][\d.]+ % \|$", re.M)
# What families of kinds are called, how their kinds are recognised, and their colours.
FAMILIES = (
    ("attention", r"ttention", "#d55e00"),
    ("tensor-core products", r"tensor GEMM|conv", "#0072b2"),
    ("products without tensor cores", r"SGEMM|GEMV", "#56b4e9"),
    ("norms and softmax", r"norm|softmax", "#009e73"),
    ("sums", r"sum|reduction", "#b8a200"),
    ("transpose and stencils", r"transpose|stencil", "#7b4ab5"),
    ("irregular", r"gather|scatter|histogram|atomics|SpMV|BFS", "#cc79a7"),
    ("streams", r"", "#7f7f7f"),
)
# The square of times: its side and corner in pixels, and the decades of microseconds on its axes.
SIZE, LEFT, TOP = 400, 76, 84
LEAST_DECADE, MOST_DECADE = 0, 6
# The strips of ratios: where their axis begins and ends in pixels, its ends and ticks, and the height of a row.
STRIPS_LEFT, STRIPS_RIGHT, ROW_HEIGHT = 270, WIDTH - 92, 19
RATIOS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5)
LEAST_RATIO, MOST_RATIO = 0.58, 1.6


@dataclasses.dataclass(frozen=True)
class Time:
    """One case, in microseconds."""
    kind: str
    case: str
    simulated: float
    measured: float

    @property
    def ratio(self):
        return self.simulated / self.measured


def color_of(kind):
    return next(color for _, pattern, color in FAMILIES if re.search(pattern, kind))


def dot(time, x, y):
    return (f'<circle class="dot" fill="{color_of(time.kind)}" fill-opacity="0.75" cx="{short(x)}" cy="{short(y)}" '
            f'r="3.2"><title>{time.case}: {100 * (time.ratio - 1):+.1f} %</title></circle>')


def on_decades(value, low, high):
    return low + (math.log10(value) - LEAST_DECADE) / (MOST_DECADE - LEAST_DECADE) * (high - low)


def on_ratios(value):
    at = math.log(min(max(value, LEAST_RATIO), MOST_RATIO) / LEAST_RATIO) / math.log(MOST_RATIO / LEAST_RATIO)
    return STRIPS_LEFT + at * (STRIPS_RIGHT - STRIPS_LEFT)


def square_grid():
    """Decades, and the diagonal on which both agree, with 20 % on either side."""
    right, bottom = LEFT + SIZE, TOP + SIZE
    away = math.log10(1.2) / (MOST_DECADE - LEAST_DECADE) * SIZE
    near = math.log10(1 / 0.8) / (MOST_DECADE - LEAST_DECADE) * SIZE
    above, below = f"{short(right - away)} {TOP}", f"{short(LEFT + near)} {bottom}"
    yield (f'<path class="band" d="M{LEFT} {short(bottom - away)}L{above}H{right}V{short(TOP + near)}L{below}'
           f'H{LEFT}Z"/>')
    for decade in range(LEAST_DECADE, MOST_DECADE + 1):
        x, y = on_decades(10.0**decade, LEFT, right), on_decades(10.0**decade, bottom, TOP)
        label = f"{10**decade:,} us" if decade < 3 else f"{10**(decade - 3):,} ms"
        yield f'<path class="grid" d="M{short(x)} {TOP}V{bottom}M{LEFT} {short(y)}H{right}"/>'
        yield text((x, bottom + 16), "middle", label, "tick")
        yield text((LEFT - 6, y + 3.5), "end", label, "tick")
    yield f'<path class="frame" d="M{LEFT} {bottom}L{right} {TOP}"/>'
    yield text((LEFT + SIZE / 2, bottom + 36), "middle", "measured time", "axis")
    yield text((LEFT, TOP - 7), "start", "simulated time", "axis")


def legend(times):
    """The families that have cases."""
    named = [(name, color) for name, _, color in FAMILIES if any(color_of(time.kind) == color for time in times)]
    for index, (name, color) in enumerate(named):
        y = TOP + 14 + 22 * index
        yield f'<circle fill="{color}" cx="{LEFT + SIZE + 48}" cy="{y}" r="5"/>'
        yield text((LEFT + SIZE + 62, y + 4), "start", name, "axis")


def strips(kinds, top):
    """A row of ratios for each kind; what lies beyond the axis stands at its end."""
    bottom = top + ROW_HEIGHT * len(kinds)
    yield (f'<rect class="band" x="{short(on_ratios(0.9))}" y="{top}" '
           f'width="{short(on_ratios(1.1) - on_ratios(0.9))}" height="{bottom - top}"/>')
    for ratio in RATIOS:
        x = short(on_ratios(ratio))
        yield f'<path class="{"frame" if ratio == 1 else "grid"}" d="M{x} {top}V{bottom}"/>'
        yield text((on_ratios(ratio), bottom + 16), "middle", f"{ratio:g}", "tick")
    yield text(((STRIPS_LEFT + STRIPS_RIGHT) / 2, bottom + 36), "middle", "simulated over measured time", "axis")
    yield text((WIDTH - EDGE, top - 8), "end", "mean error", "axis")
    for index, (kind, times) in enumerate(kinds.items()):
        y = top + ROW_HEIGHT * (index + 0.5)
        error = sum(abs(time.ratio - 1) for time in times) / len(times)
        yield text((STRIPS_LEFT - 12, y + 4), "end", f"{kind}, {len(times)}", "axis")
        yield text((WIDTH - EDGE, y + 4), "end", f"{100 * error:.1f} %", "axis")
        yield from (dot(time, on_ratios(time.ratio), y) for time in times)


def picture(document):
    """Simulated over measured times as SVG; nothing where the document has none."""
    times = [Time(kind, case, float(simulated), float(measured))
             for kind, case, _, simulated, measured in ROW.findall(document)]
    if not times:
        return None
    kinds = {kind: [time for time in times if time.kind == kind] for kind in dict.fromkeys(t.kind for t in times)}
    lines = [*square_grid(), *legend(times)]
    lines += [dot(time, on_decades(time.measured, LEFT, LEFT + SIZE), on_decades(time.simulated, TOP + SIZE, TOP))
              for time in times]
    top = TOP + SIZE + 80
    lines += strips(kinds, top)
    about = "above: times, shaded within 20 %; below: their ratio by kind, with the number of cases, shaded within 10 %"
    return curve_plots.frame(f"{len(times)} kernels", about, top + ROW_HEIGHT * len(kinds) + 50, lines)
