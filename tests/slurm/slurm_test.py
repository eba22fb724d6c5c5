# SPDX-License-Identifier: MIT
"""`gpusim sweep --submit slurm` on a real Slurm cluster of one node: workers are killed on the way, and the merged
database holds what a local run gives. Usage: slurm_test.py PROGRAM; exits 77, saying why, where no cluster can be
started."""
import ctypes
import ctypes.util
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

import cluster

SKIPPED = 77
SHARDS = 4
PATIENCE = 120  # seconds for a job array that takes some ten
# A second or so for each point: long enough to be killed on the way, and to see that it was.
STUDY = ["--arch", "h100", "--trace", "flashattn", "--test-params", "--param", "seq=1024", "--param", "heads=4",
         "--vary", "sm.count=16,32,66,132", "--vary", "dram.bandwidth=0.5x,1x,2x"]
POINTS = 12


ZSTD = ctypes.CDLL(ctypes.util.find_library("zstd"))  # the program has it, too
ZSTD.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t


def unpacked(packed):
    """Python's own library has no zstd."""
    size = ZSTD.ZSTD_getFrameContentSize(packed, ctypes.c_size_t(len(packed)))
    text = ctypes.create_string_buffer(size)
    got = ZSTD.ZSTD_decompress(text, ctypes.c_size_t(size), packed, ctypes.c_size_t(len(packed)))
    assert got == size, "not what zstd compressed"
    return text.raw.decode()


def without_host(result):
    """The JSON of a run without what is of the machine it ran on; numbers stay the characters they were."""
    values = json.loads(result, parse_float=str, parse_int=str)
    del values["host"]
    return json.dumps(values)


