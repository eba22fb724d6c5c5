# SPDX-License-Identifier: MIT
"""tools/gpusim and its set-up, on a machine made of stand-ins: a PATH whose apt-get, id and cmake only write down that
they were called. The folder's name has a space."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import tree

# Stand-ins by name. `cmake --build` writes the program that is its last word, unless the file "broken" is there. The
# program shows its arguments; gpusim-core leaves it to the whole program when one of them is "x.cubin".
FAKES = {
    "id": 'echo "${FAKE_UID:-1000}"',
    "apt-get": 'echo "apt-get $*" >>"$FAKE_LOG"\n[ "$1" = update ] || touch "$FAKE_BIN/ninja"; chmod +x "$FAKE_BIN"/*',
    "cmake": """\
echo "cmake $*" >>"$FAKE_LOG"
case $1 in
  --version) echo "cmake version ${FAKE_CMAKE:-3.25.1}" ;;
  --build)
    sleep "${FAKE_SECONDS:-0}"
    for i in $(seq 30); do echo "line $i of the build"; done
    [ ! -e broken ] || exit 1
    for target; do :; done
    [ "$target" = gpusim ] && file=$2/sim/app/gpusim || file=$2/sim/app/core/gpusim-core
    mkdir -p "${file%/*}"
    printf '#!/bin/sh\\n' >"$file"
    [ "$target" = gpusim ] || printf 'case "$*" in *x.cubin*) exec "$GPUSIM_WHOLE" "$@" ;; esac\\n' >>"$file"
    printf 'echo "%s in $PWD: $*"\\nexit 7\\n' "$target" >>"$file"
    chmod +x "$file" ;;
