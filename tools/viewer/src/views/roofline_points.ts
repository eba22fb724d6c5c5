// SPDX-License-Identifier: MIT
// What stands below the roofline: which colour is which kernel, the points as a table, and levels that have none.
import type { Kernel } from '../data/types';
import { pct, plain, plural, scaled, short } from '../model/format';
import { silentLevels, type Point } from '../model/roofline';
import type { Key } from '../ui/chart';
import { h, note } from '../ui/dom';
import { asTable } from '../ui/table';

/** The run of a point where there are several, and its colour. */
export interface Look {
  named: (run: number) => string;
  colour: (point: Point) => string;
}

export function pointTable(points: Point[], look: Look): HTMLElement {
  const name = (row: Point) => `${look.named(row.run)}${short(row.name, 200)}`;
  return asTable<Point>(
    [
      {
        label: 'Kernel',
        value: name,
        show: (row) =>
          h('span', {}, h('span', { class: 'swatch', style: { background: look.colour(row) } }), ` ${name(row)}`),
      },
      { label: 'Level', value: (row) => row.level },
      { label: 'FLOP a byte', value: (row) => row.intensity, show: (row) => plain(row.intensity), numeric: true },
      { label: 'FLOP/s', value: (row) => row.flops, show: (row) => scaled(row.flops), numeric: true },
      { label: 'Of the roof', value: (row) => row.pctOfRoof, show: (row) => pct(row.pctOfRoof), numeric: true },
    ],
    () => points,
    'Points',
  );
}

/** A key for each name of a kernel that has points; those that share the last colour share a key. */
export function kernelKeys(points: Point[], look: Look): Key[] {
  const names = new Map<string, Set<string>>();
  for (const point of points) {
    const colour = look.colour(point);
    names.set(colour, (names.get(colour) ?? new Set()).add(point.name));
  }
  return [...names].map(([colour, own]) => ({
    label: own.size === 1 ? short([...own][0], 80) : plural(own.size, 'other kernel'),
    colour,
  }));
}

/** Says which levels have no point; null where all have one. */
export function silentNote(kernels: Kernel[], only: string): HTMLElement | null {
  const silent = silentLevels(kernels, only).map(({ level, silent: some, all }) =>
    some === all ? level : `${level} in ${some} of ${all} kernels`,
  );
  return silent.length > 0 ? note(`Without traffic, so without a point: ${silent.join(', ')}.`) : null;
}
