// SPDX-License-Identifier: MIT
// How CTAs fill the SMs over time: waves, the tail at the end, and how evenly SMs are loaded.
import type { CtaRow } from '../data/types';

export interface Bar extends CtaRow {
  /** The how manieth CTA of its slot, from 0. */
  wave: number;
}

export interface Waves {
  bars: Bar[];
  /** SMs that got a CTA. */
  used: number;
  end: number;
  most: number;
  /** When the first of the used SMs had no CTA left; up to the end it is the tail. */
  tailFrom: number;
  /** Percent of the SM-cycles of used SMs that passed after their last CTA. */
  idlePct: number;
}

export function wavesOf(rows: CtaRow[]): Waves {
  const bySlot = new Map<string, number>();
  const lastEnd = new Map<number, number>();
  const ordered = [...rows].sort((a, b) => a.begin - b.begin || a.sm - b.sm || a.slot - b.slot);
  let end = 0;
  let most = 0;
  const bars = ordered.map((row) => {
    const slot = `${row.sm}/${row.slot}`;
    const wave = bySlot.get(slot) ?? 0;
    bySlot.set(slot, wave + 1);
    lastEnd.set(row.sm, Math.max(lastEnd.get(row.sm) ?? 0, row.end));
    end = Math.max(end, row.end);
    most = Math.max(most, wave + 1);
    return { ...row, wave };
  });
  let tailFrom = end;
  let idle = 0;
  for (const last of lastEnd.values()) {
    tailFrom = Math.min(tailFrom, last);
    idle += end - last;
  }
  const idlePct = end > 0 && lastEnd.size > 0 ? (100 * idle) / (end * lastEnd.size) : 0;
  return { bars, used: lastEnd.size, end, most, tailFrom, idlePct };
}

export interface Step {
  at: number;
  resident: number;
}

/** CTAs resident on the GPU: a step for each change. */
export function resident(rows: CtaRow[]): Step[] {
  const changes = new Map<number, number>();
  for (const row of rows) {
    changes.set(row.begin, (changes.get(row.begin) ?? 0) + 1);
    changes.set(row.end, (changes.get(row.end) ?? 0) - 1);
  }
  let now = 0;
  return [...changes]
    .sort((a, b) => a[0] - b[0])
    .map(([at, change]) => {
      now += change;
      return { at, resident: now };
    });
}

export interface Spread {
  least: number;
  mean: number;
  most: number;
}

export function spread(values: number[]): Spread {
  const mean = values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  return {
    least: values.reduce((a, b) => Math.min(a, b), Infinity),
    mean,
    most: values.reduce((a, b) => Math.max(a, b), 0),
  };
}
