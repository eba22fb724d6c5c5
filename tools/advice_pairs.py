# SPDX-License-Identifier: MIT
"""What advice promises a kernel, against the kernel that was changed as it says: the tables of docs/advice.md."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    """A kernel, and the same work done as a finding of the first advises."""

    kernel: str  # what the table calls the first
    run: str  # its trace, with parameters
    finding: str
    changed: str  # what the table says of the second
    changed_run: str
    advise: bool = True  # False: no what-if tests the finding
    work: int = 1  # how many times the first one's work the second does
    with_launch: bool = False  # times are those of launch and kernel


PAIRS = (
    Pair("`gemm-mma`, 6 stages", "gemm-mma --param m=4096 --param n=4096 --param k=128 --param stages=6", "occupancy",
         "3 stages", "gemm-mma --param m=4096 --param n=4096 --param k=128 --param stages=3"),
    Pair("`reduce-strided`", "reduce-strided --param n=4194304", "bank_conflicts",
         "`reduce-sequential`", "reduce-sequential --param n=4194304"),
    Pair("`spills`, 32 values", "spills --param n=262144 --param turns=8 --param spills=32", "spills",
         "none spilled", "spills --param n=262144 --param turns=8 --param spills=0", advise=False),
    Pair("`histogram-global`", "histogram-global --param n=1048576", "stalls",
         "`histogram`, private bins", "histogram --param n=1048576", advise=False),
    Pair("`saxpy`, 131,072 elements", "saxpy --param n=131072", "launch",
         "64 times the elements; time of an element, with launch", "saxpy --param n=8388608",
         work=64, with_launch=True),
    Pair("`sgemm-naive`", "sgemm-naive --param m=1024 --param n=1024 --param k=64", "uncoalesced",
         "`sgemm-coalesced`", "sgemm-coalesced --param m=1024 --param n=1024 --param k=64"),
    Pair("`transpose`", "transpose --param n=2048", "uncoalesced",
         "`transpose-padded`", "transpose-padded --param m=2048 --param n=2048"),
    Pair("`add-strided`, stride 8", "add-strided --param n=1048576 --param stride=8", "uncoalesced",
         "stride 1", "add-strided --param n=1048576 --param stride=1"),
    Pair("`transpose-shared`", "transpose-shared --param m=2048 --param n=2048", "bank_conflicts",
         "`transpose-padded`", "transpose-padded --param m=2048 --param n=2048"),
)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Shares of the first kernel's time, in percent."""

    pair: Pair
    estimate: float
    simulated: float | None  # None: no what-if ran for the finding
    real: float

    @property
    def error(self):
        promised = self.estimate if self.simulated is None else self.simulated
        return abs(promised - self.real)


def time_of(result, pair):
    total = result["total"]
    return total["time_us"] + (total["launch_us"] if pair.with_launch else 0)


def outcome(pair, first, second):
    """The value from the two results; raises ValueError where the first one lacks the finding."""
    findings = [item for item in first["kernels"][0]["findings"] if item["id"] == pair.finding]
    if not findings:
        raise ValueError(f"'{pair.run}' has no finding '{pair.finding}'")
    [finding] = findings
    real = 100 * (1 - time_of(second, pair) / pair.work / time_of(first, pair))
    return Outcome(pair, finding["estimate_pct"], finding["gain_pct"] if finding["simulated"] else None, real)


def gain_cell(gain):
    """As a report says it: below 1 % there is none."""
    if gain is None:
        return "no what-if"
    return f"none ({gain:.1f} %)" if gain < 1 else f"{gain:.1f} %"


def table(outcomes):
    """Worst rows first."""
    lines = ["| kernel | finding | estimate | simulated | changed to | real |", "| --- | --- | --- | --- | --- | --- |"]
    for row in sorted(outcomes, key=lambda item: item.error, reverse=True):
        lines.append(f"| {row.pair.kernel} | `{row.pair.finding}` | {row.estimate:.0f} % | {gain_cell(row.simulated)} "
                     f"| {row.pair.changed} | {row.real:.1f} % |")
    return "\n".join(lines)


def commands(pair):
    """Arguments of the two runs."""
    first = f"--arch h100 --trace {pair.run}{' --advise' if pair.advise else ''}"
    return first, f"--arch h100 --trace {pair.changed_run}"


def command_lines():
    return "\n".join(f"gpusim {arguments}" for pair in PAIRS for arguments in commands(pair))
