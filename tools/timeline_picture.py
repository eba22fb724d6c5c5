# SPDX-License-Identifier: MIT
"""A timeline that `gpusim app --timeline` wrote, drawn as Perfetto lays it out: a group of tracks for each process.

In it stand a track for each thread or stream, whose slices lie in one another as their times do, and a track for each
counter. The picture has what is in the file and nothing else. Slices of one name have one colour. Perfetto's own
colours and fonts are not copied.
"""
import dataclasses
import json
import pathlib
import zlib
from xml.sax.saxutils import escape

PICTURE = "docs/pictures/timeline.svg"
APPLICATION = "data-parallel"
# The last round whole, and from its begin as long as the CPU takes to launch it, in microseconds.
ROUND = "step"
CLOSE_US = 90.0

WIDTH, LEFT, RIGHT = 1120, 190, 20
ROW, LEAST_WIDTH, LETTER, MOST_TICKS = 17, 0.7, 6.1, 10
COLOURS = 8
STYLE = """
    text { font-family: system-ui, sans-serif; font-size: 11px; fill: #1f2937 }
    .paper { fill: #ffffff } .title { font-size: 14px; font-weight: 600 } .process { font-weight: 600 }
    .group { fill: #e5e9f0 } .odd { fill: #f6f7f9 } .tick { fill: #4b5563; font-size: 10px } .grid { stroke: #d1d5db }
    .counter { fill: #93b4e6 }
    .c0 { fill: #b3cde3 } .c1 { fill: #ccebc5 } .c2 { fill: #fed9a6 } .c3 { fill: #decbe4 }
    .c4 { fill: #fbb4ae } .c5 { fill: #e5d8bd } .c6 { fill: #b2dfdb } .c7 { fill: #ffe08a }
    .slice { stroke: #ffffff; stroke-width: 0.5 } .name { fill: #111827; font-size: 10px }
    @media (prefers-color-scheme: dark) {
      text { fill: #e5e7eb } .paper { fill: #0d1117 } .group { fill: #1f2733 } .odd { fill: #12171f }
      .tick { fill: #9ca3af } .grid { stroke: #2b3340 } .counter { fill: #3b5b8c } .slice { stroke: #0d1117 }
      .name { fill: #111827 }
    }
"""


@dataclasses.dataclass(frozen=True)
class Slice:
    name: str
    begin: float
    end: float
    depth: int


@dataclasses.dataclass
class Track:
    name: str
    slices: list = dataclasses.field(default_factory=list)
    values: list = dataclasses.field(default_factory=list)  # of a counter: (time, value)

    @property
    def rows(self):
        return 1 + max((one.depth for one in self.slices), default=0)


def nested(events):
    """Slices in the order of time, each below those that it lies in."""
    slices, open_until = [], []
    for event in sorted(events, key=lambda one: (one["ts"], -one["dur"])):
        begin, end = event["ts"], event["ts"] + event["dur"]
        while open_until and open_until[-1] <= begin + 1e-6:
            open_until.pop()
        slices.append(Slice(event["name"], begin, end, len(open_until)))
        open_until.append(end)
    return slices


def groups_of(trace):
    """{process: its tracks}, both by their names, the CPU first."""
    events = trace["traceEvents"]
    names = {(event["pid"], event["name"], event["tid"]): event["args"]["name"] for event in events
             if event["ph"] == "M" and event["name"] in ("process_name", "thread_name")}
    groups = {}
    for pid in sorted({event["pid"] for event in events if event["ph"] in "XC"}, key=lambda pid: (pid < 1000, pid)):
        tracks = []
        tids = sorted({event["tid"] for event in events if event["ph"] == "X" and event["pid"] == pid})
        for tid in tids:
            slices = nested([event for event in events if event["ph"] == "X" and event["pid"] == pid
                             and event["tid"] == tid and event["cat"] != "cuda_sync"])
            tracks.append(Track(names.get((pid, "thread_name", tid), str(tid)), slices))
        for counter in dict.fromkeys(event["name"] for event in events if event["ph"] == "C" and event["pid"] == pid):
            samples = [event for event in events if event["ph"] == "C" and event["pid"] == pid
                       and event["name"] == counter]
            key = next(iter(samples[0]["args"]))
            tracks.append(Track(f"{counter}, {key}", values=[(one["ts"], one["args"][key]) for one in samples]))
        groups[names.get((pid, "process_name", 0), str(pid))] = tracks
    return groups


