#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grades a class that does not exist. Makes submissions of the labs in docs/labs as students hand them in, right ones,
unfinished ones, wrong ones and broken ones, has `gpusim lab grade` judge them, and says where a grade is not what was
meant. The same seed makes the same class. Exits with 1 when a grade is not as meant.

  tools/labs/submissions.py --program build/release/sim/app/gpusim --count 200
"""
import argparse
import collections
import csv
import io
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABS = ROOT / "docs/labs"
ENDLESS = "code\n  loop never = 0..1000000000000\n    FADD R1, R1, R1\n  end\n"


class Meant(typing.NamedTuple):
    """What a grade should say of a submission."""
    passed: bool = False
    task: str = ""      # the column that says `standing`
    standing: str = ""
    remark: str = ""    # a part of the remark
    of: str = ""        # which wrong solution it is


class Lab:
    """What the tool has to know of a lab: its tasks, and the wrong solutions that it comes with."""

    def __init__(self, folder):
        self.name = folder.name
        text = (folder / "lab.yaml").read_text()
        self.files = re.search(r"^files: \[(.*)\]", text, re.M).group(1).split(", ")
        self.numbers = re.findall(r"^  ([\w-]+):\s*\{?\s*kind: number", text, re.M)
        self.questions = self.numbers + re.findall(r"^  ([\w-]+):\s*\{?\s*kind: choice", text, re.M)
        self.kernels = set(re.findall(r"\bkernel: (\w+)", text))
        self.wrong = {}
        for wrong in sorted((folder / "wrong").iterdir()):
            if not list(wrong.glob("*.cu")):
                expected = dict(re.findall(r"^(\w+): (\S+)", (wrong / "expect.yaml").read_text(), re.M))
                self.wrong[wrong.name] = expected["task"]


class Class:
    """Writes submissions into a folder, each by one of its methods, which says what its grade should be."""

    def __init__(self, program, folder, seed):
        self.program = program
        self.folder = folder
        self.random = random.Random(seed)
        self.before = {}  # by lab, the solution of another student

    def hand_in(self, number, lab, kind):
        place = self.folder / f"{number:04}-{lab.name}-{kind.__name__}"
        meant = kind(self, lab, place, f"student-{number}")
        return place.name, meant

    def lab(self, command, lab, place, student, *options, unless=None):
        """Whether the program wrote it; it may refuse with what `unless` says, and nothing else."""
        done = subprocess.run([self.program, "lab", command, lab.name, place, "--student", student, *options],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0 and (unless is None or unless not in done.stderr):
            sys.exit(f"gpusim lab {command} {lab.name} failed:\n{done.stderr}")
        return done.returncode == 0

    def solution(self, lab, place, student):
        self.lab("solution", lab, place, student)
        self.before[lab.name] = place
        return Meant(passed=True)

    def start(self, lab, place, student):
        self.lab("start", lab, place, student)
        return Meant()

    def wrong(self, lab, place, student):
        for name in self.random.sample(list(lab.wrong), len(lab.wrong)):
            if self.lab("solution", lab, place, student, "--wrong", name, unless="is not wrong with the parameters"):
                return Meant(task=lab.wrong[name], standing="not yet", of=name)
        sys.exit(f"{lab.name} has nothing that is wrong for {student}")

    def unchanged(self, lab, place, student):
        """Right answers, and the files as they were at the start."""
        self.solution(lab, place, student)
        for file in lab.files:
            (place / file).unlink()
            self.lab("start", lab, place, student, "--again", file)
        return Meant()

    def doubled(self, lab, place, student):
        """One number is twice what it should be."""
        self.solution(lab, place, student)
        task = self.random.choice(lab.numbers)
        change(place / "answers.yaml", rf'^{task}: "(.*)"$', lambda found: f'{task}: "2 * ({found.group(1)})"')
        return Meant(task=task, standing="not yet")

    def forgotten(self, lab, place, student):
        """One question has no answer."""
        self.solution(lab, place, student)
        task = self.random.choice(lab.questions)
        change(place / "answers.yaml", rf"^{task}: .*$", f"{task}:")
        return Meant(task=task, standing="waiting")

    def copied(self, lab, place, student):
        """Somebody else's answers under this student's name."""
        other = self.before.get(lab.name)
        if other is None:
            return self.start(lab, place, student)
        self.solution(lab, place, student)
        shutil.copy(other / "answers.yaml", place / "answers.yaml")
        return Meant(remark="another student")

    def garbled(self, lab, place, student):
        """A file that is not what it should be, in each of its lines."""
        self.solution(lab, place, student)
        file = place / self.random.choice(lab.files)
        file.write_text("".join(f"? {line}\n" for line in file.read_text().splitlines()))
        return Meant(remark=f"{file.name}:")

    def lost(self, lab, place, student):
        """A file is missing."""
        self.solution(lab, place, student)
        file = self.random.choice(lab.files)
        (place / file).unlink()
        return Meant(remark=f"{file} is missing")

    def renamed(self, lab, place, student):
        """The kernel has another name."""
        self.solution(lab, place, student)
        traces = traces_of(lab, place)
        if not traces:
            return self.lost_student(place)
        change(self.random.choice(traces), r"^kernel (\w+)$", "kernel mine")
        return Meant(remark="has no kernel")

    def endless(self, lab, place, student):
        """A loop of so many turns that it never ends."""
        self.solution(lab, place, student)
        traces = traces_of(lab, place)
        if not traces:
            return self.lost_student(place)
        change(self.random.choice(traces), r"^code\n", ENDLESS)
        return Meant(remark="did not end within the 6 s of processor time")

    def lost_student(self, place):
        """Nobody knows whose work it is."""
        (place / "student.yaml").unlink()
        return Meant(remark="is missing")


# Right, unfinished, wrong and broken submissions take turns, as they do in a class.
KINDS = [Class.solution, Class.wrong, Class.doubled, Class.solution, Class.start, Class.wrong, Class.forgotten,
         Class.garbled, Class.solution, Class.wrong, Class.copied, Class.unchanged, Class.solution, Class.lost,
         Class.wrong, Class.renamed, Class.endless]


def change(file, pattern, by):
    text, count = re.subn(pattern, by, file.read_text(), count=1, flags=re.M)
    if count != 1:
        sys.exit(f"{file} has nothing like {pattern}")
    file.write_text(text)


def traces_of(lab, place):
    return [place / file for file in lab.files if file.endswith(".trace") and lab.kernels]


def differs(meant, row):
    """Why a row is not what was meant; empty when it is."""
    if row is None:
        return "has no row"
    passed = row["passed"] == "yes"
    if passed != meant.passed:
        return f"passed: {row['passed']}"
    if meant.task and row[meant.task] != meant.standing:
        return f"{meant.task}: {row[meant.task] or 'nothing'} and not {meant.standing}"
    if meant.remark not in row["remark"]:
        return f"nothing of '{meant.remark}'"
    return ""


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def graded(program, folder):
    """The rows by folder, and the processor and the wall-clock seconds that they took."""
    processor, wall = processor_seconds(), time.monotonic()
    done = subprocess.run([program, "lab", "grade", folder, "--csv"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"gpusim lab grade failed:\n{done.stderr}")
    rows = {row["folder"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    return rows, processor_seconds() - processor, time.monotonic() - wall


def report(meant, rows, processor, wall):
    """Prints how many of each kind were graded as meant, and returns the names of the others."""
    kinds = collections.defaultdict(lambda: [0, 0, 0])
    others = []
    for name, expected in meant.items():
        why = differs(expected, rows.get(name))
        count = kinds[name.rsplit("-", 1)[1]]
        count[0] += 1
        count[1] += name in rows and rows[name]["passed"] == "yes"
        count[2] += not why
        if why:
            said = "; ".join(filter(None, (why, rows.get(name, {}).get("remark"))))
            others.append(" ".join(filter(None, (name, expected.of))) + ": " + said)
    print(f"{'kind':12}{'graded':>8}{'passed':>8}{'as meant':>10}")
    for kind, counts in sorted(kinds.items()):
        print(f"{kind:12}{counts[0]:8}{counts[1]:8}{counts[2]:10}")
    totals = [sum(counts[i] for counts in kinds.values()) for i in range(3)]
    print(f"{'all':12}{totals[0]:8}{totals[1]:8}{totals[2]:10}")
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    print(f"grading took {processor:.1f} s of processor time, {processor / len(meant):.2f} s a submission; {wall:.1f} s"
          f" passed; no process held more than {most:.0f} MB")
    return others


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="gpusim, with its labs")
    parser.add_argument("--count", type=int, default=200, help="submissions (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="another class for another number (default: 1)")
    parser.add_argument("--labs", help="names of labs, with commas between them (default: all)")
    parser.add_argument("--keep", type=pathlib.Path, help="a new folder for the submissions, which is kept")
    options = parser.parse_args(arguments)
    if options.count < 1:
        parser.error("--count: at least 1")
    known = sorted(file.parent.name for file in LABS.glob("*/lab.yaml"))
    options.labs = options.labs.split(",") if options.labs else known
    for lab in options.labs:
        if lab not in known:
            parser.error(f"--labs: no lab is called '{lab}' (known: {', '.join(known)})")
    return options


def main(arguments=None):
    options = parsed(arguments)
    program = options.program.resolve()
    labs = [Lab(LABS / name) for name in options.labs]
    with tempfile.TemporaryDirectory(prefix="gpusim-class-") as temporary:
        folder = options.keep or pathlib.Path(temporary) / "class"
        folder.mkdir()
        room = Class(program, folder, options.seed)
        meant = dict(room.hand_in(i, labs[i % len(labs)], KINDS[i % len(KINDS)]) for i in range(options.count))
        others = report(meant, *graded(program, folder))
    for other in others:
        print(f"not as meant: {other}")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
