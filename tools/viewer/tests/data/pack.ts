// SPDX-License-Identifier: MIT
// Intervals of warps from rows, as --format json writes them, to the columns of a page (docs/reports.md).
import type { Json } from './page';

export type WatchRow = (number | string | null)[];

export const kRowColumns = [
  'kernel',
  'sm',
  'sub_core',
  'warp_slot',
  'cta',
  'warp',
  'begin',
  'end',
  'state',
  'index',
  'lanes',
  'lanes_on',
  'producer',
];

function named(row: WatchRow): Record<string, number | string | null> {
  return Object.fromEntries(kRowColumns.map((name, i) => [name, row[i]]));
}

/** Rows in the order of a page: by kernel, SM, sub-core, warp slot, and time. */
export function inOrder(rows: WatchRow[]): WatchRow[] {
  const keys = [0, 1, 2, 3, 6];
  return [...rows].sort((a, b) => {
    const key = keys.find((place) => a[place] !== b[place]);
    return key === undefined ? 0 : Number(a[key]) - Number(b[key]);
  });
}

export function packWatch(rows: WatchRow[]): Json {
  const states = [...new Set(rows.map((row) => String(row[8])))];
  const tracks: number[][] = [];
  const columns: Record<string, number[]> = {};
  const put = (name: string, value: number) => (columns[name] ??= []).push(value);
  let last = { end: 0, index: 0, lanes: 0, cta: 0, warp: 0 };
  for (const row of inOrder(rows).map(named)) {
    const number = (name: string) => Number(row[name]);
    const key = [number('kernel'), number('sm'), number('sub_core'), number('warp_slot')];
    if (!key.every((value, i) => tracks.at(-1)?.[i] === value)) {
      tracks.push([...key, 0]);
      last = { end: 0, index: 0, lanes: 0, cta: 0, warp: 0 };
    }
    tracks[tracks.length - 1][4] += 1;
    put('gap', number('begin') - last.end);
    put('cycles', number('end') - number('begin'));
    put('state', states.indexOf(String(row.state)));
    put('index', number('index') - last.index);
    const back = number('index') - number('producer');
    put('producer', row.producer === null ? 0 : back > 0 ? back : back - 1);
    put('lanes', (number('lanes') ^ last.lanes) >>> 0);
    put('lanes_on', (number('lanes_on') ^ number('lanes')) >>> 0);
    put('cta', number('cta') - last.cta);
    put('warp', number('warp') - last.warp);
    last = {
      end: number('end'),
      index: number('index'),
      lanes: number('lanes'),
      cta: number('cta'),
      warp: number('warp'),
    };
  }
  return { states, tracks, columns };
}

/** A result as a run of a page holds it: the intervals packed beside it. */
export function runOf(result: Json): Json {
  const { watch, ...rest } = result;
  return watch === undefined
    ? { result: rest }
    : { result: rest, watch: packWatch((watch as { rows: WatchRow[] }).rows) };
}
