// SPDX-License-Identifier: MIT
// A sweep as lines of a plot: one metric against one axis, a line for each setting of the other axes.
import type { SweepTable } from '../data/types';

export interface Line {
  name: string;
  points: { x: number; y: number }[];
}

export interface Plot {
  lines: Line[];
  /** Names of the places on the axis, where its values are words. */
  places: string[] | null;
}

export function plotOf(sweep: SweepTable, axis: string, metric: string): Plot {
  const [ax, my] = [sweep.columns.indexOf(axis), sweep.columns.indexOf(metric)];
  const others = sweep.axes.filter((name) => name !== axis).map((name) => sweep.columns.indexOf(name));
  const words = sweep.rows.some((row) => typeof row[ax] === 'string');
  const places = words ? [...new Set(sweep.rows.map((row) => String(row[ax])))] : null;
  const lines = new Map<string, Line>();
  for (const row of sweep.rows) {
    const x = places === null ? row[ax] : places.indexOf(String(row[ax]));
    const y = row[my];
    if (typeof x !== 'number' || typeof y !== 'number') {
      continue;
    }
    const name = others.map((place) => `${sweep.columns[place]} ${row[place] ?? 'n/a'}`).join(', ');
    const line = lines.get(name) ?? { name, points: [] };
    line.points.push({ x, y });
    lines.set(name, line);
  }
  for (const line of lines.values()) {
    line.points.sort((a, b) => a.x - b.x);
  }
  return { lines: [...lines.values()], places };
}

/** Columns with numbers, which a plot can show; the named metrics first. */
export function metricsOf(sweep: SweepTable): string[] {
  const numeric = sweep.columns.filter(
    (name, i) => !sweep.axes.includes(name) && sweep.rows.some((row) => typeof row[i] === 'number'),
  );
  return [...new Set([...sweep.metrics, ...numeric])];
}
