# SPDX-License-Identifier: MIT
"""Nsight Compute over the kernels, where it works: the details, raw and source pages as CSV."""
import pathlib
import shutil
import subprocess

import machine

PAGES = {"details": [], "raw": [], "source": ["--print-source", "sass"]}
SECONDS_A_PROFILE = 150


class CannotProfile(Exception):
    """Why ncu gives nothing here."""


def is_here():
    return shutil.which("ncu") is not None


def stem_of(name):
    return name.replace("/", ".")


def is_profiled(name, pages):
    """Whether the pages (by file name) of an earlier run hold this experiment's."""
    return f"{stem_of(name)}.raw.csv" in pages


def profile(program, name, folder, seconds):
    """Writes NAME.PAGE.csv into `folder` for each page. Raises CannotProfile."""
    if not is_here():
        raise CannotProfile("ncu is not installed")
    stem = pathlib.Path(folder) / stem_of(name)
    report = stem.with_name(stem.name + ".ncu-rep")
    # The program switches profiling on around what counts; clocks stay as they are.
    command = ["ncu", "--clock-control", "none", "--profile-from-start", "off", "--set", "full", "--force-overwrite",
               "--export", str(report), str(program.path), "--profile", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              timeout=min(seconds, SECONDS_A_PROFILE))
    except subprocess.TimeoutExpired as error:
        raise CannotProfile(f"{name}: stopped after {error.timeout:.0f} s") from error
    if done.returncode == machine.EXIT_SKIPPED:
        return
    if done.returncode != 0 or not report.exists():
        raise CannotProfile(f"{name}: {last_line(done.stdout + done.stderr)}")
    write_pages(report, stem)
    report.unlink()


def write_pages(report, stem):
    for page, options in PAGES.items():
        command = ["ncu", "--import", str(report), "--csv", "--page", page]
        # Older versions do not know every option; the page without it is better than none.
        text = machine.output(command + options, 120) or machine.output(command, 120)
        if text:
            stem.with_name(f"{stem.name}.{page}.csv").write_text(text)


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "said nothing"
