// SPDX-License-Identifier: MIT
// The comparison that the program made (docs/compare.md, schema gpusim.compare/1): each later result against the first.
import { arr, num, numOrNull, obj, str, strs } from './read';
import type { Raw } from './types';

export interface Cycles {
  first: number;
  second: number;
  difference: number;
}

/** All kernels of a result under the roofs of its GPU, for one class of FLOPs. */
export interface TotalRoof {
  class: string;
  flops: number;
  peak: number;
  /** The level of memory whose roof is lowest; empty without traffic. */
  level: string;
  /** FLOP a byte of that level; null without traffic. */
  intensity: number | null;
  /** FLOP a byte at which that level's roof meets the peak. */
  ridge: number;
  /** What the roof allows at this intensity. */
  roof: number;
  memorySide: boolean;
}

export interface ComparedRun {
  name: string;
  source: string;
  arch: string;
  title: string;
  launches: number;
  bound: string;
  timeUs: number | null;
  launchUs: number | null;
  dramBytes: number | null;
  dramPeak: number;
  roofs: TotalRoof[];
}

export interface Setting {
  what: string;
  first: string;
  second: string;
}

export interface MetricChange {
  key: string;
  unit: string;
  first: number | null;
  second: number | null;
}

export interface Cause extends MetricChange {
  what: string;
  speedsUp: boolean;
  servedBy: string;
  servedPct: number | null;
}

/** The launches of one name. */
export interface KernelSum {
  launches: number;
  timeUs: number;
  sharePct: number;
  bound: string;
}

export interface LoneKernel extends KernelSum {
  name: string;
}

/** A line in both results, or in one: then the opcode of the other is null. */
export interface LineChange {
  line: number;
  pc: number;
  first: string | null;
  second: string | null;
  text: string;
  cycles: Cycles;
  state: string;
}

export interface KernelChange {
  name: string;
  first: KernelSum;
  second: KernelSum;
  /** null: a page of very many kernels leaves out the lines of those whose time changed little. */
  lines: LineChange[] | null;
}

export interface Change {
  first: string;
  second: string;
  /** Time of the second over that of the first. */
  timeRatio: number | null;
  summary: string[];
  settings: Setting[];
  metrics: MetricChange[];
  causes: Cause[];
  warpCycles: Cycles;
  states: [string, Cycles][];
  kernels: KernelChange[];
  onlyFirst: LoneKernel[];
  onlySecond: LoneKernel[];
}

/** A condition of --fail-if on a result. */
export interface Outcome {
  condition: string;
  run: string;
  value: number | null;
  limit: number | null;
  failed: boolean;
}

export interface Comparison {
  runs: ComparedRun[];
  changes: Change[];
  outcomes: Outcome[];
}

function readRoof(value: unknown): TotalRoof {
  const raw = obj(value);
  return {
    class: str(raw.class),
    flops: num(raw.flops_per_second),
    peak: num(raw.peak_flops_per_second),
    level: str(raw.level, 'DRAM'),
    intensity: numOrNull(raw.intensity),
    ridge: num(raw.ridge),
    roof: num(raw.roof_flops_per_second),
    memorySide: raw.memory_side === true,
  };
}

function readRun(value: unknown): ComparedRun {
  const raw = obj(value);
  const totals = obj(raw.totals);
  const [read, written] = [numOrNull(totals['memory.dram.read_bytes']), numOrNull(totals['memory.dram.write_bytes'])];
  return {
    name: str(raw.name),
    source: str(raw.source),
    arch: str(obj(raw.arch).name),
    title: str(obj(raw.trace).title),
    launches: num(raw.launches),
    bound: str(raw.bound),
    timeUs: numOrNull(totals.time_us),
    launchUs: numOrNull(totals.launch_us),
    dramBytes: read === null || written === null ? null : read + written,
    dramPeak: num(raw.dram_bytes_per_second_peak),
    roofs: arr(raw.roofs).map(readRoof),
  };
}

function readCycles(value: unknown): Cycles {
  const raw = obj(value);
  return { first: num(raw.first), second: num(raw.second), difference: num(raw.difference) };
}

function readMetric(raw: Raw): MetricChange {
  return { key: str(raw.key), unit: str(raw.unit), first: numOrNull(raw.first), second: numOrNull(raw.second) };
}

function readCause(value: unknown): Cause {
  const raw = obj(value);
  return {
    ...readMetric(raw),
    what: str(raw.what),
    speedsUp: raw.speeds_up === true,
    servedBy: str(raw.served_by),
    servedPct: numOrNull(raw.served_pct),
  };
}

function readSum(value: unknown): KernelSum {
  const raw = obj(value);
  return {
    launches: num(raw.launches),
    timeUs: num(raw.time_us),
    sharePct: num(raw.share_pct),
    bound: str(raw.bound),
  };
}

function readLone(value: unknown): LoneKernel {
  return { name: str(obj(value).name), ...readSum(value) };
}

function readLine(value: unknown): LineChange {
  const raw = obj(value);
  const opcode = (side: unknown) => (side === null || side === undefined ? null : str(obj(side).opcode));
  return {
    line: num(raw.line),
    pc: num(raw.pc),
    first: opcode(raw.first),
    second: opcode(raw.second),
    text: str(obj(raw.second).text) || str(obj(raw.first).text),
    cycles: readCycles(raw.cycles),
    state: str(raw.state),
  };
}

function readKernelChange(value: unknown): KernelChange {
  const raw = obj(value);
  return {
    name: str(raw.name),
    first: readSum(raw.first),
    second: readSum(raw.second),
    lines: raw.lines === null ? null : arr(raw.lines).map(readLine),
  };
}

function readChange(value: unknown): Change {
  const raw = obj(value);
  return {
    first: str(raw.first),
    second: str(raw.second),
    timeRatio: numOrNull(raw.time_ratio),
    summary: strs(raw.summary).filter((sentence) => sentence !== ''),
    settings: arr(raw.settings).map((item) => {
      const row = obj(item);
      return { what: str(row.what), first: str(row.first), second: str(row.second) };
    }),
    metrics: arr(raw.metrics).map((item) => readMetric(obj(item))),
    causes: arr(raw.causes).map(readCause),
    warpCycles: readCycles(raw.warp_cycles),
    states: Object.entries(obj(raw.states)).map(([key, cycles]) => [key, readCycles(cycles)]),
    kernels: arr(raw.kernels).map(readKernelChange),
    onlyFirst: arr(raw.only_first).map(readLone),
    onlySecond: arr(raw.only_second).map(readLone),
  };
}

function readOutcome(value: unknown): Outcome {
  const raw = obj(value);
  return {
    condition: str(raw.condition),
    run: str(raw.run),
    value: numOrNull(raw.value),
    limit: numOrNull(raw.limit),
    failed: raw.failed === true,
  };
}

export function readComparison(value: unknown): Comparison {
  const raw = obj(value);
  return {
    runs: arr(raw.runs).map(readRun),
    changes: arr(raw.changes).map(readChange),
    outcomes: arr(raw.fail_if).map(readOutcome),
  };
}
