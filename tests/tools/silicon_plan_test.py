# SPDX-License-Identifier: MIT
"""What tools/silicon/run decides: the order within the minutes, what counts as done, what is kept, what SASS shows."""
import pathlib
import subprocess
import sys
import time
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/silicon"))
import machine  # noqa: E402
import plan  # noqa: E402
import sass  # noqa: E402


def experiment(name, priority=50, seconds=1.0, supported=True):
    return {"name": name, "priority": priority, "seconds": seconds, "needs": [], "supported": supported}


def attempt(name, status, value=1.0):
    return [{"type": "begin", "experiment": name, "gpu": "made-up GPU"},
            {"type": "measurement", "experiment": name, "metric": "latency", "value": value},
            {"type": "done", "experiment": name, "status": status}]


class Schedule(unittest.TestCase):
    def names(self, experiments):
        return [e["name"] for e in experiments]

    def test_the_most_valuable_run_first_and_equals_by_name(self):
        waiting = plan.select([experiment("b", 10), experiment("a", 10), experiment("c", 90)], "", set())
        self.assertEqual(self.names(waiting), ["c", "a", "b"])

    def test_what_no_longer_fits_gives_way_to_less_valuable_ones_that_do(self):
        waiting = [experiment("long", 90, 100), experiment("short", 50, 1), experiment("also long", 40, 100)]
        running, left = plan.plan(waiting, 50)
        self.assertEqual(self.names(running), ["short"])
        self.assertEqual(self.names(left), ["long", "also long"])

    def test_starting_a_process_counts_too(self):
        running, _ = plan.plan([experiment(str(i), 50, 0) for i in range(10)], 4 * plan.SECONDS_TO_START)
        self.assertEqual(len(running), 4)

    def test_an_experiment_that_cannot_run_here_costs_only_its_start(self):
        self.assertEqual(plan.cost(experiment("a", 50, 100, supported=False)), plan.SECONDS_TO_START)

    def test_finished_ones_are_left_out_and_patterns_are_obeyed(self):
        all_of_them = [experiment("micro/a"), experiment("micro/b"), experiment("kernels/a")]
        self.assertEqual(self.names(plan.select(all_of_them, "micro/*", {"micro/a"})), ["micro/b"])
        self.assertEqual(self.names(plan.select(all_of_them, "els", set())), ["kernels/a"])

    def test_a_process_gets_more_time_than_estimated_but_never_more_than_is_left(self):
        self.assertEqual(plan.patience(experiment("a", 50, 30), 1000), plan.PATIENCE_FACTOR * 30)
        self.assertEqual(plan.patience(experiment("a", 50, 30), 12), 12)
        self.assertEqual(plan.patience(experiment("a", 50, 0.1), 1000), plan.LEAST_PATIENCE_SECONDS)


class Resume(unittest.TestCase):
    def test_a_truncated_last_line_is_dropped_and_the_rest_kept(self):
        text = plan.to_text(attempt("a", "ok") + attempt("b", "ok"))
        records, dropped = plan.parse_records(text[:-10])
        self.assertEqual(dropped, 1)
        self.assertEqual(plan.finished(records), {"a"})
        self.assertEqual(plan.merge(records), attempt("a", "ok"))

    def test_outcomes_that_would_repeat_themselves_are_final(self):
        records = [r for s in ("ok", "skipped", "wrong", "fault", "crash", "timeout") for r in attempt(s, s)]
        self.assertEqual(plan.finished(records), {"ok", "skipped", "wrong"})

    def test_a_second_attempt_replaces_the_first_unless_it_failed(self):
        better = attempt("a", "timeout", 1.0) + attempt("a", "ok", 2.0)
        self.assertEqual(plan.merge(better), attempt("a", "ok", 2.0))
        self.assertEqual(plan.merge(attempt("a", "ok", 2.0) + attempt("a", "crash", 3.0)), attempt("a", "ok", 2.0))

    def test_what_a_cut_short_experiment_measured_is_kept(self):
        part = plan.to_text(attempt("a", "ok")[:2]) + '{"type":"measurement","experi'
        records = plan.salvage(part, "a", "timeout", "stopped", 20)
        self.assertEqual([r["type"] for r in records], ["begin", "measurement", "done"])
        self.assertEqual(records[-1]["status"], "timeout")

    def test_a_part_without_its_run_is_closed_under_its_own_name(self):
        records = plan.salvage_unnamed(plan.to_text(attempt("a", "ok")[:2]))
        self.assertEqual([r["experiment"] for r in records], ["a", "a", "a"])
        self.assertEqual(records[-1]["status"], "interrupted")
        self.assertEqual(plan.salvage_unnamed(""), [])

    def test_gpus_of_a_file_are_known(self):
        self.assertEqual(plan.gpus(attempt("a", "ok")), {"made-up GPU"})


