#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what the handouts of the labs say was simulated, and compares the figures in their text with it.

docs/labs/NAME/figures.yaml names the runs of a handout and its figures: `says` is a piece of handout.md, and `is` has
a formula for each number in it, in their order, or ~ for one that is not simulated. A figure is as precise as it is
written: it may be off by one unit of its last digit, or by `within`. `shows` is a piece of what a command prints
instead, such as a timeline. Every number of the section Discussion, and of a table that is a picture, has to stand in
one of these pieces or in one of `given`, which are not simulated. With --write the numbers in the handout are replaced
by today's.
"""
import argparse
import ast
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import sys

import yaml

LABS = pathlib.Path(__file__).resolve().parents[2] / "docs/labs"
NUMBER = re.compile(r"(?<![\w.^{])\d[\d,]*(?:\.\d+)?(?![\w}])")
BRACES = re.compile(r"\{\{.*?\}\}")
NAME = re.compile(r"\b([a-z]\w*)\.([a-z][\w.]*)")
FILE = "figures.yaml"
KNOWN_KEYS = {"runs", "figures", "given"}


class Runs:
    """The runs of a figures.yaml, each simulated once when a figure asks for it."""

    def __init__(self, program, folder, described):
        self.program, self.folder, self.described = program, folder, described

    def words(self, name):
        """The command line of a run."""
        run = self.described.get(name)
        if run is None:
            raise ValueError(f"there is no run '{name}'")
        words = [self.program, "--quiet", "--arch", self.place(run["arch"]), "--trace", self.place(run["trace"])]
        for option, key in (("--param", "params"), ("--set", "set")):
            for each, value in run.get(key, {}).items():
                words += [option, f"{each}={self.word(value)}"]
        return words + ["--cache", run.get("cache", "warm")]

    @staticmethod
    def word(value):
        return {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value

    def place(self, file):
        path = self.folder / str(file)
        return str(path) if path.is_file() else str(file)

    @functools.lru_cache(maxsize=None)
    def result(self, name):
        return json.loads(self.printed(tuple(self.words(name)) + ("--format", "json")))

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def printed(words):
        environment = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "2000"}  # a timeline in one row
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
        return done.stdout

    def value(self, name, key):
        """A key of the kernel that counts; of several kernels the sum. `machine.` begins one of the machine."""
        result = self.result(name)
        if key.startswith("machine."):
            return found(result, key)
        wanted = self.described[name].get("kernel")
        kernels = [each for each in result["kernels"] if wanted in (None, each["name"])]
        if not kernels:
            raise ValueError(f"the run '{name}' has no kernel '{wanted}'")
        return sum(found(each, key) for each in kernels)


def found(tree, key):
    for part in key.split("."):
        if not isinstance(tree, dict) or part not in tree:
            raise ValueError(f"no value is called '{key}'")
        tree = tree[part]
    return 0 if tree is None else tree


def calculated(formula, runs):
    """The value of a formula with numbers, + - * / **, parentheses and RUN.KEY."""
    names = {}

    def stand_in(match):
        name = f"_{len(names)}"
        names[name] = runs.value(match.group(1), match.group(2))
        return name

    tree = ast.parse(NAME.sub(stand_in, str(formula)), mode="eval")
    allowed = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Load, ast.operator, ast.unaryop)
    if not all(isinstance(node, allowed) for node in ast.walk(tree)):
        raise ValueError(f"'{formula}' is not a formula")
    return eval(compile(tree, "formula", "eval"), {"__builtins__": {}}, names)


def unit_of(text):
    """What the last digit of a number counts."""
    return 10.0 ** -len(text.partition(".")[2])


def written_like(value, text):
    """The value with as many digits as the number that stands there."""
    digits = len(text.partition(".")[2])
    return f"{value:,.{digits}f}" if "," in text or value >= 10000 else f"{value:.{digits}f}"


def share(text):
    """ "3 %" as 0.03."""
    return float(str(text).rstrip("% ")) / 100


def is_fresh(number, value, figure):
    allowed = share(figure["within"]) * abs(value) if "within" in figure else unit_of(number)
    return math.isclose(float(number.replace(",", "")), value, rel_tol=1e-9, abs_tol=allowed * 1.0001)


def renewed(figure, runs):
    """The figure's piece of text with the numbers of today, and a sentence for each number that is stale."""
    says, formulas = figure["says"], figure["is"]
    numbers = list(NUMBER.finditer(says))
    if len(numbers) != len(formulas):
        raise ValueError(f"'{says}' has {len(numbers)} numbers and {len(formulas)} formulas")
    pieces, stale, at = [], [], 0
    for number, formula in zip(numbers, formulas):
        text = number.group()
        if formula is not None:
            value = calculated(formula, runs)
            if not is_fresh(text, value, figure):
                stale.append(f"'{says}' says {text}, and {formula} is {value:.6g}")
                text = written_like(value, text)
        pieces += [says[at:number.start()], text]
        at = number.end()
    return "".join(pieces) + says[at:], stale


