#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the kernels of cuda/ for every generation that has what they need: data/NAME.fatbin, and data/sources.txt
with the digests of the sources that they were made from.

    compile.py              those whose sources changed
    compile.py --all        all of them
    compile.py --check      fails when sources have changed since they were compiled; needs no compiler
    compile.py --check-all  compiles again and fails when the machine code differs; needs nvcc of the same version
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
NVCC = "13.0"
ARCHITECTURES = ("75", "80", "86", "90a")
# The first of ARCHITECTURES that has the instructions a file needs; all have those of the others.
SINCE = {
    "async_copy": "80",
    "bf16": "80",
    "bulk_copy": "90a",
    "cluster": "90a",
    "cluster_copy": "90a",
    "mma_bf16": "80",
    "mma_bits": "80",
    "mma_f16": "80",
    "mma_f64": "80",
    "mma_int8": "80",
    "mma_sparse": "80",
    "mma_tf32": "80",
    "redux": "80",
    "tensor_copy": "90a",
    "wgmma": "90a",
    "wgmma_bits": "90a",
    "wgmma_fp8": "90a",
    "wgmma_int8": "90a",
    "wgmma_sparse": "90a",
}
INCLUDE = re.compile(r'^#include "(.*)"$', re.MULTILINE)


def sources():
    return sorted(FOLDER.glob("cuda/*.cu"))


def digest(source):
    """Digest of a file and the files beside it that it includes."""
    text = source.read_text(encoding="utf-8")
    parts = [text, *(source.with_name(name).read_text(encoding="utf-8") for name in INCLUDE.findall(text))]
    return hashlib.sha256("".join(parts).encode()).hexdigest()


def recorded():
    """What data/sources.txt says: the digest by the name of the kernels."""
    path = FOLDER / "data/sources.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: value for value, name in (line.split() for line in lines if not line.startswith("#"))}


def write_digests():
    rows = [f"{digest(source)}  {source.stem}\n" for source in sources()]
    heading = f"# SHA-256 of the sources that the fatbins were compiled from, by nvcc {NVCC}\n"
    (FOLDER / "data/sources.txt").write_text(heading + "".join(rows), encoding="utf-8")


def compile_to(source, out):
    """The paths in the machine code are relative, so the compiler runs here."""
    first = ARCHITECTURES.index(SINCE.get(source.stem, ARCHITECTURES[0]))
    words = ["nvcc", "-fatbin", "-lineinfo", "-std=c++17", "--compress-mode=size", f"cuda/{source.name}", "-o", out]
    for sm in ARCHITECTURES[first:]:
        words += ["-gencode", f"arch=compute_{sm},code=sm_{sm}"]
    done = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{source.name}: {done.stderr.strip() or done.stdout.strip()}")


def compile_all(chosen, folder):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source: compile_to(source, folder / f"{source.stem}.fatbin"), chosen))


def stale():
    before = recorded()
    return [source for source in sources()
            if before.get(source.stem) != digest(source) or not (FOLDER / f"data/{source.stem}.fatbin").exists()]


def without_source():
    names = {source.stem for source in sources()}
    return [path for path in sorted(FOLDER.glob("data/*.fatbin")) if path.stem not in names]


def check_version():
    found = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=False).stdout
    if f"release {NVCC}" not in found:
        raise SystemExit(f"the kernels are compiled by nvcc {NVCC}; another version is here")


def compare():
    """The kernels whose machine code differs when they are compiled again."""
    with tempfile.TemporaryDirectory() as folder:
        compile_all(sources(), pathlib.Path(folder))
        return [source for source in sources()
                if (pathlib.Path(folder) / f"{source.stem}.fatbin").read_bytes()
                != (FOLDER / f"data/{source.stem}.fatbin").read_bytes()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--all", action="store_true")
    group.add_argument("--check", action="store_true")
    group.add_argument("--check-all", action="store_true")
    options = parser.parse_args()
    if options.check or options.check_all:
        differing = [*stale(), *without_source()]
        if options.check_all and not differing:
            check_version()
            differing = compare()
        for path in differing:
            print(f"{path.relative_to(FOLDER)}: source and machine code differ (run tests/exec/kernels/compile.py)")
        return 1 if differing else 0
    check_version()
    (FOLDER / "data").mkdir(exist_ok=True)
    for path in without_source():
        path.unlink()
    compile_all(sources() if options.all else stale(), FOLDER / "data")
    write_digests()
    return 0


if __name__ == "__main__":
    sys.exit(main())
