# SPDX-License-Identifier: MIT
"""Nsight Compute over the kernels, where it works: the details, raw and source pages as CSV."""
import pathlib
import shutil
import subprocess
import tempfile

import machine

PAGES = {"details": [], "raw": [], "source": ["--print-source", "sass"]}
SECONDS_A_PROFILE = 60
LEAST_SECONDS = 20


class CannotProfile(Exception):
    """Why ncu gives nothing here."""


class TookTooLong(Exception):
    """One experiment's profile; another's may be quicker."""


def is_here():
    return shutil.which("ncu") is not None


def stem_of(name):
    return name.replace("/", ".")


def is_profiled(name, pages):
    """Whether the pages (by file name) of an earlier run hold this experiment's."""
    return f"{stem_of(name)}.raw.csv" in pages


def profile(program, name, seconds):
    """File name of page -> CSV. Raises CannotProfile or TookTooLong."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.ncu-rep"
        # The program switches profiling on around what counts; clocks stay as they are.
        command = ["ncu", "--clock-control", "none", "--profile-from-start", "off", "--set", "full",
                   "--force-overwrite", "--export", str(report), str(program.path), "--profile", name]
        try:
            done = machine.finish(command, min(seconds, SECONDS_A_PROFILE), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace")
        except subprocess.TimeoutExpired as error:
            raise TookTooLong(f"{name}: stopped after {error.timeout:.0f} s") from error
        except OSError as error:
            raise CannotProfile(str(error)) from error
        # An experiment with wrong numbers among its sizes ends with an error; the others are in the report.
        if not report.exists():
            raise CannotProfile(f"{name}: {last_line(done.stdout)}")
        return pages_of(report, stem_of(name))


def pages_of(report, stem):
    pages = {}
    for page, options in PAGES.items():
        command = ["ncu", "--import", str(report), "--csv", "--page", page]
        # Older versions do not know every option; the page without it is better than none.
        text = machine.output(command + options, 60) or machine.output(command, 60)
        if text:
            pages[f"{stem}.{page}.csv"] = text
    return pages


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "said nothing"