def last_round(trace):
    """Begin and end of the last round, in microseconds."""
    rounds = [event for event in trace["traceEvents"] if event["ph"] == "X" and event["name"] == ROUND]
    last = max(rounds, key=lambda event: event["ts"])
    return last["ts"], last["ts"] + last["dur"]


class Window:
    """A part of the time, from `begin` to `end`, drawn from `top` on."""

    def __init__(self, begin, end, top):
        self.begin, self.end, self.y = begin, end, top
        self.lines = []

    def x(self, time):
        share = (min(max(time, self.begin), self.end) - self.begin) / (self.end - self.begin)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def rect(self, kind, x, y, width, height, title=""):
        inner = f"<title>{escape(title)}</title>" if title else ""
        self.lines.append(f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}">'
                          f"{inner}</rect>")

    def text(self, kind, x, y, words, anchor="start"):
        self.lines.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>')

    def ruler(self, bottom):
        span = self.end - self.begin
        step = next(step for power in range(9) for step in (10**power, 2 * 10**power, 5 * 10**power)
                    if span / step <= MOST_TICKS)
        for time in range(0, int(span) + 1, step):
            x = self.x(self.begin + time)
            self.text("tick", x, self.y - 4, f"{time} us", "middle")
            self.lines.append(f'<path class="grid" d="M{x:.1f} {self.y:.1f}V{bottom:.1f}"/>')

    def slice(self, one, top):
        if one.end <= self.begin or one.begin >= self.end:
            return
        x, end = self.x(one.begin), self.x(one.end)
        width = max(end - x, LEAST_WIDTH)
        colour = zlib.crc32(one.name.encode()) % COLOURS
        y = top + one.depth * ROW
        self.rect(f"slice c{colour}", x, y + 1, width, ROW - 2, f"{one.name}, {one.end - one.begin:.2f} us")
        letters = int((width - 4) / LETTER)
        if letters >= 3:
            fits = len(one.name) <= letters
            self.text("name", x + 3, y + ROW - 5, one.name if fits else one.name[:letters - 1] + "…")

    def counter(self, track, top):
        most = max(value for _, value in track.values) or 1
        points = [(time, value) for time, value in track.values if time <= self.end]
        for place, (time, value) in enumerate(points):
            until = points[place + 1][0] if place + 1 < len(points) else self.end
            if until > self.begin and value > 0:
                height = (ROW - 3) * value / most
                self.rect("counter", self.x(time), top + ROW - 1 - height, self.x(until) - self.x(time), height,
                          f"{track.name}: {value:g}")

    def track(self, track, is_odd):
        height = track.rows * ROW
        if is_odd:
            self.rect("odd", 0, self.y, WIDTH, height)
        self.text("track", 22, self.y + ROW - 5, track.name)
        top = self.y
        self.y += height
        return top

    def draw(self, groups):
        rows = []
        start = self.y
        for process, tracks in groups.items():
            self.rect("group", 0, self.y, WIDTH, ROW)
            self.text("process", 10, self.y + ROW - 5, process)
            self.y += ROW
            rows += [(track, self.track(track, place % 2 == 1)) for place, track in enumerate(tracks)]
        bottom, self.y = self.y, start
        self.ruler(bottom)
        for track, top in rows:
            for one in track.slices:
                self.slice(one, top)
            if track.values:
                self.counter(track, top)
        return bottom


def picture(trace):
    """The last round of a timeline as SVG: whole, and close to its begin. The same timeline gives the same bytes."""
    begin, end = last_round(trace)
    groups = groups_of(trace)
    lines, y = [], 8.0
    without_counters = {process: [track for track in tracks if not track.values] for process, tracks in groups.items()}
    for title, until, shown in (
            (f"gpusim app {APPLICATION} --timeline step.json.gz: the last round", end, groups),
            (f"Its first {CLOSE_US:.0f} us, without counters", begin + CLOSE_US, without_counters)):
        lines.append(f'<text class="title" x="10" y="{y + 18:.1f}">{escape(title)}</text>')
        window = Window(begin, until, y + 42)
        y = window.draw(shown) + 16
        lines += window.lines
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:.0f}" role="img">',
        f"<title>The timeline of gpusim app {APPLICATION}, as Perfetto lays it out</title>", f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{y:.0f}" rx="8"/>', *lines, "</svg>", ""])


def picture_of(path):
    """The same of a file."""
    return picture(json.loads(pathlib.Path(path).read_text()))
