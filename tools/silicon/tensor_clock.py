#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which SM clock tensor cores left in Nsight Compute's profiles of single launches (tests/validation/silicon).

Prints how far the clock lay below the highest one with tensor cores at work, for each share of their peak that a kernel
used, how well a straight line through the busy time of the pipe, through that share or through an estimate of the power
meets it, and how far off power.tensor_clock of the architecture's file is. --pairs prints every launch as CSV."""
import argparse
import csv
import importlib.machinery
import importlib.util
import lzma
import math
import pathlib
import re
import statistics
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SMS = 132
FLOPS_A_CYCLE = 4096  # dense FP16 of an SM's tensor cores through WGMMA
HMMA_SHARE = 2 / 3  # of that is the most that mma.sync reaches: 683 FLOP a cycle and sub-core
BOOST = 1980  # MHz: clocks.boost of both, at which power.* holds
LEAST_SHARE = 0.01
ELAPSED = ".avg.pct_of_peak_sustained_elapsed"
STEP = 20


def table_of(gpu):
    """power.tensor_clock of the GPU's file in MHz."""
    text = (ROOT / "configs" / f"{gpu}.yaml").read_text()
    items = re.search(r"^  tensor_clock: \[\[(.*?)\]", text, re.MULTILINE)[1].split(",")
    return [float(item.split()[0]) * {"GHz": 1000, "MHz": 1}[item.split()[1]] for item in items]


def power_of(gpu):
    """power.* of the GPU's file, or of the H100's that it extends, in joules and watts."""
    units = {"fJ": 1e-15, "pJ": 1e-12, "mW": 1e-3, "W": 1}
    found = {}
    for name in ("h100", gpu):
        section = re.search(r"^power:\n((?:  .*\n)+)", (ROOT / "configs" / f"{name}.yaml").read_text(), re.MULTILINE)[1]
        found |= {key: float(number) * units[unit]
                  for key, number, unit in re.findall(r"^  (\w+): \[([\d.]+) (\w+),", section, re.MULTILINE)}
    return found


HIGHEST = {gpu: table_of(gpu)[0] for gpu in ("h100", "h200")}  # MHz with tensor cores at work
POWER = {gpu: power_of(gpu) for gpu in HIGHEST}


