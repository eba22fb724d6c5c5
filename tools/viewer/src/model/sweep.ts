// SPDX-License-Identifier: MIT
// A sweep as lines of a plot: one metric against one axis, a line for each setting of the other axes.
import type { SweepTable } from '../data/types';

export interface Point {
  x: number;
  y: number;
  /** As the table has it, where `y` is relative to another point. */
  value: number;
  /** Its place in the table. */
  row: number;
}

export interface Line {
  name: string;
  points: Point[];
}

export interface Plot {
  lines: Line[];
  /** Names of the places on the axis, where its values are words. */
  places: string[] | null;
  /** The points are of different settings, so that no line joins them. */
  scattered: boolean;
}

export interface PlotOptions {
  axis: string;
  metric: string;
  /** Only points whose other keys are those of the middle point of their trace and GPU. */
  middle?: boolean;
  /** Values over that of the first point of their line. */
  relative?: boolean;
}

/** Axes that are no keys: a middle point is of one trace on one GPU. */
const kNames = ['trace', 'arch'];

function settingOf(sweep: SweepTable, axes: string[], row: number): string {
  return axes.map((name) => `${name} ${sweep.rows[row][sweep.columns.indexOf(name)] ?? 'n/a'}`).join(', ');
}

/** The middle point of the trace and GPU of a row. */
function middleOf(sweep: SweepTable, row: number): number | undefined {
  const names = sweep.axes.filter((name) => kNames.includes(name));
  const group = settingOf(sweep, names, row);
  return sweep.middles.find((middle) => settingOf(sweep, names, middle) === group);
}

function keysBut(sweep: SweepTable, axis: string): string[] {
  return sweep.axes.filter((name) => name !== axis && !kNames.includes(name));
}

/** Whether nothing but the axis tells the row from its middle point. */
function isBesideMiddle(sweep: SweepTable, axis: string, row: number): boolean {
  const middle = middleOf(sweep, row);
  const keys = keysBut(sweep, axis);
  return middle !== undefined && settingOf(sweep, keys, row) === settingOf(sweep, keys, middle);
}

function toRelative(points: Point[]): Point[] {
  const first = points.find((point) => point.value !== 0)?.value ?? 1;
  return points.map((point) => ({ ...point, y: point.value / first }));
}

/** Across an axis, a line for each setting of the other axes. Across any other column, all rows as single points. */
export function plotOf(sweep: SweepTable, options: PlotOptions): Plot {
  const { axis, metric, middle = false, relative = false } = options;
  const [ax, my] = [sweep.columns.indexOf(axis), sweep.columns.indexOf(metric)];
  const scattered = !sweep.axes.includes(axis);
  const others = scattered ? [] : sweep.axes.filter((name) => name !== axis && (!middle || kNames.includes(name)));
  const words = sweep.rows.some((row) => typeof row[ax] === 'string');
  const places = words ? [...new Set(sweep.rows.map((row) => String(row[ax])))] : null;
  const lines = new Map<string, Line>();
  sweep.rows.forEach((row, index) => {
    const x = places === null ? row[ax] : places.indexOf(String(row[ax]));
    const y = row[my];
    if (
      typeof x !== 'number' ||
      typeof y !== 'number' ||
      (middle && !scattered && !isBesideMiddle(sweep, axis, index))
    ) {
      return;
    }
    const name = settingOf(sweep, others, index);
    const line = lines.get(name) ?? { name, points: [] };
    line.points.push({ x, y, value: y, row: index });
    lines.set(name, line);
  });
  const sorted = [...lines.values()].map((line) => ({ ...line, points: line.points.sort((a, b) => a.x - b.x) }));
  return {
    lines: relative && !scattered ? sorted.map((line) => ({ ...line, points: toRelative(line.points) })) : sorted,
    places,
    scattered,
  };
}

/** The axis that a plot begins with: a key with numbers, if there is one. */
export function firstAxis(sweep: SweepTable): string {
  const numeric = sweep.axes.find((name) =>
    sweep.rows.some((row) => typeof row[sweep.columns.indexOf(name)] === 'number'),
  );
  return numeric ?? sweep.axes.find((name) => !kNames.includes(name)) ?? sweep.axes[0] ?? '';
}

/** More lines than a reader tells apart, or points that no line joins. */
const kManyLines = 8;

/** Whether the plot along an axis says more with only the points beside the middle one. */
export function isCrowded(sweep: SweepTable, axis: string, metric: string): boolean {
  const all = plotOf(sweep, { axis, metric });
  const beside = plotOf(sweep, { axis, metric, middle: true });
  const crowded = all.lines.length > kManyLines || all.lines.some((line) => line.points.length < 2);
  return !all.scattered && crowded && beside.lines.some((line) => line.points.length > 1);
}

/** "The other keys are as in l2.bytes 50.", for each trace and GPU; empty where there are no others. */
export function middleTexts(sweep: SweepTable, axis: string): string[] {
  const names = sweep.axes.filter((name) => kNames.includes(name));
  const keys = keysBut(sweep, axis);
  const texts = sweep.middles.map((row) => {
    const group = settingOf(sweep, names, row);
    return `${group === '' ? 'The' : `${group}: the`} other keys are as in ${settingOf(sweep, keys, row)}.`;
  });
  return keys.length === 0 ? [] : [...new Set(texts)];
}

/** What tells a row from the others: "sm.count 132, l2.bytes 50". */
export function nameOf(sweep: SweepTable, row: number): string {
  return settingOf(sweep, sweep.axes, row);
}

/** The values of the axes alone, in their order: "132 / 50 MiB". */
export function valuesOf(sweep: SweepTable, row: number): string {
  return sweep.axes.map((name) => String(sweep.rows[row][sweep.columns.indexOf(name)] ?? 'n/a')).join(' / ');
}

/** The axis of a key: its heading has the unit, too. */
export function axisOf(sweep: SweepTable, key: string): string | undefined {
  return sweep.axes.find((name) => name === key || name.startsWith(`${key} [`));
}

/** Columns with numbers, which a plot can show; the named metrics first. */
export function metricsOf(sweep: SweepTable): string[] {
  const numeric = sweep.columns.filter(
    (name, i) => !sweep.axes.includes(name) && sweep.rows.some((row) => typeof row[i] === 'number'),
  );
  return [...new Set([...sweep.metrics, ...numeric])];
}
