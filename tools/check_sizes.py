#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeps files, functions and lines short, and the licence line first.

Small pieces are what keeps a simulator readable: the limits stand just above what well-kept code bases of this size
live with. Lengths of functions come from universal-ctags and are left out, with a notice, where it is not installed.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

MOST_LINES = {"header": 250, "source": 450, "test": 350, "script": 450}
MOST_FUNCTION_LINES = 60
MOST_COLUMNS = 120
LICENCE = "SPDX-License-Identifier: MIT"

# What may break a limit: file, or file:function -> why. Data that is one long table by nature, nothing else.
EXEMPT = {}


HEADERS = {".h", ".cuh"}
SOURCES = {".cc", ".cu"}


def kind_of(shown):
    if shown.suffix in HEADERS:
        return "header"
    if shown.suffix in SOURCES:
        return "test" if shown.parts[0] == "tests" else "source"
    return "script"


def is_script(path):
    """Build files, and tools in Python or shell; the shell ones have no suffix but name their interpreter."""
    if path.name == "CMakeLists.txt" or path.suffix in {".py", ".sh", ".cmake"}:
        return True
    return path.suffix == "" and path.is_file() and path.read_bytes()[:2] == b"#!"


def files_of(root):
    for folder in ("sim", "tests", "tools", "cmake"):
        for path in sorted((root / folder).rglob("*")):
            if "__pycache__" not in path.parts and (path.suffix in HEADERS | SOURCES or is_script(path)):
                yield path
    yield from (p for p in [root / "CMakeLists.txt"] if p.is_file())


def check_file(path, shown):
    lines = path.read_text().splitlines()
    problems = []
    first = lines[1:2] if lines[:1] and lines[0].startswith("#!") else lines[:1]
    if not first or LICENCE not in first[0]:
        problems.append(f"{shown}:1: the first line must be '{LICENCE}' as a comment")
    most = MOST_LINES[kind_of(shown)]
    if len(lines) > most and str(shown) not in EXEMPT:
        problems.append(f"{shown}: {len(lines)} lines, {kind_of(shown)} files have at most {most}")
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


def functions_of(paths):
    """(file, function, first line, last line) of every C++ function, as universal-ctags sees them."""
    command = ["ctags", "--output-format=json", "--fields=+ne", "--languages=C++", "--map-C++=+.cu", "--map-C++=+.cuh"]
    command += ["--kinds-C++=f", "-L", "-", "-o", "-"]
    listing = "\n".join(map(str, paths))
    output = subprocess.run(command, input=listing, capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and "end" in tag:
            yield tag["path"], tag["name"], tag["line"], tag["end"]


def check_functions(root, paths):
    problems = []
    for path, name, first, last in functions_of(paths):
        shown = pathlib.Path(path).relative_to(root)
        length = last - first + 1
        if length > MOST_FUNCTION_LINES and f"{shown}:{name}" not in EXEMPT:
            problems.append(f"{shown}:{first}: {name}() has {length} lines, at most {MOST_FUNCTION_LINES}")
    return problems


def has_universal_ctags():
    if shutil.which("ctags") is None:
        return False
    version = subprocess.run(["ctags", "--version"], capture_output=True, text=True, check=False).stdout
    return version.startswith("Universal Ctags")


def stale_exemptions(root):
    return [f"tools/check_sizes.py: exempts {name}, which is not there" for name in EXEMPT
            if not (root / name.split(":")[0]).is_file()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    paths = list(files_of(root))
    problems = stale_exemptions(root)
    for path in paths:
        problems += check_file(path, path.relative_to(root))
    sources = [path for path in paths if path.suffix in HEADERS | SOURCES]
    if has_universal_ctags():
        problems += check_functions(root, sources) if sources else []
    else:
        print("functions not measured: universal-ctags is not installed")
    print("\n".join(problems) or f"{len(paths)} files within the limits")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