def in_quotes(text):
    """The text between the quotes of YAML, as figures.yaml has it."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def without_space(text):
    return "".join(text.split())


def check_shown(figure, runs):
    """A sentence when a command does not print what the handout shows."""
    words = tuple(runs.words(figure["run"])) + tuple(str(figure["with"]).split())
    if without_space(figure["shows"]) not in without_space(runs.printed(words)):
        return [f"'{figure['shows']}' is not in what {' '.join(words[1:])} prints"]
    return []


def measured_text(handout):
    """The places of the handout that say what was simulated: (begin, end)."""
    begin = handout.index("\n## Discussion")
    end = handout.find("\n## ", begin + 1)
    places = [(begin, len(handout) if end < 0 else end)]
    places += [match.span() for match in re.finditer(r"^```picture .*?^```", handout, re.DOTALL | re.MULTILINE)]
    return places


def uncovered(handout, pieces):
    """Numbers of the measured text that no piece has, with their lines."""
    covered = bytearray(len(handout))
    for piece in pieces:
        at = handout.find(piece)
        while at >= 0:
            covered[at:at + len(piece)] = b"\1" * len(piece)
            at = handout.find(piece, at + 1)
    for hidden in (BRACES, re.compile(r"\]\([^)]*\)"), re.compile(r"\[\d\]"), re.compile(r"`[^`\n]*`")):
        for match in hidden.finditer(handout):
            covered[match.start():match.end()] = b"\1" * (match.end() - match.start())
    bare = []
    for begin, end in measured_text(handout):
        for number in NUMBER.finditer(handout, begin, end):
            if not covered[number.start()]:
                bare.append(f"line {handout.count(chr(10), 0, number.start()) + 1}: no figure has {number.group()}")
    return bare


def problems_of(folder, program, write):
    """What is stale or not covered in the handout of a lab, a sentence each."""
    source = (folder / FILE).read_text()
    described = yaml.safe_load(source)
    if unknown := set(described) - KNOWN_KEYS:
        raise ValueError(f"unknown keys: {', '.join(sorted(unknown))}")
    path = folder / "handout.md"
    handout = original = path.read_text()
    runs = Runs(program, folder, described.get("runs", {}))
    problems, pieces = [], [str(piece) for piece in described.get("given", [])]
    for figure in described["figures"]:
        text = figure.get("says") or figure["shows"]
        pieces.append(text)
        if text not in handout:
            problems.append(f"'{text}' is not in handout.md")
        elif "shows" in figure:
            problems += check_shown(figure, runs)
        else:
            fresh, stale = renewed(figure, runs)
            problems += stale
            handout = handout.replace(text, fresh)
            source = source.replace(in_quotes(text), in_quotes(fresh))
    problems += [f"'{piece}' is given and not in handout.md" for piece in described.get("given", [])
                 if str(piece) not in original]
    if write and handout != original:
        path.write_text(handout)
        (folder / FILE).write_text(source)
    return problems + uncovered(original, pieces)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", required=True, help="the built gpusim")
    parser.add_argument("--write", action="store_true", help="put today's numbers into the handouts and stop")
    parser.add_argument("labs", nargs="*", help="names of labs (default: all)")
    options = parser.parse_args()
    status = 0
    for name in options.labs or sorted(path.parent.name for path in LABS.glob("*/lab.yaml")):
        try:
            problems = problems_of(LABS / name, str(pathlib.Path(options.program).resolve()), options.write)
        except (ValueError, KeyError, OSError, yaml.YAMLError) as error:
            problems = [f"{type(error).__name__}: {error}"]
        for problem in problems:
            print(f"{name}: {problem}", file=sys.stderr)
            status = 1
        if not problems:
            print(f"{name}: the figures are those of today")
    return status


if __name__ == "__main__":
    sys.exit(main())
