# SPDX-License-Identifier: MIT
"""tools/silicon/run from end to end, with a stand-in for the measuring program and without NVIDIA's tools."""
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

import tree

RUN = tree.ROOT / "tools/silicon/run"

# Knows one experiment for every way to end. What it "measures" is made up.
PROGRAM = """\
#!{python}
import json, os, pathlib, sys, time
NAMES = {{"kernels/profiled": 95, "kernels/unprofiled": 94, "micro/good": 90, "micro/skipped": 80, "micro/wrong": 70,
         "micro/crash": 60, "micro/hang": 10}}
words = sys.argv[1:]
if words[0] == "--device":
    if os.environ.get("NO_GPU"): sys.exit(3)
    print(json.dumps(dict(gpu=os.environ.get("GPU", "made-up GPU"), compute_capability="9.0", has_code=True)))
elif words[0] == "--list":
    for name, priority in NAMES.items():
        print(json.dumps(dict(name=name, priority=priority, seconds=0.1, needs=[], supported=True)))
elif words[0] == "--run":
    name, out = words[1], words[3]
    lines = [dict(type="begin", experiment=name, gpu="made-up GPU"),
             dict(type="measurement", experiment=name, metric="latency", value=4.0)]
    part = pathlib.Path(out + ".part")
    part.write_text("".join(json.dumps(line) + "\\n" for line in lines))
    parent = os.getppid()
    while name.endswith("hang") and os.getppid() == parent: time.sleep(0.1)
    if name.endswith("crash"): os.abort()
    code = dict(good=0, profiled=0, unprofiled=0, skipped=3, wrong=5)[name.split("/")[1]]
    lines.append(dict(type="done", experiment=name, status=["ok", "", "", "skipped", "", "wrong"][code]))
    with open(out, "a") as file:
        file.write("".join(json.dumps(line) + "\\n" for line in lines))
    part.unlink()
    sys.exit(code)
"""

