# SPDX-License-Identifier: MIT
"""The machine that measures: its GPU, the program, and NVIDIA's tools. Nothing here changes a setting of the GPU."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import plan

HERE = pathlib.Path(__file__).resolve().parent
# What describes a GPU without telling one from another of its kind.
QUERIED = ("name", "driver_version", "vbios_version", "compute_cap", "memory.total", "ecc.mode.current", "pstate",
           "clocks.sm", "clocks.mem", "clocks.max.sm", "clocks.max.mem", "clocks.applications.graphics", "power.draw",
           "power.limit", "power.max_limit", "temperature.gpu", "clocks_event_reasons.active", "mig.mode.current")
# Machine code for GPUs that the default build has none for; 90a stays, for the sake of one list of experiments.
OTHER_ARCHITECTURE = "{0}-real;90a-real"
HAS_DEFAULT_BUILD = {"8.0", "9.0"}
EXIT_SKIPPED = 3
# What the program's exit status says when it has written its records itself.
OUTCOMES = {0: "ok", EXIT_SKIPPED: "skipped", 4: "fault", 5: "wrong"}


def output(command, seconds=60):
    """Standard output, or None when the command is missing, fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def query_gpu():
    """Field -> text as nvidia-smi reads it at this moment; a field it does not know is left out."""
    values = {}
    for field in QUERIED:
        text = output(["nvidia-smi", "--id=0", f"--query-gpu={field}", "--format=csv,noheader"], 20)
        if text is None and not values:
            return {}
        if text is not None:
            values[field] = text.strip()
    return values


def compiler_version():
    text = output(["nvcc", "--version"])
    return text.strip().splitlines()[-1] if text else "none"


class Program:
    """The measuring program in a build folder."""

    def __init__(self, build):
        self.build = pathlib.Path(build)
        self.path = self.build / "silicon"

    def device(self):
        """What it says of the GPU; None when the program is missing, does not start, or finds no GPU."""
        text = output([str(self.path), "--device"])
        return json.loads(text) if text else None

    def finds_no_gpu(self):
        try:
            command = [str(self.path), "--device"]
            return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == EXIT_SKIPPED
        except (OSError, subprocess.TimeoutExpired):
            return False

    def is_older_than_sources(self):
        newest = max(p.stat().st_mtime for p in HERE.rglob("*") if p.suffix in {".cu", ".cuh", ".cc", ".h"})
        return self.path.stat().st_mtime < newest

    def make(self, capability, log):
        """Builds for a compute capability ("9.0"); False when that fails, with everything said in `log`."""
        self.discard_if_moved()
        configure = ["cmake", "-S", str(HERE), "-B", str(self.build)]
        configure += ["-G", "Ninja"] if shutil.which("ninja") else []
        if capability and capability not in HAS_DEFAULT_BUILD:
            configure.append("-DCMAKE_CUDA_ARCHITECTURES=" + OTHER_ARCHITECTURE.format(capability.replace(".", "")))
        with open(log, "w", encoding="utf-8") as file:
            for command in (configure, ["cmake", "--build", str(self.build), "-j", str(os.cpu_count())]):
                try:
                    subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=True)
                except (OSError, subprocess.CalledProcessError) as error:
                    file.write(f"{error}\n")
                    return False
        return True

    def discard_if_moved(self):
        """A build folder that came along with a copied tree points at the old place and would not configure."""
        cache = self.build / "CMakeCache.txt"
        if cache.exists() and f"CMAKE_HOME_DIRECTORY:INTERNAL={HERE}\n" not in cache.read_text():
            shutil.rmtree(self.build)

    def experiments(self):
        return [json.loads(line) for line in (output([str(self.path), "--list"]) or "").splitlines()]

    def run(self, experiment, results, seconds):
        """Runs one in a process of its own, which appends to `results`. What it cannot append itself is added here."""
        status, message = "interrupted", ""
        command = [str(self.path), "--run", experiment["name"], "--out", str(results)]
        begin = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
            status = OUTCOMES.get(done.returncode, "crash")
            message = done.stderr.decode(errors="replace").strip()
        except subprocess.TimeoutExpired:
            status, message = "timeout", f"stopped after {seconds:.0f} s"
        finally:
            if status not in OUTCOMES.values():
                close_attempt(results, experiment["name"], status, message, time.monotonic() - begin)
        return status, message


def close_attempt(results, experiment, status, message, seconds):
    """Takes over what an experiment had written to its .part before it ended without appending it itself."""
    part = pathlib.Path(f"{results}.part")
    text = part.read_text(errors="replace") if part.exists() else ""
    with open(results, "a", encoding="utf-8") as file:
        file.write(plan.to_text(plan.salvage(text, experiment, status, message, seconds)))
    part.unlink(missing_ok=True)


def code_files(program):
    """Object files of the build, or the program where they are not there, by the name their listing gets."""
    objects = sorted(program.build.glob("CMakeFiles/*.dir/*/*.cu.o"))
    return {f"{p.parent.name}.{p.name.removesuffix('.cu.o')}": p for p in objects} or {"silicon": program.path}


def listing_of(path, architecture):
    """Machine code with its encoding, in which the control bits are; None where no tool can tell."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["cuobjdump", "-xelf", "all", str(path.resolve())]
        try:
            subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        cubins = sorted(p for p in pathlib.Path(folder).glob("*.cubin") if architecture in p.name)
        texts = [output(["nvdisasm", "-hex", str(cubin)], 120) for cubin in cubins]
    if texts and all(text is not None for text in texts):
        return "\n".join(texts)
    return output(["cuobjdump", "-sass", str(path)], 120)
