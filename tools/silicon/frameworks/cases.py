# SPDX-License-Identifier: MIT
"""What one case is, and the record of one measurement in the schema of tools/silicon."""
import dataclasses
import statistics
import typing


@dataclasses.dataclass
class Case:
    name: str  # "triton/add"
    params: dict
    # -> (launch, result). result() gives (computed, expected); it is None where a library is measured.
    make: typing.Callable
    tolerance: float = 0.0  # largest relative error of the result, by norm

    def label(self):
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.params.items())])


def measurement(case, metric, unit, samples, cache, clock_mhz, launch):
    ordered = sorted(samples)
    median = statistics.median(ordered)
    quartiles = statistics.quantiles(ordered, n=4) if len(ordered) > 1 else [median] * 3
    return {"type": "measurement", "experiment": case.name, "metric": metric, "value": median, "unit": unit,
            "spread": quartiles[2] - quartiles[0], "deviation": statistics.median(abs(s - median) for s in ordered),
            "min": ordered[0], "max": ordered[-1], "n": len(ordered), "clock_mhz": clock_mhz, "params": case.params,
            "input": "random", "cache": cache, "launch": launch}
