# SPDX-License-Identifier: MIT
"""How far ratios of simulated kernels are off, and ratios of peaks, from cases that were measured on two GPUs.

Made from two tables of the documents: every kernel beside silicon, and the GPUs with their peaks. Cases that differ in
the GPU alone are a pair. Each is predicted from the other, both ways, as `gpusim app` carries a recorded kernel.
Cases of less than 10 us are left out: most of them is the launch, which goes with no peak.
"""
import dataclasses
import itertools
import re
import statistics

# What a row is called, the kinds of cases that it has, and the peak that stands for them.
ROWS = (
    ("products on tensor cores", ("tensor GEMM (WGMMA)", "tensor GEMM (HMMA)", "tensor GEMM (small M)"), "BF16"),
    ("products in FP32", ("SGEMM of a library",), "FP32"),
    ("norms and softmax", ("layer norm", "RMS norm", "softmax"), "DRAM"),
    ("sums", ("sum of an array", "row sums", "column sums"), "DRAM"),
    ("element-wise, lookups", ("element-wise", "gather"), "DRAM"),
)
# GPUs in names of cases that have the peaks of a file of another name, but for the bandwidth of their DRAM.
SAME_CHIP = {"a100-pcie": "a100", "a800": "a100"}
LEAST_US = 10
CASE = re.compile(r"^\| (?P<kind>[^|]+) \| `(?P<suite>[^/`]+)/(?P<gpu>[^/`]+)/(?P<rest>[^/`]+)` \| (?P<file>\S+) \| "
                  r"(?P<clock>[^|]+) \| (?P<simulated>[\d.]+) \| (?P<measured>[\d.]+) \|", re.MULTILINE)
GPU = re.compile(r"^  (?P<name>[a-z][\w-]*)\*? +\d+\.\d +\d+ +(?P<FP32>[\d.]+) +\S+ +(?P<BF16>[\d.]+|-) .*"
                 r"GiB [A-Z]\w+(?: ECC)? +(?P<DRAM>\d+) ", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Case:
    gpu: str
    simulated: float
    measured: float


def peaks_of(text, which):
    """{GPU: its peak} of the table of GPUs; without those that have none."""
    return {found["name"]: float(found[which]) for found in GPU.finditer(text) if found[which] != "-"}


def groups_of(text, kinds, by_memory):
    """Lists of cases that differ in the GPU alone, of those whose GPU has a file."""
    groups = {}
    for found in CASE.finditer(text):
        same_chip = SAME_CHIP.get(found["gpu"]) if not by_memory else None
        is_long = float(found["measured"]) >= LEAST_US
        if is_long and found["kind"] in kinds and found["file"] in (found["gpu"], same_chip):
            key = (found["kind"], found["suite"], found["rest"])
            groups.setdefault(key, []).append(
                Case(found["file"], float(found["simulated"]), float(found["measured"])))
    return [cases for cases in groups.values() if len(cases) > 1]


def errors_of(groups, peaks):
    """(error of the simulated ratio, error of the ratio of peaks), in percent, of each case from each other one."""
    errors = []
    for cases in groups:
        for source, target in itertools.permutations(cases, 2):
            if source.gpu != target.gpu and source.gpu in peaks and target.gpu in peaks:
                by_ratio = source.measured * target.simulated / source.simulated
                by_peaks = source.measured * peaks[source.gpu] / peaks[target.gpu]
                errors.append(tuple(100 * (made / target.measured - 1) for made in (by_ratio, by_peaks)))
    return errors


def mean_of(errors, which):
    return f"{statistics.mean(abs(error[which]) for error in errors):.1f} %"


def table(cases, gpus):
    """The table as Markdown, from the text of the page of cases and of that with the table of GPUs."""
    lines = ["| kernels | predictions | mean error of simulated ratios | of ratios of peaks |",
             "| --- | ---: | ---: | ---: |"]
    every = []
    for name, kinds, which in ROWS:
        errors = errors_of(groups_of(cases, kinds, which == "DRAM"), peaks_of(gpus, which))
        every += errors
        if errors:
            lines.append(f"| {name} | {len(errors)} | {mean_of(errors, 0)} | {mean_of(errors, 1)} |")
    if every:
        lines.append(f"| all | {len(every)} | {mean_of(every, 0)} | {mean_of(every, 1)} |")
    return "\n".join(lines)
