#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reports the largest files, functions and classes; holds the length of functions and lines, and the licence line.

Only a long function is refused. A limit on the lines of a file or the methods of a class would be kept by cutting a
class over many files, which makes it harder to read, so those are listed, worst first, for whoever restructures next.
What ctags measures is left out, with a notice, where universal-ctags is not installed.
"""
import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys

MOST_FUNCTION_LINES = 60
MOST_COLUMNS = 120
MOST_LISTED = 5
LICENCE = "SPDX-License-Identifier: MIT"

HEADERS = {".h", ".cuh"}
SOURCES = {".cc", ".cu"}
SKIPPED_FOLDERS = {"__pycache__", "node_modules"}


def kind_of(shown):
    if shown.suffix in HEADERS:
        return "header"
    if shown.suffix in SOURCES:
        return "test" if shown.parts[0] == "tests" else "source"
    return "script"


def is_script(path):
    """Build files, and tools in Python, shell, TypeScript; the shell ones have no suffix but name their interpreter."""
    if path.name == "CMakeLists.txt" or path.suffix in {".py", ".sh", ".cmake", ".ts", ".mjs"}:
        return True
    return path.suffix == "" and path.is_file() and path.read_bytes()[:2] == b"#!"


def files_of(root):
    for folder in ("sim", "tests", "tools", "cmake"):
        for path in sorted((root / folder).rglob("*")):
            if not SKIPPED_FOLDERS & set(path.parts) and (path.suffix in HEADERS | SOURCES or is_script(path)):
                yield path
    yield from (p for p in [root / "CMakeLists.txt"] if p.is_file())


def check_file(path, shown):
    lines = path.read_text().splitlines()
    problems = []
    first = lines[1:2] if lines[:1] and lines[0].startswith("#!") else lines[:1]
    if not first or LICENCE not in first[0]:
        problems.append(f"{shown}:1: the first line must be '{LICENCE}' as a comment")
    return problems + check_columns(lines, shown)


def check_columns(lines, shown):
    """Tables laid out by hand, between clang-format off and on, may be wider."""
    problems = []
    by_hand = False
    for number, line in enumerate(lines, 1):
        if line.strip() in {"// clang-format off", "// clang-format on"}:
            by_hand = line.strip().endswith("off")
        if len(line) > MOST_COLUMNS and not by_hand:
            problems.append(f"{shown}:{number}: {len(line)} columns, at most {MOST_COLUMNS}")
    return problems


class Tag:
    """A function or a class as universal-ctags sees it."""

    def __init__(self, entry, root):
        self.file = pathlib.Path(entry["path"]).relative_to(root)
        self.name, self.kind, self.line = entry["name"], entry["kind"], entry["line"]
        self.lines = entry["end"] - entry["line"] + 1 if "end" in entry else 0
        self.signature = entry.get("signature", "")
        self.of_class = entry.get("scope", "") if entry.get("scopeKind") in {"class", "struct"} else ""


def tags_of(paths, root):
    command = ["ctags", "--output-format=json", "--fields=+neS", "--languages=C++", "--map-C++=+.cu", "--map-C++=+.cuh"]
    command += ["--kinds-C++=fp", "-L", "-", "-o", "-"]
    listing = "\n".join(map(str, paths))
    output = subprocess.run(command, input=listing, capture_output=True, text=True, check=True).stdout
    entries = (json.loads(line) for line in output.splitlines())
    return [Tag(entry, root) for entry in entries if entry.get("_type") == "tag"]


def check_functions(functions):
    return [f"{tag.file}:{tag.line}: {tag.name}() has {tag.lines} lines, at most {MOST_FUNCTION_LINES}"
            for tag in functions if tag.lines > MOST_FUNCTION_LINES]


def outliers(title, sizes, listed):
    """The largest of a {name: size}, as lines."""
    worst = sorted(sizes.items(), key=lambda item: (-item[1], item[0]))[:listed]
    return [f"{title}: " + ", ".join(f"{name} {size}" for name, size in worst)] if worst else []


def lines_report(root, paths, listed):
    by_kind = collections.defaultdict(dict)
    for path in paths:
        shown = path.relative_to(root)
        by_kind[kind_of(shown)][shown] = len(path.read_text().splitlines())
    return [line for kind, sizes in sorted(by_kind.items()) for line in outliers(f"lines of a {kind}", sizes, listed)]


def short_name(scope):
    """A class without its namespaces that have no name."""
    return "::".join(part for part in scope.split("::") if not part.startswith("__anon"))


def classes_report(tags, listed):
    """A method counts once: a class that stands in a header has the methods that the header names."""
    files = collections.defaultdict(set)
    methods = {True: collections.defaultdict(set), False: collections.defaultdict(set)}
    for tag in tags:
        if tag.of_class:
            files[short_name(tag.of_class)].add(tag.file)
            methods[tag.file.suffix in HEADERS][short_name(tag.of_class)].add((tag.name, tag.signature))
    counted = {**methods[False], **methods[True]}
    return [*outliers("methods of a class", {name: len(found) for name, found in counted.items()}, listed),
            *outliers("files of a class", {name: len(found) for name, found in files.items()}, listed)]


def has_universal_ctags():
    if shutil.which("ctags") is None:
        return False
    version = subprocess.run(["ctags", "--version"], capture_output=True, text=True, check=False).stdout
    return version.startswith("Universal Ctags")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--list", type=int, default=MOST_LISTED, help="how many of each kind (default: %(default)s)")
    args = parser.parse_args()
    root = args.root
    paths = list(files_of(root))
    problems = [problem for path in paths for problem in check_file(path, path.relative_to(root))]
    report = lines_report(root, paths, args.list)
    sources = [path for path in paths if path.suffix in HEADERS | SOURCES]
    if sources and has_universal_ctags():
        tags = tags_of(sources, root)
        functions = [tag for tag in tags if tag.kind == "function"]
        problems += check_functions(functions)
        lengths = {f"{tag.name}() ({tag.file})": tag.lines for tag in functions}
        report += outliers("lines of a function", lengths, args.list)
        report += classes_report([tag for tag in tags if tag.file.parts[0] == "sim"], args.list)
    elif sources:
        report.append("functions and classes not measured: universal-ctags is not installed")
    print("\n".join(report + (problems or [f"{len(paths)} files within the limits"])))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