class Slurm(unittest.TestCase):
    program = None
    slurm = None

    def setUp(self):
        top = tempfile.TemporaryDirectory(prefix="gpusim slurm ")
        self.addCleanup(top.cleanup)
        self.work = pathlib.Path(top.name) / "it's $HOME"
        self.work.mkdir()
        self.folder = self.work / "gpusim-sweep.d"

    def gpusim(self, *arguments, status=0):
        """Standard output and error of a run in the work folder."""
        done = subprocess.run([self.program, *arguments], cwd=self.work, env=self.slurm.environment(), text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def submit(self, *more, status=0):
        return self.gpusim("sweep", *STUDY, "--db", "cluster.db", "--folder", str(self.folder), "--submit", "slurm",
                           "--shards", str(SHARDS), *more, status=status)

    def jobs(self):
        """(array, merge): numbers of what was submitted last."""
        return (self.folder / "jobs").read_text(encoding="utf-8").strip().split(",")

    def wait_until(self, what, is_so):
        end = time.monotonic() + PATIENCE
        while not is_so():
            self.assertLess(time.monotonic(), end, f"waited for {what}\n{self.logs()}")
            time.sleep(0.05)

    def wait_for_the_end(self):
        self.wait_until("the end of all jobs", lambda: not self.slurm.run("squeue", "--noheader"))

    def logs(self):
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')}" for log in self.folder.glob("*.log"))

    def process_of(self, shard):
        """The number of the process that simulates a shard; None when there is none."""
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit() and entry.name != str(os.getpid()):
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue  # it has ended
                if words[0] == os.fsencode(self.program) and f"{shard}/{SHARDS}".encode() in words:
                    return int(entry.name)
        return None

    def stored(self, database):
        """Results by key, as a run would print them."""
        connection = sqlite3.connect(f"file:{urllib.parse.quote(str(database))}?mode=ro", uri=True, timeout=PATIENCE)
        try:
            rows = connection.execute("SELECT key, json_zstd FROM result").fetchall()
        finally:
            connection.close()
        return {key: without_host(unpacked(packed)) for key, packed in rows}

    def finished(self, shard):
        database = self.folder / f"shard-{shard}-of-{SHARDS}.db"
        try:
            return len(self.stored(database))
        except sqlite3.OperationalError:
            return 0  # not made yet

    def test_workers_are_killed_and_nothing_is_lost(self):
        self.gpusim("sweep", *STUDY, "--db", "local.db", "--quiet")
        expected = self.stored(self.work / "local.db")
        self.assertEqual(len(expected), POINTS)

        said = self.submit("--time", "5", "--mem", "300M", "--partition", "test")
        array = self.jobs()[0]
        self.assertIn(f"job {array}", said)
        self.assertIn("still wait or run", self.submit(status=2))
        self.kill_on_the_way()
        self.requeue_on_the_way(array)
        self.slurm.run("scancel", f"{array}_{SHARDS}")  # of a node with two cores it is not the turn yet
        self.wait_for_the_end()
        self.assertIn("gpusim was killed", self.logs())

        merged = self.stored(self.work / "cluster.db")
        self.assertEqual({key: expected[key] for key in merged}, merged)
        self.assertEqual(len(merged), POINTS - POINTS // SHARDS, self.logs())

        said = self.submit()
        self.assertIn("pilot (", said)
        self.assertIn(f"1 of {SHARDS} shards, {POINTS // SHARDS - 1} points", said)
        self.assertIn(f"#SBATCH --array={SHARDS}\n", (self.folder / "array.sh").read_text(encoding="utf-8"))
        self.wait_for_the_end()
        self.assertEqual(self.stored(self.work / "cluster.db"), expected, self.logs())
        self.assertIn("nothing is missing", self.submit())
        self.same_answers()

    def kill_on_the_way(self):
        """As a node short of memory does: the process, not the job."""
        self.wait_until("a first point of shard 1", lambda: self.finished(1) > 0)
        before = self.process_of(1)
        self.assertIsNotNone(before, "shard 1 was done before it could be killed: give STUDY more to do")
        os.kill(before, signal.SIGKILL)
        self.wait_until("shard 1 to go on", lambda: self.process_of(1) not in (None, before))

    def requeue_on_the_way(self, array):
        self.wait_until("a first point of shard 2", lambda: self.finished(2) > 0)
        self.slurm.run("scontrol", "requeue", f"{array}_2")

    def same_answers(self):
        def answers(database):
            points = json.loads(self.gpusim("sweep", "show", "--db", database, "--format", "json"))["points"]
            return sorted(json.dumps(point, sort_keys=True) for point in points)
        self.assertEqual(answers("cluster.db"), answers("local.db"))

    def test_a_refusal_is_told_in_slurms_words(self):
        said = self.submit("--time", "5", "--mem", "300M", "--partition", "no-such", status=2)
        self.assertIn("invalid partition specified: no-such", said)

    def test_a_dry_run_submits_nothing_and_its_script_can_be_submitted(self):
        said = self.submit("--time", "5", "--mem", "300M", "--dry-run")
        self.assertIn("sbatch array.sh", said)
        self.assertEqual(self.slurm.run("squeue", "--noheader"), "")
        subprocess.run(["sh", "-c", "sbatch array.sh"], cwd=self.folder, env=self.slurm.environment(), check=True,
                       capture_output=True)
        self.wait_for_the_end()
        subprocess.run(["sh", str(self.folder / "merge.sh")], env=self.slurm.environment(), check=True,
                       capture_output=True)
        self.assertEqual(len(self.stored(self.work / "cluster.db")), POINTS)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that daemons and folders go, too
    Slurm.program = os.path.realpath(sys.argv[1])
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Slurm)
    with tempfile.TemporaryDirectory(prefix="gpusim-slurm-") as folder:
        try:
            with cluster.Cluster(folder) as Slurm.slurm:
                result = unittest.TextTestRunner(verbosity=2).run(suite)
        except cluster.CannotStart as error:
            print(f"skipped: no Slurm cluster can be started here: {error}")
            return SKIPPED
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
