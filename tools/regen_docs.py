#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the generated parts of the documents, or with --check fails when one is stale.

A generated part stands between "<!-- generated: NAME -->" and "<!-- end of generated part -->"; everything around it is
written by hand. PARTS says which command prints it.
"""
import argparse
import pathlib
import re
import subprocess
import sys

# Document, name of the part, command; {program} is the built gpusim.
PARTS = [
    ("docs/architecture.md", "include-graph", [sys.executable, "tools/check_layers.py", "--markdown"]),
]
END = "<!-- end of generated part -->"


def start_of(name):
    return f"<!-- generated: {name} -->"


def replaced(document, name, part):
    """The document with the part in its place; raises ValueError when it has no such place."""
    pattern = re.compile(re.escape(start_of(name)) + r"\n.*?" + re.escape(END), re.DOTALL)
    if not pattern.search(document):
        raise ValueError(f"has no part '{start_of(name)} ... {END}'")
    text = f"{start_of(name)}\n\n{part.strip()}\n\n{END}"
    return pattern.sub(lambda _: text, document, count=1)


def output_of(command, root, program):
    words = [word.format(program=program) for word in command]
    return subprocess.run(words, cwd=root, capture_output=True, text=True, check=True).stdout


def update(root, part, program, check):
    """Brings one part up to date; returns a problem or None."""
    document, name, command = part
    path = root / document
    if "{program}" in command and program is None:
        return None
    old = path.read_text()
    try:
        new = replaced(old, name, output_of(command, root, program))
    except ValueError as error:
        return f"{document}: {error}"
    except subprocess.CalledProcessError as error:
        return f"{document}: '{name}': {error.stderr.strip() or error}"
    if new != old and check:
        return f"{document}: '{name}' is stale; tools/regen_docs.py brings it up to date"
    if new != old:
        path.write_text(new)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--program", type=pathlib.Path, help="the built gpusim, for the parts it prints")
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a part is stale")
    args = parser.parse_args()
    problems = [p for p in (update(args.root, part, args.program, args.check) for part in PARTS) if p]
    print("\n".join(problems) or f"{len(PARTS)} generated parts are up to date")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