def counters_module():
    loader = importlib.machinery.SourceFileLoader("counters", str(HERE / "counters"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("counters", loader))
    loader.exec_module(module)
    return module


class Launch:
    """A profile of a kernel, as one on tensor cores."""

    def __init__(self, gpu, profile, counters):
        self.gpu, self.name, self.profile = gpu, profile.name, profile
        self.us, self.mhz = profile.microseconds(), profile.clock_mhz()
        self.busy = (profile.value("sm__pipe_tensor_cycles_active" + ELAPSED) or 0) / 100
        self.kind = self.kind_of()
        self.share = self.busy * (HMMA_SHARE if self.kind == "HMMA" else 1)
        self.watts = self.estimate(counters)

    def kind_of(self):
        if (self.profile.value("sm__inst_executed_pipe_tensor_op_dmma" + ELAPSED) or 0) > 0:
            return "DMMA"
        if (self.profile.value("sm__inst_executed_pipe_tensor_op_gmma" + ELAPSED) or 0) < 0.05:
            return "HMMA"
        return next((f"WGMMA {kind}" for kind in ("e4m3", "tf32") if kind in self.name), "WGMMA 16 bits")

    def below(self):
        return HIGHEST[self.gpu] - self.mhz

    def estimate(self, counters):
        """Watts at the highest clock, from counts and power.* of the architecture's file."""
        value, power, highest = self.profile.value, POWER[self.gpu], HIGHEST[self.gpu]
        seconds = self.us * 1e-6 * self.mhz / highest
        cycles = self.mhz * self.us
        lanes = value("smsp__inst_executed.sum") * value("smsp__thread_inst_executed_per_inst_executed.ratio")
        passes = value("l1tex__data_pipe_lsu_wavefronts" + ELAPSED) / 100 * cycles * SMS
        dram = sum(self.profile.bytes_of(f"dram__bytes_{way}.sum") for way in ("read", "write"))
        joules = (lanes * power["thread_instruction"] +
                  self.share * FLOPS_A_CYCLE * SMS * cycles * power["tensor_flop"] +
                  passes * 128 * power["shared_byte"] + value("lts__t_sectors_srcunit_tex.sum") * 32 * power["l2_byte"])
        voltage = highest / BOOST
        active = value("sm__cycles_active.avg") / cycles
        return (power["idle"] + dram * power["dram_byte"] / seconds + SMS * power["sm"] * active * voltage ** 3 +
                joules / seconds * voltage ** 2)


def texts(folder):
    """Every raw page of a GPU's folder."""
    for path in sorted(folder.glob("*-ncu.csv.xz")):
        yield lzma.decompress(path.read_bytes()).decode()
    with tarfile.open(folder / "ncu.tar") as tar:
        for member in tar.getmembers():
            if member.name.endswith(".raw.csv.xz"):
                yield lzma.decompress(tar.extractfile(member).read()).decode()


def is_limited(launch):
    # HFMA2 counts as the same pipe: what runs faster than tensor cores allow has no product, or one of FP64.
    return launch.kind != "DMMA" and launch.share > LEAST_SHARE and launch.mhz < HIGHEST[launch.gpu] + 30


def launches():
    counters = counters_module()
    found = []
    for gpu in HIGHEST:
        for text in texts(ROOT / "tests/validation/silicon" / gpu):
            found += [Launch(gpu, profile, counters) for profile in counters.profiles_in(text)]
    return [launch for launch in found if is_limited(launch)]


def root_mean_square(numbers):
    return math.sqrt(statistics.fmean(number ** 2 for number in numbers))


def off_a_line(found, coordinate):
    """MHz between the clocks and the best straight line, as the root of the mean square."""
    places = [coordinate(launch) for launch in found]
    slope, start = statistics.linear_regression(places, [launch.below() for launch in found])
    return root_mean_square([launch.below() - start - slope * place for launch, place in zip(found, places)])


def interpolated(table, share):
    place = min(share, 1) * (len(table) - 1)
    before = min(int(place), len(table) - 1)
    after = min(before + 1, len(table) - 1)
    return table[before] + (table[after] - table[before]) * (place - before)


def print_steps(gpu, found):
    table = table_of(gpu)
    print(f"\n{gpu}: {len(found)} launches; MHz below {HIGHEST[gpu]}, and the file's clock less the measured one")
    print(f"{'share':>10}{'launches':>10}{'least':>8}{'mean':>8}{'most':>8}{'file':>8}")
    for low in range(0, 100, STEP):
        here = [launch for launch in found if low <= 100 * launch.share < low + STEP]
        if here:
            below = [launch.below() for launch in here]
            off = statistics.fmean(interpolated(table, launch.share) - launch.mhz for launch in here)
            print(f"{low:>3} to {low + STEP:>3}{len(here):>10}{min(below):>8.0f}{statistics.fmean(below):>8.0f}"
                  f"{max(below):>8.0f}{off:>+8.0f}")
    off = [interpolated(table, launch.share) - launch.mhz for launch in found]
    print(f"file: mean {statistics.fmean(off):+.0f}, root of the mean square {root_mean_square(off):.0f} MHz")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", action="store_true", help="print every launch as CSV, and nothing else")
    found = launches()
    if parser.parse_args().pairs:
        out = csv.writer(sys.stdout)
        out.writerow(["gpu", "kind", "us", "busy_pct", "share_pct", "watts", "mhz", "kernel"])
        for one in sorted(found, key=lambda one: (one.gpu, one.share)):
            out.writerow([one.gpu, one.kind, f"{one.us:.1f}", f"{100 * one.busy:.1f}", f"{100 * one.share:.1f}",
                          f"{one.watts:.0f}", f"{one.mhz:.0f}", one.name])
        return
    print(f"{len(found)} launches; MHz off the best straight line through")
    for what, coordinate in (("the busy time of the pipe", lambda one: one.busy),
                             ("the share of the peak", lambda one: one.share),
                             ("the estimated power", lambda one: one.watts)):
        print(f"  {what:<28}{off_a_line(found, coordinate):>6.0f}")
    for gpu in HIGHEST:
        print_steps(gpu, [launch for launch in found if launch.gpu == gpu])
    print("\nfile's clock less the measured one, by instruction")
    for kind in sorted({launch.kind for launch in found}):
        off = [interpolated(table_of(one.gpu), one.share) - one.mhz for one in found if one.kind == kind]
        print(f"  {kind:<16}{len(off):>4}{statistics.fmean(off):>+8.0f}")


if __name__ == "__main__":
    main()
