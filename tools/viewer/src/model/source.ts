// SPDX-License-Identifier: MIT
// Rows of the source view: instructions or lines, filtered and sorted; and which instructions wait for which.
import type { Counts, Instruction, Producer } from '../data/types';

export interface SourceRow {
  /** Index of the instruction, or of the first one of a line. */
  index: number;
  line: number;
  text: string;
  count: number;
  executions: number;
  threads: number;
  requests: number;
  sectors: number;
  wavefronts: number;
  idealWavefronts: number;
  divergent: number;
  cycles: number;
  stalls: Counts;
  /** What it waited for, most cycles first; those of a line by their lines. */
  producers: Producer[];
}

export interface Order {
  key: string;
  descending: boolean;
}

export interface Filter {
  text: string;
  /** A state of which the row must have cycles, or ''. */
  state: string;
}

function rowOf(item: Instruction): SourceRow {
  return {
    index: item.index,
    line: item.line,
    text: item.text,
    count: 1,
    executions: item.executions,
    threads: item.threads,
    requests: item.requests,
    sectors: item.sectors,
    wavefronts: item.wavefronts,
    idealWavefronts: item.idealWavefronts,
    divergent: item.divergent,
    cycles: item.cycles,
    stalls: item.stalls,
    producers: item.producers,
  };
}

export function byInstruction(code: Instruction[]): SourceRow[] {
  return code.map(rowOf);
}

const kAdded = [
  'count',
  'executions',
  'threads',
  'requests',
  'sectors',
  'wavefronts',
  'idealWavefronts',
  'divergent',
  'cycles',
] as const;

/** Waits in one state for, or by, one line as one, which names the instruction with most of them; most cycles first. */
export function joined<T extends Waiter>(waits: T[]): T[] {
  const lines = new Map<string, T>();
  for (const wait of [...waits].sort((a, b) => b.cycles - a.cycles)) {
    const key = `${wait.line} ${wait.state}`;
    const line = lines.get(key);
    lines.set(key, line === undefined ? wait : { ...line, cycles: line.cycles + wait.cycles });
  }
  return [...lines.values()].sort((a, b) => b.cycles - a.cycles);
}

/** What a row waited for, in a state or in any; of a line rather another line than itself. */
export function producerOf(row: SourceRow, state = ''): Producer | null {
  const known = row.producers.filter((item) => state === '' || item.state === state);
  const other = row.count > 1 ? known.find((item) => item.line !== row.line) : undefined;
  return other ?? known[0] ?? null;
}

/** One row per line of the trace: sums over its instructions. */
export function byLine(code: Instruction[]): SourceRow[] {
  const lines = new Map<number, SourceRow>();
  for (const item of code) {
    const row = rowOf(item);
    const line = lines.get(item.line);
    if (line === undefined) {
      lines.set(item.line, { ...row, stalls: { ...row.stalls }, producers: [...row.producers] });
      continue;
    }
    for (const key of kAdded) {
      line[key] += row[key];
    }
    for (const [state, cycles] of Object.entries(row.stalls)) {
      line.stalls[state] = (line.stalls[state] ?? 0) + cycles;
    }
    line.producers.push(...row.producers);
  }
  for (const line of lines.values()) {
    line.producers = joined(line.producers);
  }
  return [...lines.values()].sort((a, b) => a.line - b.line);
}

/** Sectors a request, or null where nothing was requested. */
export function sectorsARequest(row: SourceRow): number | null {
  return row.requests > 0 ? row.sectors / row.requests : null;
}

/** Wavefronts of shared memory that conflicts added, or null where shared memory was not accessed. */
export function conflicts(row: SourceRow): number | null {
  return row.wavefronts > 0 ? row.wavefronts - row.idealWavefronts : null;
}

export function sortKey(row: SourceRow, key: string): number {
  switch (key) {
    case 'index':
      return row.index;
    case 'line':
      return row.line;
    case 'cycles':
      return row.cycles;
    case 'executions':
      return row.executions;
    case 'lanes':
      return row.executions > 0 ? row.threads / row.executions : -1;
    case 'sectors':
      return sectorsARequest(row) ?? -1;
    case 'conflicts':
      return conflicts(row) ?? -1;
    case 'divergent':
      return row.divergent;
    default:
      return row.stalls[key] ?? 0;
  }
}

/** A number alone means a line or an index; other words must all occur in the text. */
export function matches(row: SourceRow, words: string[]): boolean {
  const text = row.text.toLowerCase();
  return words.every((word) =>
    /^\d+$/.test(word) ? row.line === Number(word) || row.index === Number(word) : text.includes(word),
  );
}

export function select(rows: SourceRow[], filter: Filter, order: Order): SourceRow[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const kept = rows.filter(
    (row) =>
      (filter.state === '' || (row.stalls[filter.state] ?? 0) > 0) && (words.length === 0 || matches(row, words)),
  );
  const sign = order.descending ? -1 : 1;
  return kept
    .map((row) => ({ row, key: sortKey(row, order.key) }))
    .sort((a, b) => sign * (a.key - b.key) || a.row.index - b.row.index)
    .map((item) => item.row);
}

/** The instruction of an index, by bisection of the code. */
export function instructionAt(code: Instruction[], index: number): Instruction | null {
  let low = 0;
  let high = code.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code[middle].index < index) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < code.length && code[low].index === index ? code[low] : null;
}

export interface Waiter {
  index: number;
  line: number;
  state: string;
  cycles: number;
}

/** For each instruction, those that waited for its result; most cycles first. */
export function waitersOf(code: Instruction[]): Map<number, Waiter[]> {
  const waiters = new Map<number, Waiter[]>();
  for (const item of code) {
    for (const producer of item.producers) {
      const list = waiters.get(producer.index) ?? [];
      list.push({ index: item.index, line: item.line, state: producer.state, cycles: producer.cycles });
      waiters.set(producer.index, list);
    }
  }
  for (const list of waiters.values()) {
    list.sort((a, b) => b.cycles - a.cycles);
  }
  return waiters;
}
