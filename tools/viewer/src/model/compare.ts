// SPDX-License-Identifier: MIT
// What the page says about a comparison that the program made: the headline, diagnostics, and changes as text.
import type { Change, Comparison, Cycles, KernelSum, LineChange } from '../data/comparison';
import { unknownState } from '../data/states';
import type { Kernel, Page, Run, StateInfo } from '../data/types';
import { plain, plural, scaled, short, whole } from './format';

/** What a run lacks of the whole: it was stopped, or not all CTAs ran. Empty for a whole run. */
export function partOf(run: Run | undefined): string {
  if (run === undefined) {
    return '';
  }
  if (!run.complete) {
    return 'was stopped before its end';
  }
  const grid = (kernel: Kernel) => kernel.grid.reduce((product, size) => product * size, 1);
  const cut = run.kernels.filter((kernel) => kernel.simulatedCtas > 0 && kernel.simulatedCtas < grid(kernel));
  if (cut.length === 0) {
    return '';
  }
  const [first] = cut;
  const more = cut.length > 1 ? `, and of ${plural(cut.length - 1, 'other kernel')} not all` : '';
  return `ran ${whole(first.simulatedCtas)} of the ${plural(grid(first), 'CTA')} of ${short(first.name, 60)}${more}`;
}

/** Sentences that warn of every run of the change that is only a part. */
export function diagnosticsOf(page: Page, change: Change): string[] {
  const names = page.comparison?.runs.map((run) => run.name) ?? [];
  return [change.first, change.second].flatMap((name) => {
    const part = partOf(page.runs[names.indexOf(name)]);
    return part === ''
      ? []
      : [`${name} ${part}. Its times and counts are of this part, so the difference says nothing of the whole.`];
  });
}

/** "B is 2.33 times as fast", "B takes as long as A", "No difference"; of parts, no word of speed. */
export function headline(change: Change, isPart = false): string {
  const { first, second, timeRatio } = change;
  if (isPart) {
    return `${second} against ${first}, as far as they ran`;
  }
  if (change.metrics.length === 0 && change.onlyFirst.length + change.onlySecond.length === 0) {
    return 'No difference';
  }
  if (timeRatio === null || timeRatio <= 0) {
    return `${second} against ${first}`;
  }
  if (timeRatio === 1) {
    return `${second} takes as long as ${first}`;
  }
  const [ratio, times, more] = timeRatio < 1 ? [1 / timeRatio, 'fast', 'faster'] : [timeRatio, 'slow', 'slower'];
  return ratio >= 1.1
    ? `${second} is ${ratio.toFixed(2)} times as ${times}`
    : `${second} is ${(100 * (ratio - 1)).toFixed(2)} % ${more}`;
}

const kLongest = 1e7;

/** A number with its unit, short, as the program writes it. */
export function amount(value: number | null, unit: string): string {
  if (value === null) {
    return 'n/a';
  }
  if (unit === 'bytes' || unit === 'bytes/s') {
    return scaled(value, unit === 'bytes' ? 'B' : 'B/s');
  }
  if (unit === '%') {
    return `${value.toFixed(1)} %`;
  }
  const behind = unit === '' || unit === 'count' ? '' : ` ${unit}`;
  return Math.abs(value) >= kLongest ? `${scaled(value)}${behind}` : `${plain(value)}${behind}`;
}

function factor(ratio: number): string {
  return ratio < 1e4 ? ratio.toFixed(2) : ratio.toExponential(2);
}

/** From the first to the second: "no change", "+12.30 %", "2.50 x", "1/8.00", "new", "gone". */
export function changeText(first: number | null, second: number | null): string {
  if (first === null || second === null) {
    return 'n/a';
  }
  if (first === second) {
    return 'no change';
  }
  if (first <= 0 || second <= 0) {
    return first === 0 ? 'new' : second === 0 ? 'gone' : 'changed';
  }
  const ratio = second / first;
  if (ratio >= 2) {
    return `${factor(ratio)} x`;
  }
  if (ratio <= 0.5) {
    return `1/${factor(1 / ratio)}`;
  }
  return `${ratio > 1 ? '+' : '-'}${Math.abs(100 * (ratio - 1)).toFixed(2)} %`;
}

export function signedWhole(value: number): string {
  return value === 0 ? 'no change' : `${value > 0 ? '+' : '-'}${whole(Math.abs(value))}`;
}

/** How large the change is, for sorting: a factor and its inverse are equally large. */
export function size(first: number | null, second: number | null): number {
  if (first === null || second === null || first === second) {
    return 0;
  }
  return first <= 0 || second <= 0 ? Infinity : Math.abs(Math.log(second / first));
}

export interface StateChange {
  state: StateInfo;
  cycles: Cycles;
}

/** States that either result was in, the largest difference first. */
export function stateChanges(states: StateInfo[], change: Change): StateChange[] {
  return change.states
    .map(([key, cycles]) => ({
      state: states.find((state) => state.key === key) ?? unknownState(key),
      cycles,
    }))
    .sort((a, b) => Math.abs(b.cycles.difference) - Math.abs(a.cycles.difference));
}

/** "LDG.E", or "LDG.E > LDG.E.128" where the line is another one. */
export function opcodesOf(line: LineChange): string {
  return line.first === line.second ? (line.first ?? '') : `${line.first ?? '-'} > ${line.second ?? '-'}`;
}

export function placeOf(line: LineChange): string {
  return line.line > 0 ? String(line.line) : `0x${line.pc.toString(16)}`;
}

/** "2", or "1 > 3" where the results differ. */
export function bothOf(first: KernelSum, second: KernelSum, of: (sum: KernelSum) => string): string {
  return of(first) === of(second) ? of(first) : `${of(first)} > ${of(second)}`;
}

/** The place of a run of the comparison among the runs of the page. */
export function runAt(comparison: Comparison, name: string): number {
  return comparison.runs.findIndex((run) => run.name === name);
}
