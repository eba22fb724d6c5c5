// SPDX-License-Identifier: MIT
// The points of the roofline as a table, and levels that have none.
import type { Kernel } from '../data/types';
import { pct, plain, scaled, short } from '../model/format';
import type { Point } from '../model/roofline';
import { asTable } from '../ui/table';

export function pointTable(points: Point[], named: (run: number) => string): HTMLElement {
  return asTable<Point>(
    [
      { label: 'Kernel', value: (row) => `${named(row.run)}${short(row.name, 200)}` },
      { label: 'Level', value: (row) => row.level },
      { label: 'FLOP a byte', value: (row) => row.intensity, show: (row) => plain(row.intensity), numeric: true },
      { label: 'FLOP/s', value: (row) => row.flops, show: (row) => scaled(row.flops), numeric: true },
      { label: 'Of the roof', value: (row) => row.pctOfRoof, show: (row) => pct(row.pctOfRoof), numeric: true },
    ],
    () => points,
    'Points',
  );
}

/** Levels of memory without traffic in a kernel, which have no point. */
export function silentLevels(kernels: Kernel[], only: string): string[] {
  const silent = kernels
    .flatMap((kernel) => kernel.roofs)
    .filter((roof) => roof.class === only)
    .flatMap((roof) => roof.levels)
    .filter((level) => level.intensity === null)
    .map((level) => level.level);
  return [...new Set(silent)];
}