# The tools of NVIDIA, as far as they are called. What they "say" is made up.
TOOLS = {"cuobjdump": """\
#!{python}
import pathlib, sys
if sys.argv[1] == "-xelf":
    for name in ("a.1.sm_80", "a.2.sm_90a", "b.2.sm_90a"): pathlib.Path(name + ".cubin").touch()
""", "nvdisasm": """\
#!{python}
import sys
print(".text.kernel:", "        /*0000*/  EXIT ;", sys.argv[-1], sep="\\n")
""", "ncu": """\
#!{python}
import pathlib, sys, time
words = sys.argv[1:]
if words[0] == "--import": print("page", words[words.index("--page") + 1])
elif words[-1] == "kernels/unprofiled": print("==ERROR== made-up failure")
else: pathlib.Path(words[words.index("--export") + 1]).touch()
"""}


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusim silicon ")
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name) / "build"
        self.build.mkdir()
        self.out = pathlib.Path(folder.name) / "out"
        program = self.build / "silicon"
        program.write_text(PROGRAM.format(python=sys.executable))
        program.chmod(0o755)

    def run_tool(self, *options, **environment):
        # An empty PATH keeps every tool of NVIDIA's out, whatever this machine has.
        command = [sys.executable, "-B", str(RUN), "--out", str(self.out), "--build", str(self.build), *options]
        return subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": "", "CUDA_PATH": "/nowhere", **environment})

    def records(self):
        text = lzma.decompress((self.out / "results.jsonl.xz").read_bytes()).decode()
        return [json.loads(line) for line in text.splitlines()]

    def outcomes(self):
        return {r["experiment"]: r["status"] for r in self.records() if r["type"] == "done"}

    def test_a_crash_costs_one_experiment_and_keeps_what_it_had_measured(self):
        done = self.run_tool("--only", "micro/[!h]*", "--minutes", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.outcomes(), {"micro/good": "ok", "micro/skipped": "skipped", "micro/wrong": "wrong",
                                           "micro/crash": "crash"})
        crashed = [r["type"] for r in self.records() if r["experiment"] == "micro/crash"]
        self.assertEqual(crashed, ["begin", "measurement", "done"])

    def test_a_hang_is_stopped_when_the_time_is_over(self):
        # 20 s are kept for packing, so the experiment gets about 3.
        done = self.run_tool("--only", "hang", "--minutes", "0.38")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.outcomes(), {"micro/hang": "timeout"})

    def test_a_second_run_repeats_only_what_did_not_end_well(self):
        self.run_tool("--only", "micro/[!h]*", "--minutes", "2")
        done = self.run_tool("--only", "micro/[!h]*", "--minutes", "2")
        self.assertIn("1 of 7 experiments to run", done.stderr)
        self.assertEqual(len([r for r in self.records() if r["type"] == "done"]), 4)

    def test_what_a_killed_run_left_is_taken_up(self):
        self.run_tool("--only", "good", "--minutes", "2")
        whole = lzma.decompress((self.out / "results.jsonl.xz").read_bytes()).decode()
        (self.out / "results.jsonl.xz").unlink()
        (self.out / "results.jsonl").write_text(whole + '{"type":"begin","exper')
        done = self.run_tool("--only", "good", "--minutes", "2")
        self.assertIn("1 incomplete lines", done.stderr)
        self.assertIn("0 of 7 experiments to run", done.stderr)
        self.assertEqual(self.outcomes(), {"micro/good": "ok"})

    def test_no_more_than_eight_files_are_left_and_none_of_them_half_written(self):
        self.run_tool("--only", "good", "--minutes", "2")
        names = sorted(p.name for p in self.out.iterdir())
        self.assertEqual(names, ["environment.json", "log.txt", "results.jsonl.xz", "sass.tar"])

    def test_a_run_that_is_killed_leaves_results_code_and_environment(self):
        command = [sys.executable, "-B", str(RUN), "--out", str(self.out), "--build", str(self.build)]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "PATH": "", "CUDA_PATH": "/nowhere"})
        try:
            self.wait_for(lambda: "micro/hang" in self.text("results.jsonl.part"))
        finally:
            process.kill()
            process.wait()
        self.assertIn("micro/good", self.text("results.jsonl"))
        self.assertTrue((self.out / "sass.tar").exists())
        self.assertEqual(json.loads(self.text("environment.json"))["device"]["gpu"], "made-up GPU")

    def text(self, name):
        file = self.out / name
        return file.read_text() if file.exists() else ""

    def wait_for(self, is_so):
        for _ in range(600):
            if is_so():
                return
            time.sleep(0.1)
        self.fail("what was waited for did not come")

    def members(self, name):
        with tarfile.open(self.out / name) as tar:
            return {m.name: lzma.decompress(tar.extractfile(m).read()).decode() for m in tar.getmembers()}

    def test_code_and_profiles_are_kept_where_there_are_tools(self):
        tools = self.build.parent / "tools"
        tools.mkdir()
        for name, text in TOOLS.items():
            (tools / name).write_text(text.format(python=sys.executable))
            (tools / name).chmod(0o755)
        done = self.run_tool("--only", "kernels", "--minutes", "3", PATH=str(tools))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(self.members("sass.tar")), ["silicon.a.2.sm_90a.sass.xz", "silicon.b.2.sm_90a.sass.xz"])
        pages = self.members("ncu.tar")
        self.assertEqual(sorted(pages), [f"kernels.profiled.{page}.csv.xz" for page in ("details", "raw", "source")])
        self.assertEqual(pages["kernels.profiled.source.csv.xz"], "page source\n")
        self.assertIn("profiles end here: kernels/unprofiled: ==ERROR== made-up failure", done.stderr)

    def test_without_a_gpu_it_says_so(self):
        done = self.run_tool(NO_GPU="1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no CUDA device", done.stderr)

    def test_without_program_and_compiler_it_says_where_to_look(self):
        (self.build / "silicon").unlink()
        done = self.run_tool()
        self.assertEqual(done.returncode, 2)
        self.assertIn("the build failed", done.stderr)

    def test_a_pattern_that_fits_nothing_is_an_error(self):
        done = self.run_tool("--only", "micro/goood")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no experiment is called 'micro/goood'", done.stderr)

    def test_results_of_two_gpus_are_not_mixed(self):
        self.run_tool("--only", "good", "--minutes", "2")
        done = self.run_tool("--only", "good", "--minutes", "2", GPU="another GPU")
        self.assertEqual(done.returncode, 2)
        self.assertIn("results of another GPU (made-up GPU)", done.stderr)


if __name__ == "__main__":
    unittest.main()
