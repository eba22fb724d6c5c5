# SPDX-License-Identifier: MIT
"""The machine that measures: its GPU, the program, and NVIDIA's tools. Nothing here changes a setting of the GPU."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import plan

HERE = pathlib.Path(__file__).resolve().parent
# What describes a GPU without telling one from another of its kind.
QUERIED = ("name", "driver_version", "vbios_version", "compute_cap", "memory.total", "ecc.mode.current", "pstate",
           "clocks.sm", "clocks.mem", "clocks.max.sm", "clocks.max.mem", "clocks.applications.graphics", "power.draw",
           "power.limit", "power.max_limit", "temperature.gpu", "clocks_event_reasons.active", "mig.mode.current")
# Machine code for this GPU alone, to be ready early; 90a stays, for the sake of one list of experiments.
ARCHITECTURES = {"9.0": "90a-real"}
OTHER_ARCHITECTURES = "{0}-real;90a-real"
OLDEST = (8, 0)
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


def finish(command, seconds, **options):
    """subprocess.run that ends the children of `command` with it: those of a profiler would keep the GPU and the pipes,
    those of a build would go on."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def add_tools_to_path():
    """NVIDIA's tools are often installed where no PATH leads."""
    toolkit = os.environ.get("CUDA_PATH") or os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    profilers = sorted(pathlib.Path("/opt/nvidia/nsight-compute").glob("*"), reverse=True)
    known = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join(filter(None, [known, f"{toolkit}/bin", *map(str, profilers)]))


def query_gpu():
    """Field -> text as nvidia-smi reads it at this moment; a field it does not know is left out."""
    values = query(QUERIED)
    if not values:  # one it does not know spoils them all
        for field in QUERIED if query(QUERIED[:1]) else ():
            values.update(query([field]))
    return values


def query(fields):
    text = output(["nvidia-smi", "--id=0", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"], 20)
    values = text.strip().split(", ") if text else []
    return dict(zip(fields, values)) if len(values) == len(fields) else {}


def is_too_old(capability):
    """Older than everything is compiled for; what only Hopper has is skipped by the program, by name."""
    return bool(capability) and tuple(map(int, capability.split("."))) < OLDEST


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

    def make(self, capability, log, seconds):
        """Builds for a compute capability ("9.0"); False when that fails or takes longer, with everything in `log`."""
        deadline = time.monotonic() + seconds
        with open(log, "w", encoding="utf-8") as file:
            for command in (self.configuring(capability), ["cmake", "--build", str(self.build), "-j", jobs()]):
                try:
                    left = max(1, deadline - time.monotonic())
                    finish(command, left, stdout=file, stderr=subprocess.STDOUT).check_returncode()
                except (OSError, subprocess.SubprocessError) as error:
                    file.write(f"{error}\n")
                    return False
        return True

    def configuring(self, capability):
        self.discard_if_moved()
        # The host compiler of this machine may warn of what no other does; that must not cost a measurement.
        command = ["cmake", "-S", str(HERE), "-B", str(self.build), "-DGPUSIM_SILICON_WERROR=OFF"]
        # An existing folder keeps its generator: another one would be refused.
        if shutil.which("ninja") and not (self.build / "CMakeCache.txt").exists():
            command += ["-G", "Ninja"]
        if capability:
            other = OTHER_ARCHITECTURES.format(capability.replace(".", ""))
            command.append("-DCMAKE_CUDA_ARCHITECTURES=" + ARCHITECTURES.get(capability, other))
        return command

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


def jobs():
    return str(len(os.sched_getaffinity(0)))


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


def listings_of(files, capability, pool):
    """Name -> machine code with its encoding, in which the control bits are. `files` as from code_files()."""
    with tempfile.TemporaryDirectory() as folder:
        folders = [pathlib.Path(folder) / name for name in files]
        extracted = pool.map(lambda path, to: extracted_cubins(path, capability, to), files.values(), folders)
        cubins = {name if len(found) == 1 else f"{name}.{cubin.stem}": cubin
                  for name, found in zip(files, extracted) for cubin in found}
        texts = dict(zip(cubins, pool.map(disassembled, cubins.values())))
    if not any(texts.values()):
        texts = dict(zip(files, pool.map(lambda path: output(["cuobjdump", "-sass", str(path)], 120), files.values())))
    return {name: text for name, text in texts.items() if text}


def extracted_cubins(path, capability, folder):
    folder.mkdir()
    try:
        subprocess.run(["cuobjdump", "-xelf", "all", str(path.resolve())], cwd=folder, capture_output=True, timeout=120,
                       check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return running_on(capability, sorted(folder.glob("*.cubin")))


def disassembled(cubin):
    # Without the analysis of where branches lead, where that fails.
    command = ["nvdisasm", "-c", "-hex", str(cubin)]
    return output(command, 120) or output(command + ["-ndf"], 120)


def running_on(capability, cubins):
    """The cubins that a GPU runs, from those for several architectures: its generation's, the newest that it knows."""
    major, minor = map(int, capability.split("."))
    by_minor = {}
    for cubin in cubins:
        architecture = re.search(r"sm_(\d+)(\d)", cubin.name)
        if architecture and int(architecture[1]) == major and int(architecture[2]) <= minor:
            by_minor.setdefault(int(architecture[2]), []).append(cubin)
    return by_minor[max(by_minor)] if by_minor else []
