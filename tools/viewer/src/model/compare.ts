// SPDX-License-Identifier: MIT
// Two kernels side by side: metrics, warp states, lines of the source.
import { num, obj } from '../data/read';
import type { Instruction, Kernel, Metric, Run, StateInfo } from '../data/types';

export interface Pair {
  a: Kernel;
  b: Kernel;
}

/** Kernels of the same name in their order; where names differ throughout, kernels of the same place. */
export function pairs(a: Run, b: Run): Pair[] {
  const left = [...b.kernels];
  const found = a.kernels.flatMap((kernel) => {
    const place = left.findIndex((other) => other.name === kernel.name);
    return place < 0 ? [] : [{ a: kernel, b: left.splice(place, 1)[0] }];
  });
  return found.length > 0
    ? found
    : a.kernels.slice(0, b.kernels.length).map((kernel, i) => ({ a: kernel, b: b.kernels[i] }));
}

export interface Compared extends Metric {
  /** Percent by which B differs from A; null where A is zero. */
  change: number | null;
  /** Whether less is better, more is better, or neither. */
  better: 'less' | 'more' | null;
}

export function change(a: number | null, b: number | null): number | null {
  return a === null || b === null || a === 0 ? null : (100 * (b - a)) / Math.abs(a);
}

function compared(
  name: string,
  unit: string,
  a: number | null,
  b: number | null,
  better: Compared['better'],
): Compared {
  return { name, unit, a, b, better, change: change(a, b) };
}

const kThroughput: [string, string][] = [
  ['tensor_pct', 'Tensor'],
  ['fp_pct', 'FP'],
  ['issue_pct', 'Issue slots'],
  ['l1_pct', 'L1'],
  ['shared_pct', 'Shared memory'],
  ['l2_pct', 'L2'],
  ['noc_pct', 'Network'],
  ['dram_pct', 'DRAM'],
];

function hitPct(kernel: Kernel, cache: string): number | null {
  const raw = obj(obj(kernel.raw.memory)[cache]);
  const sectors = num(raw.sectors);
  return sectors > 0 ? (100 * num(raw.hits)) / sectors : null;
}

function dramBytes(kernel: Kernel): number {
  const raw = obj(obj(kernel.raw.memory).dram);
  return num(raw.read_bytes) + num(raw.write_bytes);
}

export function metricsOf({ a, b }: Pair): Compared[] {
  const perIssue = (kernel: Kernel) => (kernel.instructions > 0 ? kernel.warpCycles / kernel.instructions : null);
  return [
    compared('Duration', 'us', a.timeUs, b.timeUs, 'less'),
    compared('Elapsed cycles', 'cycles', a.cycles, b.cycles, 'less'),
    compared('Warp instructions', '', a.instructions, b.instructions, 'less'),
    compared('IPC, active', '', a.ipc, b.ipc, 'more'),
    compared('Warp cycles an instruction', 'cycles', perIssue(a), perIssue(b), 'less'),
    compared('Achieved occupancy', '%', a.occupancy.achievedPct, b.occupancy.achievedPct, null),
    compared('Theoretical occupancy', '%', a.occupancy.theoreticalPct, b.occupancy.theoreticalPct, null),
    compared('Registers a thread', '', a.registers, b.registers, null),
    compared('Shared memory a CTA', 'B', a.sharedBytes, b.sharedBytes, null),
    compared('Waves', '', a.waves, b.waves, null),
    ...kThroughput
      .filter(([key]) => key in a.throughput && key in b.throughput)
      .map(([key, name]) => compared(`${name}, of peak`, '%', a.throughput[key], b.throughput[key], null)),
    compared('L1 hit rate', '%', hitPct(a, 'l1'), hitPct(b, 'l1'), 'more'),
    compared('L2 hit rate', '%', hitPct(a, 'l2'), hitPct(b, 'l2'), 'more'),
    compared('DRAM traffic', 'B', dramBytes(a), dramBytes(b), 'less'),
  ];
}

export interface StateChange {
  state: StateInfo;
  a: number;
  b: number;
}

/** States that either kernel was in, the largest difference first. */
export function stateChanges(states: StateInfo[], { a, b }: Pair): StateChange[] {
  return states
    .map((state) => ({ state, a: a.stalls[state.key] ?? 0, b: b.stalls[state.key] ?? 0 }))
    .filter((row) => row.a > 0 || row.b > 0)
    .sort((x, y) => Math.abs(y.b - y.a) - Math.abs(x.b - x.a));
}

export interface LineChange {
  line: number;
  text: string;
  a: number;
  b: number;
}

/** Warp-cycles by line of either kernel, the largest difference first. */
export function lineChanges({ a, b }: Pair): LineChange[] {
  const lines = new Map<number, LineChange>();
  const add = (code: Instruction[], side: 'a' | 'b') => {
    for (const item of code) {
      const row = lines.get(item.line) ?? { line: item.line, text: item.text, a: 0, b: 0 };
      row[side] += item.cycles;
      lines.set(item.line, row);
    }
  };
  add(a.code(), 'a');
  add(b.code(), 'b');
  return [...lines.values()].sort((x, y) => Math.abs(y.b - y.a) - Math.abs(x.b - x.a) || x.line - y.line);
}
