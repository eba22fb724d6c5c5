// SPDX-License-Identifier: MIT
// An application's page: the report as `gpusim app --format json` has it, and what happened when.
import { arr, num, obj, str } from './read';
import type { Raw } from './types';

/** A number of the program, with its name and what it counts. */
export interface Word {
  key: string;
  name: string;
  meaning: string;
}

/** Activities of one name, over the rounds that count. */
export interface ActivityRow {
  name: string;
  count: number;
  totalUs: number;
  meanUs: number;
  leastUs: number;
  mostUs: number;
  bytes: number;
  /** How a kernel's time was obtained; empty of others. */
  timeIs: string;
}

export interface AppGpu {
  name: string;
  arch: string;
  /** Shares by the key of a use. */
  uses: Map<string, number>;
  peakAllocated: number;
  peakReserved: number;
  /** Bytes by category when most was allocated, the largest first. */
  atPeak: [string, number][];
}

/** A row of the timeline: activities `from` to `to`, in the order of their begins. */
export interface Lane {
  group: string;
  name: string;
  from: number;
  to: number;
}

export interface Activities {
  kind: Uint8Array;
  name: Uint32Array;
  /** Nanoseconds from the begin of the rounds that count. */
  begin: Float64Array;
  end: Float64Array;
  critical: Uint8Array;
  names: string[];
  leftOut: number;
}

/** Values that hold from a time on. */
export interface Stepped {
  at: Float64Array;
  values: Float64Array;
}

export interface MemoryOverTime {
  gpu: string;
  allocated: Stepped;
  reserved: Stepped;
}

export interface LinkOverTime {
  name: string;
  /** GB/s. */
  peak: number;
  rate: Stepped;
}

export interface Application {
  name: string;
  system: string;
  verdict: string;
  stepUs: number;
  rounds: number;
  spanNs: number;
  /** Microseconds a step by the key of a cause. */
  causes: Map<string, number>;
  causeWords: Word[];
  useWords: Word[];
  gpus: AppGpu[];
  kernels: ActivityRow[];
  collectives: ActivityRow[];
  copies: ActivityRow[];
  calls: ActivityRow[];
  work: ActivityRow[];
  path: { name: string; us: number }[];
  kinds: { key: string; name: string }[];
  lanes: Lane[];
  activities: Activities;
  memory: MemoryOverTime[];
  links: LinkOverTime[];
}

function readWord(value: unknown): Word {
  const raw = obj(value);
  return { key: str(raw.key), name: str(raw.name), meaning: str(raw.meaning) };
}

function readRow(value: unknown): ActivityRow {
  const raw = obj(value);
  const note = str(raw.note);
  return {
    name: str(raw.name),
    count: num(raw.count),
    totalUs: num(raw.total_us),
    meanUs: num(raw.mean_us),
    leastUs: num(raw.min_us),
    mostUs: num(raw.max_us),
    bytes: num(raw.bytes),
    timeIs: note === '' ? str(raw.time_is) : `${str(raw.time_is)}: ${note}`,
  };
}

const readRows = (value: unknown): ActivityRow[] => arr(value).map(readRow);

function readGpu(value: unknown, words: Word[]): AppGpu {
  const raw = obj(value);
  const memory = obj(raw.memory);
  return {
    name: str(raw.name),
    arch: str(raw.arch),
    uses: new Map(words.map(({ key }) => [key, num(raw[key])])),
    peakAllocated: num(memory.peak_allocated_bytes),
    peakReserved: num(memory.peak_reserved_bytes),
    atPeak: Object.entries(obj(memory.at_peak_bytes))
      .map(([name, bytes]): [string, number] => [str(name), num(bytes)])
      .filter(([, bytes]) => bytes > 0)
      .sort((a, b) => b[1] - a[1]),
  };
}

/** Activities sorted by lane: of each lane they stay in the order of their begins. */
function readActivities(raw: Raw, kinds: number): { lanes: Lane[]; activities: Activities } {
  const lanes = arr(raw.lanes).map((value) => {
    const lane = obj(value);
    return { group: str(lane.group), name: str(lane.name), from: 0, to: 0 };
  });
  const names = arr(raw.names).map((name) => str(name));
  const [lane, kind, name] = [arr(raw.lane), arr(raw.kind), arr(raw.name)];
  const [begin, end, critical] = [arr(raw.begin_ns), arr(raw.end_ns), arr(raw.critical)];
  const order = begin
    .map((_, i) => i)
    .filter((i) => {
      const known = num(lane[i], -1) in lanes && num(kind[i], -1) >= 0 && num(kind[i], -1) < kinds;
      return known && num(name[i], -1) in names && num(end[i]) >= num(begin[i]);
    })
    .sort((a, b) => num(lane[a]) - num(lane[b]) || num(begin[a]) - num(begin[b]) || a - b);
  order.forEach((i, place) => {
    const own = lanes[num(lane[i])];
    own.from = own.to === 0 ? place : own.from;
    own.to = place + 1;
  });
  return {
    lanes: lanes.filter((own) => own.to > own.from),
    activities: {
      kind: Uint8Array.from(order, (i) => num(kind[i])),
      name: Uint32Array.from(order, (i) => num(name[i])),
      begin: Float64Array.from(order, (i) => num(begin[i])),
      end: Float64Array.from(order, (i) => num(end[i])),
      critical: Uint8Array.from(order, (i) => num(critical[i])),
      names,
      leftOut: num(raw.left_out),
    },
  };
}

function readStepped(at: unknown, values: unknown): Stepped {
  const all = arr(values);
  return {
    at: Float64Array.from(arr(at), (value) => num(value)),
    values: Float64Array.from(arr(at), (_, i) => num(all[i])),
  };
}

function readMemory(value: unknown): MemoryOverTime {
  const raw = obj(value);
  return {
    gpu: str(raw.gpu),
    allocated: readStepped(raw.at_ns, raw.allocated),
    reserved: readStepped(raw.at_ns, raw.reserved),
  };
}

function readLink(value: unknown): LinkOverTime {
  const raw = obj(value);
  return { name: str(raw.name), peak: num(raw.peak_gb_per_second), rate: readStepped(raw.at_ns, raw.gb_per_second) };
}

export function readApplication(value: unknown): Application {
  const raw = obj(value);
  const report = obj(raw.report);
  const useWords = arr(raw.uses).map(readWord);
  const kinds = arr(raw.kinds).map((kind) => ({ key: str(obj(kind).key), name: str(obj(kind).name) }));
  return {
    name: str(report.application),
    system: str(report.system),
    verdict: str(report.verdict),
    stepUs: num(report.step_us),
    rounds: num(report.rounds, 1),
    spanNs: Math.max(1, num(raw.span_ns, 1)),
    causes: new Map(Object.entries(obj(report.causes)).map(([key, us]) => [key, num(us)])),
    causeWords: arr(raw.causes).map(readWord),
    useWords,
    gpus: arr(report.gpus).map((gpu) => readGpu(gpu, useWords)),
    kernels: readRows(report.kernels),
    collectives: readRows(report.collectives),
    copies: readRows(report.copies),
    calls: readRows(report.calls),
    work: readRows(report.work),
    path: arr(report.critical_path).map((part) => ({ name: str(obj(part).name), us: num(obj(part).us) })),
    kinds,
    ...readActivities(obj(raw.activities), kinds.length),
    memory: arr(raw.memory).map(readMemory),
    links: arr(raw.links).map(readLink),
  };
}
