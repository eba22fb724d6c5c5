// SPDX-License-Identifier: MIT
// Recorded intervals as rates: IPC, warps by state, throughput in percent of the peak, hit rates.
import type { Machine, Series } from '../data/types';

export interface Rates {
  /** Cycles at which each group of intervals begins and ends. */
  begin: Float64Array;
  end: Float64Array;
  /** Warp instructions a cycle and SM. */
  ipc: Float64Array;
  /** Warps an SM, by state; only states that occur. */
  states: Map<string, Float64Array>;
  warps: Float64Array;
  /** Percent of the peak, of units that are busy at any time of the kernel. */
  throughput: Map<string, Float64Array>;
  /** Percent of the sectors that were looked up; NaN where there were none, no line where there never were. */
  hits: Map<string, Float64Array>;
}

const kSectorBytes = 32;

/** Sums of groups of `size` counts. */
function grouped(values: number[], first: number, last: number, size: number): Float64Array {
  const groups = new Float64Array(Math.ceil((last - first) / size));
  for (let i = first; i < last; ++i) {
    groups[Math.floor((i - first) / size)] += values[i] ?? 0;
  }
  return groups;
}

function ratio(part: Float64Array, all: Float64Array): Float64Array {
  return part.map((value, i) => (all[i] > 0 ? (100 * value) / all[i] : NaN));
}

/** The places [first, last) of the intervals that lie within [lo, hi) in part. */
export function within(series: Series, lo: number, hi: number): [number, number] {
  const first = Math.max(0, Math.min(series.count - 1, Math.floor(lo / series.interval)));
  return [first, Math.max(first + 1, Math.min(series.count, Math.ceil(hi / series.interval)))];
}

function throughput(
  series: Series,
  sums: (...keys: string[]) => Float64Array | null,
  cycles: Float64Array,
  machine: Machine,
  clockMhz: number,
): Map<string, Float64Array> {
  const result = new Map<string, Float64Array>();
  const dramBytesPerCycle = clockMhz > 0 ? machine.dramBytesPerSecond / (clockMhz * 1e6) : 0;
  const units: [string, string[], number, number][] = [
    ['L1', ['l1_wavefronts'], 1, machine.sms],
    ['Shared memory', ['shared_wavefronts'], 1, machine.sms],
    ['L2', ['l2_sectors'], kSectorBytes, machine.l2BytesPerCycle],
    ['DRAM', ['dram_read_bytes', 'dram_write_bytes'], 1, dramBytesPerCycle],
  ];
  for (const [name, keys, scale, perCycle] of units) {
    const sum = sums(...keys);
    const isUsed = keys.some((key) => (series.counters[key] ?? []).some((value) => value > 0));
    if (sum !== null && isUsed && perCycle > 0) {
      result.set(
        name,
        sum.map((value, i) => (cycles[i] > 0 ? (100 * value * scale) / (cycles[i] * perCycle) : 0)),
      );
    }
  }
  return result;
}

/** The rates of the intervals in [lo, hi), in at most `most` groups of equally many intervals. */
export function rates(series: Series, machine: Machine, clockMhz: number, lo: number, hi: number, most: number): Rates {
  const [first, last] = within(series, lo, hi);
  const size = Math.max(1, Math.ceil((last - first) / Math.max(1, most)));
  const count = Math.ceil((last - first) / size);
  const begin = Float64Array.from({ length: count }, (_, i) => (first + i * size) * series.interval);
  const end = Float64Array.from({ length: count }, (_, i) => series.ends[Math.min(last, first + (i + 1) * size) - 1]);
  const cycles = end.map((value, i) => value - begin[i]);
  const perSm = (sum: Float64Array) =>
    sum.map((value, i) => (cycles[i] > 0 ? value / (cycles[i] * Math.max(1, machine.sms)) : 0));
  const states = new Map<string, Float64Array>();
  const warps = new Float64Array(count);
  for (const [key, values] of Object.entries(series.states)) {
    const share = perSm(grouped(values, first, last, size));
    states.set(key, share);
    share.forEach((value, i) => {
      warps[i] += value;
    });
  }
  // Traffic goes on up to the end of an interval that the kernel's end cuts short.
  const whole = end.map((_, i) => (Math.min(last, first + (i + 1) * size) - first - i * size) * series.interval);
  const sums = (...keys: string[]) => {
    const lists = keys.filter((key) => Object.hasOwn(series.counters, key)).map((key) => series.counters[key]);
    return lists.length === 0
      ? null
      : lists.map((list) => grouped(list, first, last, size)).reduce((a, b) => a.map((value, i) => value + b[i]));
  };
  const hits = new Map<string, Float64Array>();
  for (const [name, part, all] of [
    ['L1', 'l1_hits', 'l1_lookups'],
    ['L2', 'l2_hits', 'l2_lookups'],
  ]) {
    const [hit, every] = [sums(part), sums(all)];
    if (hit !== null && every?.some((value) => value > 0) === true) {
      hits.set(name, ratio(hit, every));
    }
  }
  return {
    begin,
    end,
    states,
    warps,
    hits,
    ipc: states.get('selected') ?? new Float64Array(count),
    throughput: throughput(series, sums, whole, machine, clockMhz),
  };
}

/** The group that holds a cycle. */
export function groupAt(of: Rates, cycle: number): number {
  let low = 0;
  let high = of.begin.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (of.begin[middle] <= cycle) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