class Limits(unittest.TestCase):
    def test_everything_is_kept_that_fits(self):
        self.assertEqual(plan.fit({"a": 5, "b": 5}, 10), (["a", "b"], []))

    def test_the_largest_go_first(self):
        self.assertEqual(plan.fit({"a": 5, "b": 7, "c": 2, "d": 6}, 8), (["a", "c"], ["b", "d"]))

    def test_nothing_may_be_left(self):
        self.assertEqual(plan.fit({"a": 5}, 4), ([], ["a"]))


class Machine(unittest.TestCase):
    def cubins(self, *names):
        return [pathlib.Path(name) for name in names]

    def running_on(self, capability, *names):
        return [p.name for p in machine.running_on(capability, self.cubins(*names))]

    def test_the_code_listed_is_what_this_gpu_runs(self):
        names = ("x_sm90.1.sm_80.cubin", "x_sm90.2.sm_90a.cubin", "y.sm_90a.cubin", "y.sm_100a.cubin")
        self.assertEqual(self.running_on("9.0", *names), ["x_sm90.2.sm_90a.cubin", "y.sm_90a.cubin"])
        self.assertEqual(self.running_on("8.6", *names), ["x_sm90.1.sm_80.cubin"])
        self.assertEqual(self.running_on("7.5", *names), [])

    def test_the_build_is_for_this_gpu_alone(self):
        def option_for(capability):
            program = machine.Program("/nowhere")
            return [w for w in program.configuring(capability) if "ARCHITECTURES" in w]
        self.assertEqual(option_for("9.0"), ["-DCMAKE_CUDA_ARCHITECTURES=90a-real"])
        self.assertEqual(option_for("8.9"), ["-DCMAKE_CUDA_ARCHITECTURES=89-real;90a-real"])
        self.assertEqual(option_for(""), [])

    def test_gpus_before_everything_are_known(self):
        self.assertTrue(machine.is_too_old("7.5"))
        self.assertFalse(machine.is_too_old("8.0"))
        self.assertFalse(machine.is_too_old("12.0"))
        self.assertFalse(machine.is_too_old(""))

    def test_a_command_that_takes_too_long_takes_its_children_with_it(self):
        begin = time.monotonic()
        with self.assertRaises(subprocess.TimeoutExpired):
            # The child would keep the pipe open.
            machine.finish(["sh", "-c", "sleep 60 & sleep 60"], 0.2, stdout=subprocess.PIPE)
        self.assertLess(time.monotonic() - begin, 30)


# Made up, in the layouts of nvdisasm and of cuobjdump.
NVDISASM = """\
        .section        .text._Z1kPf,"ax",@progbits
.text._Z1kPf:
        /*0000*/                   FFMA R1, R2, R3, R4 ;          /* 0x0000000302017223 */
                                                                  /* 0x000fe20000000004 */
        /*0010*/                   CS2R R2, SR_CLOCKLO ;          /* 0x0000000000027805 */
        /*0020*/                   FFMA R1, R1, R3, R4 ;
        /*0030*/              @!P0 FFMA.FTZ R1, R1, R3, R4 ;
        /*0040*/                   FFMA32I R1, R1, R3, R4 ;
        /*0050*/                   CS2R R6, SR_CLOCKLO ;
        /*0060*/               @P0 BRA `(.L_x_0) ;
"""
CUOBJDUMP = """\
\t\tFunction : _Z1gv
\t.headerflags\t@"EF_CUDA_SM90"
        /*0000*/                   EXIT ;                         /* 0x000000000000794d */
"""


class Sass(unittest.TestCase):
    def expectation(self, **fields):
        usual = {"experiment": "micro/a", "kernel": "_Z1kPf", "mnemonic": "FFMA", "at_least": 2, "between_clocks": True}
        return {**usual, **fields}

    def test_both_layouts_are_read(self):
        found = sass.functions(NVDISASM + CUOBJDUMP)
        self.assertEqual([name for name, _ in found["_Z1kPf"]],
                         ["FFMA", "CS2R", "FFMA", "FFMA.FTZ", "FFMA32I", "CS2R", "BRA"])
        self.assertEqual([name for name, _ in found["_Z1gv"]], ["EXIT"])

    def test_only_what_is_timed_counts_and_modifiers_do_not_matter(self):
        listing = sass.functions(NVDISASM)
        self.assertEqual(sass.verdict(self.expectation(), listing)["found"], 2)
        self.assertEqual(sass.verdict(self.expectation(between_clocks=False), listing)["found"], 3)
        self.assertEqual(sass.verdict(self.expectation(mnemonic="FFMA.FTZ|FFMA32I"), listing)["found"], 2)

    def test_too_few_and_a_missing_kernel_are_not_ok(self):
        listing = sass.functions(NVDISASM)
        self.assertTrue(sass.verdict(self.expectation(), listing)["ok"])
        self.assertFalse(sass.verdict(self.expectation(at_least=3), listing)["ok"])
        missing = sass.verdict(self.expectation(kernel="_Z1hv"), listing)
        self.assertFalse(missing["ok"])
        self.assertIn("no listing", missing["note"])


if __name__ == "__main__":
    unittest.main()
