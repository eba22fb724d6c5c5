# SPDX-License-Identifier: MIT
"""tools/timeline_picture.py draws what a timeline holds, as Perfetto lays it out."""
import re
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import timeline_picture  # noqa: E402

CPU = 1000


def named(kind, pid, tid, name):
    return {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": {"name": name}}


def piece(name, pid, tid, begin, length, kind="kernel"):
    return {"ph": "X", "cat": kind, "name": name, "pid": pid, "tid": tid, "ts": begin, "dur": length}


def trace(*events):
    return {"traceEvents": [
        named("process_name", 0, 0, "gpu0"), named("thread_name", 0, 7, "stream default"),
        named("process_name", CPU, 0, "CPU"), named("thread_name", CPU, 0, "main"),
        piece("step", CPU, 0, 0, 50, "user_annotation"), piece("step", CPU, 0, 100, 200, "user_annotation"), *events]}


def rects(svg, title):
    """(x, y, width) of what has a title that begins so, in the window of the whole round."""
    whole = svg.split("Its first")[0]
    found = re.findall(rf'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+"><title>{re.escape(title)}', whole)
    return [tuple(map(float, numbers)) for numbers in found]


class Timeline(unittest.TestCase):
    def test_the_last_round_fills_the_width_and_others_are_left_out(self):
        svg = timeline_picture.picture(trace(piece("early", 0, 7, 10, 20), piece("kernel", 0, 7, 200, 50)))
        self.assertEqual(rects(svg, "early"), [])
        width = timeline_picture.WIDTH - timeline_picture.LEFT - timeline_picture.RIGHT
        (x, _, length), = rects(svg, "kernel")
        self.assertAlmostEqual(x, timeline_picture.LEFT + width / 2, delta=0.1)
        self.assertAlmostEqual(length, width / 4, delta=0.1)

    def test_a_slice_lies_below_the_one_that_holds_it_and_beside_the_one_before(self):
        svg = timeline_picture.picture(trace(piece("inner", CPU, 0, 110, 20, "cpu_op"),
                                             piece("next", CPU, 0, 130, 20, "cpu_op")))
        (_, step, _), (_, inner, _), (_, after, _) = (rects(svg, name)[0] for name in ("step", "inner", "next"))
        self.assertEqual((inner - step, after - inner), (timeline_picture.ROW, 0))

    def test_processes_and_threads_have_their_names_the_cpu_first(self):
        svg = timeline_picture.picture(trace(piece("kernel", 0, 7, 200, 50)))
        names = re.findall(r'<text class="(?:process|track)"[^>]*>([^<]*)<', svg)
        self.assertEqual(names, 2 * ["CPU", "main", "gpu0", "stream default"])

    def test_a_counter_is_as_high_as_its_share_of_the_most_until_its_next_value(self):
        samples = [{"ph": "C", "name": "memory", "pid": 0, "ts": at, "args": {"allocated": value}}
                   for at, value in ((100, 5), (200, 10), (300, 0))]
        svg = timeline_picture.picture(trace(*samples))
        heights = re.findall(r'height="([\d.]+)"><title>memory, allocated: ', svg)
        self.assertEqual(len(heights), 2)
        self.assertAlmostEqual(float(heights[0]) * 2, float(heights[1]), delta=0.11)

    def test_names_are_those_of_the_file_whatever_they_hold(self):
        svg = timeline_picture.picture(trace(piece("gemm<float, 4> & more", 0, 7, 150, 140)))
        self.assertIn("gemm&lt;float, 4&gt; &amp; more", svg)

    def test_the_same_timeline_gives_the_same_bytes(self):
        events = trace(piece("kernel", 0, 7, 200, 50))
        self.assertEqual(timeline_picture.picture(events), timeline_picture.picture(events))


if __name__ == "__main__":
    unittest.main()
