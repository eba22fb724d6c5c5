// SPDX-License-Identifier: MIT
// The data of a page, read and checked: what every view works on. A field that the program did not write has a default
// or is null, so that no view meets a surprise.

import type { Application } from './application';
import type { Comparison } from './comparison';

export type Counts = Record<string, number>;
export type Raw = Record<string, unknown>;

export interface StateInfo {
  key: string;
  label: string;
  /** Its letter where there is room for one only. */
  glyph: string;
  /** What a sentence about one warp can name: "pipe", "queue", "barrier", "counter", "sub_core", or "none" of them. */
  detail: string;
  /** Completes "the warp waits for ...". */
  what: string;
  remedy: string;
  /** What ends the wait, and what is in the warp's way, where the cause is not an instruction of the warp. */
  releaser: string;
  obstacle: string;
}

export interface Producer {
  index: number;
  line: number;
  opcode: string;
  state: string;
  cycles: number;
}

export interface Instruction {
  index: number;
  line: number;
  opcode: string;
  text: string;
  executions: number;
  threads: number;
  activeLanes: number;
  divergent: number;
  requests: number;
  sectors: number;
  wavefronts: number;
  idealWavefronts: number;
  stalls: Counts;
  /** Warp-cycles of all states, the issuing ones included. */
  cycles: number;
  concurrent: Counts;
  producers: Producer[];
}

export interface Series {
  interval: number;
  count: number;
  /** Ends of the intervals, in cycles. */
  ends: Float64Array;
  states: Record<string, number[]>;
  counters: Record<string, number[]>;
}

export interface CtaRow {
  cta: number;
  sm: number;
  slot: number;
  begin: number;
  end: number;
}

export interface Unit {
  name: string;
  pct: number;
  note: string;
  /** By which it is weighed as a bound: of tensor pipes, the busy time where that is more. */
  decidingPct: number;
  /** It bounds the kernel. */
  bounds: boolean;
}

export interface RoofLevel {
  level: string;
  bytesPerSecond: number;
  intensity: number | null;
}

export interface Roof {
  class: string;
  flops: number;
  peak: number;
  levels: RoofLevel[];
}

export interface Link {
  from: string;
  to: string;
  read: number;
  write: number;
  peakPct: number | null;
  hitPct: number | null;
}

export interface Curve {
  name: string;
  x: number[];
  warps: number[];
  at: number;
}

export interface Finding {
  id: string;
  title: string;
  evidence: string;
  line: number | null;
  index: number | null;
  change: string;
  gainPct: number | null;
  simulated: boolean;
}

export interface Occupancy {
  theoreticalPct: number;
  achievedPct: number;
  ctasPerSm: number;
  warpsPerCta: number;
  maxWarps: number;
  limiters: string[];
  limits: Counts;
  curves: Curve[];
}

export interface Kernel {
  index: number;
  name: string;
  grid: number[];
  block: number[];
  cycles: number;
  timeUs: number;
  launchUs: number;
  instructions: number;
  ipc: number;
  bound: string;
  verdict: string;
  registers: number;
  sharedBytes: number;
  simulatedCtas: number;
  waves: number;
  warpCycles: number;
  stalls: Counts;
  throughput: Counts;
  occupancy: Occupancy;
  units: Unit[];
  roofs: Roof[];
  links: Link[];
  findings: Finding[];
  series: Series | null;
  ctas: { total: number; rows: CtaRow[] } | null;
  smActiveCycles: number[];
  smCtas: number[];
  smInstructions: number[];
  /** Pipe and queue of an instruction, by its index. */
  pipes: Map<number, { pipe: string; queue: string | null }>;
  /** The instructions in the order of the code; read when first asked for. */
  code(): Instruction[];
  /** The page has very many kernels, and neither instructions nor time series of this one. */
  detailsLeftOut: boolean;
  /** Everything else that the program wrote of the kernel. */
  raw: Raw;
}

export interface Guess {
  key: string;
  value: string;
  kind: string;
  source: string;
}

export interface Machine {
  sms: number;
  subCores: number;
  dramBytesPerSecond: number;
  l2BytesPerCycle: number;
}

/** Intervals [begin, end) of recorded warps in one state, by columns, ordered by track, then by time. */
export interface Watch {
  count: number;
  cta: Float64Array;
  warp: Int32Array;
  begin: Float64Array;
  end: Float64Array;
  /** A place in states of the run. */
  state: Uint8Array;
  index: Int32Array;
  lanes: Uint32Array;
  lanesOn: Uint32Array;
  /** -1 where there is none. */
  producer: Int32Array;
  tracks: Track[];
}

/** A slot of a sub-core for warps: its intervals are [from, to) of the columns. */
export interface Track {
  kernel: number;
  sm: number;
  subCore: number;
  slot: number;
  from: number;
  to: number;
}

/** The launches of one name, together. */
export interface KernelName {
  name: string;
  instances: number;
  timePct: number;
  totalUs: number;
  averageUs: number;
  medianUs: number;
  leastUs: number;
  mostUs: number;
  deviationUs: number;
}

export interface Run {
  name: string;
  version: string;
  arch: string;
  trace: string;
  title: string;
  complete: boolean;
  cacheState: string;
  clockMhz: number;
  machine: Machine;
  parameters: [string, string][];
  warnings: string[];
  guesses: Guess[];
  states: StateInfo[];
  kernels: Kernel[];
  /** Longest in total first; empty where each kernel has a name of its own. */
  names: KernelName[];
  watch: Watch | null;
}

export type SweepRow = (number | string | null)[];
/** What the program found in a sweep: sentences around a table, which has no columns where there is none. */
export interface SweepFinding {
  title: string;
  /** What it is about: the trace and the GPU. */
  remark: string;
  before: string[];
  after: string[];
  columns: string[];
  /** Columns whose cells stand to the right. */
  right: boolean[];
  rows: SweepRow[];
  /** It matters less than the others: the reader opens it. */
  folded: boolean;
  /** The metric along the key of the first column. */
  curve: boolean;
}
export interface SweepTable {
  title: string;
  /** How many points there are, and what they are judged by. */
  note: string;
  warnings: string[];
  columns: string[];
  rows: SweepRow[];
  axes: string[];
  metrics: string[];
  /** The row of each trace and GPU that curves along one key go through. */
  middles: number[];
  findings: SweepFinding[];
}
export interface Page {
  kind: 'run' | 'compare' | 'sweep' | 'app';
  version: string;
  runs: Run[];
  /** What the program found, where the page compares runs. */
  comparison: Comparison | null;
  sweep: SweepTable | null;
  app: Application | null;
}