esac""",
    "g++": "true",
    "nproc": "echo 1",
}
BORROWED = ["bash", "sh", "env", "awk", "cat", "chmod", "dirname", "find", "flock", "grep", "head", "mkdir", "mv",
            "readlink", "rm", "sed", "seq", "sleep", "sort", "tail", "touch", "uname"]


class Gpusim(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusim clone ")
        self.addCleanup(folder.cleanup)
        top = pathlib.Path(folder.name)
        self.root = top / "my clone"
        self.bin = top / "bin"
        self.log = top / "calls"
        for name in ("tools", "sim", "cmake"):
            (self.root / name).mkdir(parents=True)
        for name in ("CMakeLists.txt", "CMakePresets.json", "sim/a.cc"):
            (self.root / name).write_text("\n")
        for name in ("gpusim", "setup.sh"):
            shutil.copy(tree.ROOT / "tools" / name, self.root / "tools")
        # Headers cannot be faked without a root file system of our own: only commands are asked for.
        lines = (tree.ROOT / "tools/packages").read_text().splitlines()
        wanted = [line for line in lines if line.split()[2] in ("cmake", "ninja", "g++")]
        (self.root / "tools/packages").write_text("\n".join(wanted) + "\n")
        self.make_bin()

    def make_bin(self):
        self.bin.mkdir()
        self.log.write_text("")
        for name in BORROWED:
            (self.bin / name).symlink_to(shutil.which(name))
        for name, body in {**FAKES, "ninja": "true"}.items():
            (self.bin / name).write_text(f"#!/bin/sh\n{body}\n")
            (self.bin / name).chmod(0o755)

    def start(self, *arguments, **environment):
        """Without HOME, without a terminal, from another directory."""
        env = {"PATH": str(self.bin), "FAKE_BIN": str(self.bin), "FAKE_LOG": str(self.log), **environment}
        return subprocess.Popen([str(self.root / "tools/gpusim"), *arguments], cwd="/", env=env, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_gpusim(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        output, errors = process.communicate()
        return process.returncode, output, errors

    def builds(self):
        return len(self.targets())

    def targets(self):
        """What was built, in its order."""
        lines = self.log.read_text().splitlines()
        return [line.split()[-1] for line in lines if line.startswith("cmake --build")]

    def test_it_builds_and_becomes_the_program(self):
        status, output, errors = self.run_gpusim("sweep", "a b")
        self.assertEqual((status, output), (7, "gpusim in /: sweep a b\n"), errors)
        self.assertIn("building the program", errors)
        self.assertNotIn("line 1 of the build", errors)

    def test_a_run_builds_only_the_core(self):
        for words in (("--trace", "a b"), ("run", "--trace", "a b")):
            status, output, _ = self.run_gpusim(*words)
            self.assertEqual((status, output), (7, f"gpusim-core in /: {' '.join(words)}\n"))
        self.assertEqual(self.targets(), ["gpusim-core"])

    def test_what_the_core_cannot_do_builds_the_program(self):
        status, output, errors = self.run_gpusim("--trace", "x.cubin")
        self.assertEqual((status, output), (7, "gpusim in /: --trace x.cubin\n"), errors)
        self.assertEqual(self.targets(), ["gpusim-core", "gpusim"])

    def test_help_and_version_build_the_whole_program(self):
        for word in ("--help", "--version"):
            self.assertEqual(self.run_gpusim(word)[1], f"gpusim in /: {word}\n")
        self.assertEqual(self.targets(), ["gpusim"])

    def test_the_whole_program_runs_everything_once_it_is_there(self):
        self.run_gpusim("sweep")
        _, output, _ = self.run_gpusim("--trace", "saxpy")
        self.assertEqual((output, self.targets()), ("gpusim in /: --trace saxpy\n", ["gpusim"]))

    def test_after_the_core_less_is_left_to_build(self):
        def minutes(errors):
            return int(re.search(r"about (\d+) minutes", errors)[1])
        first = minutes(self.run_gpusim("--trace", "saxpy")[2])
        rest = minutes(self.run_gpusim("sweep")[2])
        shutil.rmtree(self.root / "build")
        self.assertLess(rest, minutes(self.run_gpusim("sweep")[2]))
        self.assertGreater(first, 0)

    def test_the_second_run_starts_at_once(self):
        self.run_gpusim()
        before = self.log.read_text()
        status, _, errors = self.run_gpusim()
        self.assertEqual((status, errors, self.log.read_text()), (7, "", before))

    def test_a_changed_source_is_built_again(self):
        self.run_gpusim()
        os.utime(self.root / "sim/a.cc", (time.time() + 5, time.time() + 5))
        self.run_gpusim()
        self.assertEqual(self.builds(), 2)

    def test_a_moved_tree_is_built_again(self):
        self.run_gpusim()
        self.root = self.root.rename(self.root.parent / "moved clone")
        self.assertEqual(self.run_gpusim()[0], 7)
        self.assertEqual(self.builds(), 2)

    def test_of_two_started_together_one_builds(self):
        both = [self.start(FAKE_SECONDS="0.5") for _ in range(2)]
        results = [process.communicate() and process.returncode for process in both]
        self.assertEqual((results, self.builds()), ([7, 7], 1))

    def test_a_failed_build_shows_its_last_lines_and_is_tried_again(self):
        (self.root / "broken").touch()
        status, output, errors = self.run_gpusim()
        self.assertEqual((status, output), (4, ""))
        self.assertIn("line 30 of the build", errors)
        self.assertNotIn("line 10 of the build", errors)
        self.assertIn(str(self.root / "build/program.log"), errors)
        (self.root / "broken").unlink()
        self.assertEqual(self.run_gpusim()[0], 7)

    def test_without_root_it_prints_the_apt_line(self):
        (self.bin / "ninja").unlink()
        status, output, errors = self.run_gpusim()
        self.assertEqual((status, output), (2, ""))
        self.assertIn("apt-get install -y --no-install-recommends ninja-build\n", errors)
        self.assertNotIn("apt-get", self.log.read_text())

    def test_as_root_it_installs_only_what_is_missing(self):
        (self.bin / "ninja").unlink()
        status, _, errors = self.run_gpusim(FAKE_UID="0")
        self.assertEqual(status, 7, errors)
        calls = [line for line in self.log.read_text().splitlines() if line.startswith("apt-get install")]
        self.assertEqual(len(calls), 1)
        self.assertTrue(calls[0].endswith(" ninja-build"), calls)

    def test_an_old_cmake_is_named(self):
        status, _, errors = self.run_gpusim(FAKE_CMAKE="3.22.1")
        self.assertEqual(status, 2)
        self.assertIn("cmake 3.22.1 is too old", errors)


if __name__ == "__main__":
    unittest.main()
