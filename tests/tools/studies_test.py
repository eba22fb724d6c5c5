# SPDX-License-Identifier: MIT
"""tools/studies.py: what a study shows of a command's output, kernels by kind, and the pictures of its tables."""
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import studies  # noqa: E402


def step(kernels, milliseconds, gibibytes=1):
    return {"kernels": [{"name": name, "total_us": us} for name, us in kernels], "rounds": 2,
            "step_us": 1000 * milliseconds, "gpus": [{"memory": {"peak_allocated_bytes": gibibytes * 2**30}}]}


class Shown(unittest.TestCase):
    def test_a_report_ends_before_its_kernels_and_a_sweep_before_its_advice(self):
        self.assertEqual(studies.shown("app x\n", "verdict\n\nKernels\n  k\n"), "verdict\n")
        self.assertEqual(studies.shown("sweep\n", "  a  b\nWhat they teach: x\n"), "  a  b")

    def test_some_commands_show_their_kernels_alone(self):
        output = "verdict\n\nKernels\n  kernel  ms\n  k  1\n\nCritical path\n"
        self.assertEqual(studies.shown(studies.ONLY_KERNELS[0], output), "Kernels\n  kernel  ms\n  k  1")

    def test_a_sweep_keeps_its_points_in_a_database_of_its_own(self):
        words = studies.sweep_words("sweep a \\\n  b", "/x.db")
        self.assertEqual(words, ["sweep", "a", "b", "--quiet", "--db", "/x.db"])
        self.assertEqual(studies.sweep_words("app a\n", "/x.db"), ["app", "a"])


class Tables(unittest.TestCase):
    def test_kernels_of_a_step_have_their_kinds(self):
        for kernel, kind in (("attention.qkv wgrad", "products of layers"), ("attention.qkv cast weight", "casts"),
                             ("mlp.up bias gradient", "gradients of biases"), ("attention.core join", "attention"),
                             ("attention.norm backward", "layer norms"), ("head.vocabulary", "head, 50,257 columns"),
                             ("embedding.sum", "sums and embeddings"), ("unheard of", "others")):
            self.assertEqual(studies.kind_of(kernel), kind)

    def test_layers_are_listed_by_their_time_in_tf32(self):
        steps = {"tf32": step([("mlp.up", 2000), ("loss mean", 8000)], 6), "bf16": step([("mlp.up", 1000)], 2)}
        rows = studies.layers(lambda options: steps[options.split()[-1]]).splitlines()[2:]
        self.assertEqual(rows, ["| loss | 4.00 | 0.00 |  |", "| products of layers | 1.00 | 0.50 | 2.0 x |",
                                "| the step | 6.00 | 2.00 | 3.0 x |"])

    def test_attention_has_gains_of_its_kernels_and_of_the_step(self):
        steps = {"flash": step([("attention.core", 2000)], 4, 1), "scores": step([("attention.core", 8000)], 8, 3)}
        row = studies.attention(lambda options: steps[options.split()[-1]]).splitlines()[2]
        self.assertEqual(row, "| 16 x 512 | 4.0 | 1.0 | 4.0 x | 8.0 | 4.0 | 2.00 x | 50 % | 3.0 | 1.0 |")


class Pictures(unittest.TestCase):
    def test_a_bar_has_the_parts_of_its_row_and_their_sum(self):
        steps = {"tf32": step([("mlp.up", 2000), ("loss mean", 8000)], 6), "bf16": step([("mlp.up", 1000)], 2)}
        svg = studies.precision_picture(studies.layers(lambda options: steps[options.split()[-1]]))
        self.assertIn("<title>loss: 4.0</title>", svg)
        self.assertIn(">5.0</text>", svg)
        self.assertIn(">BF16</text>", svg)

    def test_attention_has_a_bar_for_each_kernel_and_length(self):
        steps = {"flash": step([("attention.core", 2000)], 4, 1), "scores": step([("attention.core", 8000)], 8, 3)}
        svg = studies.attention_picture(studies.attention(lambda options: steps[options.split()[-1]]))
        self.assertIn("16 x 512, scores", svg)
        self.assertEqual(svg.count("<title>attention: 4.0</title>"), len(studies.LENGTHS))
        self.assertIn(">8.0</text>", svg)

    def test_a_part_of_a_page_is_read_by_the_columns_of_its_table(self):
        page = ("<!-- generated: study-decode -->\n\n```\n$ gpusim sweep\n\n"
                "  make.model  make.mode   cycles  time us  bound  status\n"
                "         8b      eager  1,200,000  1200.00  small  done\n```\n<!-- end of generated part -->\n")
        self.assertEqual(studies.rows_behind(studies.part_of(page, "decode"), "make.model"),
                         [["8b", "eager", "1,200,000", "1200.00", "small", "done"]])
        self.assertEqual(studies.part_of(page, "other"), "")
        svg = studies.decode_picture(page)
        self.assertIn(">8b, eager</text>", svg)
        self.assertIn(">1.2</text>", svg)

    def test_gradients_have_the_line_rate_and_what_is_beyond(self):
        page = ("<!-- generated: study-two -->\n\n```\n       size    time  line rate  algbw\n"
                "  26.08 GiB  117546      93333  238.20\n\n  times\n```\n<!-- end of generated part -->\n")
        svg = studies.gradients_picture(page)
        self.assertIn("<title>at line rate: 93.3</title>", svg)
        self.assertIn(">117.5</text>", svg)

    def test_a_page_without_its_table_has_no_picture(self):
        for draw in studies.PICTURES.values():
            self.assertIsNone(draw("nothing"))


if __name__ == "__main__":
    unittest.main()
