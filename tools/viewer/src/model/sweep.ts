// SPDX-License-Identifier: MIT
// A sweep as lines of a plot: one metric against one axis, a line for each setting of the other axes.
import type { SweepTable } from '../data/types';

export interface Line {
  name: string;
  /** `row`: its place in the table. */
  points: { x: number; y: number; row: number }[];
}

export interface Plot {
  lines: Line[];
  /** Names of the places on the axis, where its values are words. */
  places: string[] | null;
  /** The points are of different settings, so that no line joins them. */
  scattered: boolean;
}

/** Across an axis, a line for each setting of the other axes. Across any other column, all rows as single points. */
export function plotOf(sweep: SweepTable, axis: string, metric: string): Plot {
  const [ax, my] = [sweep.columns.indexOf(axis), sweep.columns.indexOf(metric)];
  const scattered = !sweep.axes.includes(axis);
  const others = scattered ? [] : sweep.axes.filter((name) => name !== axis).map((name) => sweep.columns.indexOf(name));
  const words = sweep.rows.some((row) => typeof row[ax] === 'string');
  const places = words ? [...new Set(sweep.rows.map((row) => String(row[ax])))] : null;
  const lines = new Map<string, Line>();
  sweep.rows.forEach((row, index) => {
    const x = places === null ? row[ax] : places.indexOf(String(row[ax]));
    const y = row[my];
    if (typeof x !== 'number' || typeof y !== 'number') {
      return;
    }
    const name = others.map((place) => `${sweep.columns[place]} ${row[place] ?? 'n/a'}`).join(', ');
    const line = lines.get(name) ?? { name, points: [] };
    line.points.push({ x, y, row: index });
    lines.set(name, line);
  });
  for (const line of lines.values()) {
    line.points.sort((a, b) => a.x - b.x);
  }
  return { lines: [...lines.values()], places, scattered };
}

/** What tells a row from the others: "sm.count 132, l2.bytes 50". */
export function nameOf(sweep: SweepTable, row: number): string {
  return sweep.axes.map((name) => `${name} ${sweep.rows[row][sweep.columns.indexOf(name)] ?? 'n/a'}`).join(', ');
}

/** Columns with numbers, which a plot can show; the named metrics first. */
export function metricsOf(sweep: SweepTable): string[] {
  const numeric = sweep.columns.filter(
    (name, i) => !sweep.axes.includes(name) && sweep.rows.some((row) => typeof row[i] === 'number'),
  );
  return [...new Set([...sweep.metrics, ...numeric])];
}
